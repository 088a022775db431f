#include "api/transports.hpp"

#include <fmt/format.h>

#include "exchange/via.hpp"
#include "net/mpi.hpp"
#include "net/progress_thread.hpp"
#include "weft/error.hpp"

namespace weft {

void require_transports(const core::Plan& plan) {
    if (plan.pipeline && plan.choice.tile->progress == TileProgress::thread) {
        core::require_several_threads();
    }
    for (const core::Stage& stage : plan.stages) {
        const auto* move = std::get_if<core::RedistributionStage>(&stage);
        if (move == nullptr) continue;
        const std::string reason = core::why_unavailable(move->via.how());
        if (reason.empty()) continue;
        throw Error(ErrorCode::not_available,
                    fmt::format("via={} cannot run here: {}; `weft methods` lists what can",
                                core::to_string(move->via), reason));
    }
}

}  // namespace weft
