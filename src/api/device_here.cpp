#include "api/device_here.hpp"

#include <string>

#include "base/devices.hpp"
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

}  // namespace weft
