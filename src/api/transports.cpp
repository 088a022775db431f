#include "api/transports.hpp"

#include <fmt/format.h>

#include "exchange/via.hpp"
#include "net/agree.hpp"
#include "net/mpi.hpp"
#include "net/progress_thread.hpp"
#include "weft/error.hpp"

namespace weft {

void require_transports(const core::Plan& plan) {
    if (plan.pipeline && plan.choice.tile->progress == TileProgress::thread) {
        core::require_several_threads();
    }
    for (const core::Stage& stage : plan.stages) {
        const auto* redistribution = std::get_if<core::RedistributionStage>(&stage);
        if (redistribution == nullptr) continue;
        const std::string reason =
            core::why_unavailable(redistribution->via.how(), plan.placements.first().device);
        if (reason.empty()) continue;
        throw Error(
            ErrorCode::not_available,
            fmt::format("via={} cannot run here: {}; `weft methods` lists the methods that can",
                        core::to_string(redistribution->via), reason));
    }
}

std::vector<std::string> methods_of_all(MPI_Comm comm, const Choice& choice) {
    std::vector<int> possible;
    core::all_or_none(comm, [&] {
        const core::Placement place = core::Placements(choice).first();
        for (const core::Method& method : core::methods()) {
            const core::Transport& how = method.via.how();
            const bool from_device = how.carries == core::Carries::device;
            // Messages that are the host's are not sent from a device.
            const bool on_host = place.reach == core::Reach::host;
            const bool runs =
                core::why_unavailable(how, place.device).empty() && !(from_device && on_host);
            possible.push_back(runs ? 1 : 0);
        }
    });
    possible = core::on_all_ranks(comm, possible);
    std::vector<std::string> result;
    core::all_or_none(comm, [&] {
        auto next = possible.begin();
        for (const core::Method& method : core::methods()) {
            if (*next++ == 1) result.emplace_back(method.name);
        }
    });
    return result;
}

}  // namespace weft
