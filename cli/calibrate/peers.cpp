#include "calibrate/peers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "calibrate/copies.hpp"
#include "measure/statistics.hpp"
#include "measure/turns.hpp"
#include "net/agree.hpp"
#include "net/mpi.hpp"
#include "net/shared_region.hpp"

namespace weft::cli {

namespace {

/// The rank after this one on its node, the first one after the last; this one if it is alone.
int next_on_node(const Placement& placed, int rank) {
    const auto node_of = [&](int one) { return placed.node[static_cast<std::size_t>(one)]; };
    const int ranks = placed.ranks();
    for (int i = 1; i < ranks; ++i) {
        const int other = (rank + i) % ranks;
        if (node_of(other) == node_of(rank)) return other;
    }
    return rank;
}

/// Regions of all ranks, and memory that what is read there goes to.
class PeerBench {
  public:
    /// Collective: throws on all ranks or none.
    PeerBench(MPI_Comm comm, core::Device& device, const Placement& placed) : net_(comm, &device) {
        net_.all_or_none([&] {
            const std::string why = device.why_not_shared();
            if (!why.empty()) throw Error(ErrorCode::not_available, why);
        });
        net_.share({large});
        net_.all_or_none([&] {
            core::RegionTask task;
            const int peer = next_on_node(placed, net_.rank());
            if (peer != net_.rank()) task.used.push_back({peer, {}});
            use_ = net_.region(0).open(task);
            own_ = net_.region(0).of(net_.rank());
            far_ = net_.region(0).of(peer);
            to_ = device.allocate(large, "calibrate");
            queue_ = device.queue("calibrate");
        });
    }
    void read_own(Index bytes) const { read(own_, bytes); }
    void read_far(Index bytes) const { read(far_, bytes); }

  private:
    void read(const std::byte* from, Index bytes) const {
        queue_->wait(queue_->copy(from, to_->data(), bytes, "read a region"));
    }

    core::MpiNet net_;
    std::unique_ptr<core::RegionUse> use_;
    const std::byte* own_ = nullptr;
    const std::byte* far_ = nullptr;
    std::unique_ptr<core::DeviceMemory> to_;
    std::unique_ptr<core::DeviceQueue> queue_;
};

core::PeerLink peer_link(const PeerBench& bench, double seconds, const Calibration& calibration) {
    const std::vector<std::function<void()>> calls = {[&] { bench.read_own(small); },
                                                      [&] { bench.read_far(small); },
                                                      [&] { bench.read_far(large); }};
    std::vector<double> medians;
    for (const CallTimes& times :
         take_turns(calls, {seconds, 0, calibration.after_round}, calibration.comm)) {
        medians.push_back(statistics(times.with_barrier).quartiles.median);
    }
    const double own = medians[0];
    const double far = medians[1];
    return {time_besides(far, own), bytes_a_second(large, medians[2], far)};
}

}  // namespace

std::string measure_peers(core::Device& device, const Placement& placed, double seconds,
                          const Calibration& calibration, core::Machine& machine) {
    if (placed.ranks_per_node == 1) return "no node has two of these ranks";
    std::unique_ptr<PeerBench> bench;
    // On all ranks alike.
    const core::Failure failure = core::attempt(
        [&] { bench = std::make_unique<PeerBench>(calibration.comm, device, placed); });
    if (failure.happened) {
        return fmt::format("ranks of a node cannot read each other's memory on {}: {}",
                           device.name(), failure.message);
    }
    machine.devices->peer_link = peer_link(*bench, seconds, calibration);
    machine.sources["devices.peer_link.latency"] = calibration.source;
    machine.sources["devices.peer_link.bandwidth"] = calibration.source;
    return "";
}

}  // namespace weft::cli
