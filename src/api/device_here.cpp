#include "api/device_here.hpp"

#include <string>

#include "base/devices.hpp"
#include "device/devices.hpp"
#include "net/agree.hpp"
#include "net/device_reach.hpp"
#include "net/mpi_error.hpp"
#include "net/rank_in.hpp"
#include "plan/choice.hpp"
#include "plan/share.hpp"

namespace weft {

void leave_out_absent_devices(MPI_Comm comm, const Space& space, core::Machine& machine) {
    if (space.device != core::open_space || !machine.devices) return;
    const std::string& kind = machine.devices->kind;
    const bool absent = core::find_device(kind) == nullptr ||
                        core::attempt([&] { (void)core::device(kind); }).happened;
    if (core::on_any_rank(comm, absent)) machine.devices.reset();
}

std::optional<bool> mpi_reaches(MPI_Comm comm, const Space& space,
                                const std::optional<core::Machine>& described) {
    std::string name = space.device;
    if (name == core::open_space) {
        name = described && described->devices ? described->devices->kind : std::string();
    }
    if (name.empty()) return std::nullopt;
    bool reached = false;
    core::all_or_none(comm, [&] {
        reached = core::is_beside_device(space, core::rank_in(comm)) ||
                  core::device_reach(core::device(name)).reaches;
    });
    return !core::on_any_rank(comm, !reached);
}

}  // namespace weft
