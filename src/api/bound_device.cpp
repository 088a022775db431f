#include "api/bound_device.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <string>

#include "base/text.hpp"
#include "device/devices.hpp"
#include "net/agree.hpp"
#include "net/device_reach.hpp"
#include "plan/fuse.hpp"
#include "plan/placement.hpp"

namespace weft {

using core::bad_request;

namespace {

/// Collective: whether MPI on all ranks reaches the device. Throws Error(bad_request) with the
/// reason if it does not, though the plan says that messages travel directly, and some by MPI. Says
/// so on stderr once in a process if MPI claims what it does not do. `device`: that on which this
/// rank computes; null on a rank of the host beside those of the plan's device.
bool agreed_reach(MPI_Comm comm, int rank, const core::Plan& plan, core::Device* device,
                  const core::Environment& environment) {
    enum : int { reached, unreached, lied };
    core::DeviceReach reach;
    core::all_or_none(comm, [&] {
        // Messages that are staged, or leave the host's memory, or go without MPI, do not need it.
        const core::Placement& place = plan.placements.first();
        const bool by_mpi = core::sends_by_mpi(plan) || !core::sends_from_device(plan);
        if (!by_mpi || place.reach == core::Reach::host) return;
        if (device == nullptr) return;
        reach = core::device_reach(*device);
        if (place.reach != core::Reach::both || reach.reaches) return;
        if (core::leaves_without_mpi(plan, environment)) return;
        plan.placements.refuse(
            fmt::format("MPI does not reach the memory of {} ({}); say {}(staged)", place.device,
                        reach.why, place.device));
    });
    // A rank of the host sends from memory that MPI reaches.
    const bool reaches = device == nullptr || reach.reaches;
    const int here = reach.lies ? lied : reaches ? reached : unreached;
    const int worst = core::highest(comm, here);
    static std::atomic<bool> told = false;
    if (worst == lied && rank == 0 && !told.exchange(true)) {
        const std::string& name = plan.placements.first().device;
        std::fprintf(
            stderr,
            "weft: MPI says that it reaches the memory of %s, but messages from there arrived "
            "wrong, so weft stages messages through the host (`weft info` says more)\n",
            name.c_str());
    }
    return worst == reached;
}

}  // namespace

void BoundDevice::find(const ArrayChecks* bound) {
    if (here().on_device()) device_ = &core::device(here().device);
    whose_.device = arrays_ == Memory::device;
    if (bound != nullptr) whose_ = bound->whose(device_);
    if (device_ == nullptr && plan().placements.on_device())
        return check_arrays_of_host(bound != nullptr);
    if (device_ == nullptr && whose_.device) {
        bad_request(
            fmt::format("{} memory of a device, but the plan is computed on the host; say space= "
                        "and the device's name in the plan's choice",
                        bound != nullptr ? "an array is" : "calls are to bring"));
    }
}

void BoundDevice::check_arrays_of_host(bool bound) {
    if (bound && whose_.device) {
        bad_request(
            fmt::format("an array is memory of a device, but rank {} computes on the host with "
                        "space={}; give it memory of the host",
                        plan_.rank, plan().placements.text()));
    }
    // Ranks of the device say whose memory theirs are.
    whose_ = {};
}

void BoundDevice::check(const Workspace& workspace) const {
    if (workspace.bytes == 0) return;
    const core::Device* owner = core::device_of(workspace.data);
    const std::string_view other = core::unused_device_of(workspace.data);
    if (owner == device_ && other.empty()) return;
    bad_request(
        fmt::format("the workspace is memory of {}, but the plan is computed on {}; give a "
                    "workspace in the plan's memory, or none",
                    other.empty() ? std::string(core::name_of(owner))
                                  : fmt::format("another device ({})", other),
                    core::name_of(device_)));
}

void BoundDevice::agree(core::Environment& environment) {
    const bool host = core::on_any_rank(plan_.comm, whose_.host);
    const bool device = core::on_any_rank(plan_.comm, whose_.device);
    // Ranks of the host and of the device read no regions of each other.
    if (core::asks_for_regions(plan()) && !plan().placements.mixed()) {
        bool shared = false;
        core::all_or_none(plan_.comm, [&] { shared = device_->why_not_shared().empty(); });
        environment.device_regions = !core::on_any_rank(plan_.comm, !shared);
    }
    const bool reached = agreed_reach(plan_.comm, plan_.rank, plan(), device_, environment);
    core::all_or_none(plan_.comm, [&] {
        if (host && device) {
            bad_request(
                fmt::format("some arrays are in the host's memory, others in the memory of {}; all "
                            "ranks{} and fields must give the same kind",
                            plan().placements.first().device,
                            plan().placements.mixed() ? " of the device" : ""));
        }
        environment.device_arrays = device;
        environment.mpi_reaches_device = reached;
    });
}

void BoundDevice::check_memory(Index bytes, Index engine_bytes) const {
    if (here().memory == 0 || bytes <= here().memory) return;
    plan().placements.refuse(
        fmt::format("the plan needs {} bytes of device memory, {} of them for the engine's work at "
                    "these lengths; say {} without memory, or space=host",
                    bytes, engine_bytes, here().device));
}

}  // namespace weft
