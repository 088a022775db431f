#include "api/device_here.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/devices.hpp"
#include "base/index.hpp"
#include "device/devices.hpp"
#include "net/agree.hpp"
#include "net/device_reach.hpp"
#include "net/mpi_error.hpp"
#include "net/rank_in.hpp"
#include "plan/placement.hpp"

namespace weft {

void leave_out_absent_devices(MPI_Comm comm, const Choice& choice, core::Machine& machine) {
    if (!core::Placements(choice).open_device() || !machine.devices) return;
    const std::string& kind = machine.devices->kind;
    const bool absent = core::find_device(kind) == nullptr ||
                        core::attempt([&] { (void)core::device(kind); }).happened;
    if (core::on_any_rank(comm, absent)) machine.devices.reset();
}

std::optional<bool> mpi_reaches(MPI_Comm comm, const Choice& choice,
                                const std::optional<core::Machine>& described) {
    const core::Placements placements(choice);
    std::string name = placements.first().device;
    if (placements.open_device() && described && described->devices) {
        name = described->devices->kind;
    }
    if (name.empty()) return std::nullopt;
    bool reached = false;
    core::all_or_none(comm, [&] {
        reached = placements.beside_device(core::rank_in(comm)) ||
                  core::device_reach(core::device(name)).reaches;
    });
    return !core::on_any_rank(comm, !reached);
}

Index free_device_memory(MPI_Comm comm, const core::NodeRanks& node, const Choice& choice) {
    const core::Placements placements(choice);
    const core::Placement& here = placements.of(core::rank_in(comm));
    core::FreeMemory mine{std::numeric_limits<Index>::max(), 0};
    const auto ask = [&] {
        if (here.on_device()) mine = core::device(here.device).free_memory();
    };
    // The first call creates each rank's context on its device, which takes memory there; only the
    // second one sees what is left.
    core::all_or_none(comm, ask);
    core::all_or_none(comm, ask);
    std::vector<std::uint64_t> all;
    core::all_or_none(comm, [&] { all.resize(core::usize(node.size())); });
    core::Numbers least{};
    core::all_or_none(
        comm,
        [&] {
            core::check_mpi(
                MPI_Allgather(&mine.of, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, node.comm()),
                "MPI_Allgather");
            const Index own = mine.bytes / std::count(all.begin(), all.end(), mine.of);
            // A bound of no bytes would be none.
            least[0] = -std::max<Index>(own - own / 16, 1);
        },
        least);
    return -least[0];
}

}  // namespace weft
