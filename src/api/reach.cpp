#include "api/reach.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdio>
#include <string>

#include "base/text.hpp"
#include "net/agree.hpp"
#include "net/device_reach.hpp"
#include "plan/fuse.hpp"

namespace weft {

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
            "weft: MPI says that it reaches the memory of %s, but messages from there came "
            "wrong, so they are staged (`weft info` says more)\n",
            name.c_str());
    }
    return worst == reached;
}

}  // namespace weft
