#include "tune/methods.hpp"

#include <algorithm>
#include <variant>

#include "exchange/via.hpp"
#include "plan/choice.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

Plan move_alone(const Plan& plan, int number) {
    std::size_t stage = 0;
    for (int moves = -1; moves < number; ++stage) {
        if (std::holds_alternative<RedistributionStage>(plan.stages[stage])) ++moves;
    }
    --stage;
    Plan alone = plan;
    alone.problem = Problem{};
    alone.problem.kind = Kind::redistribute;
    alone.at = {plan.at[stage], plan.at[stage + 1]};
    alone.stages = {plan.stages[stage]};
    alone.pipeline.reset();
    alone.choice.tile.reset();
    return alone;
}

}  // namespace

bool is_measured(const Choice& choice) {
    return choice.via == measured_via ||
           std::any_of(choice.via_of_move.begin(), choice.via_of_move.end(),
                       [](const auto& move) { return move.second == measured_via; });
}

Choice unmeasured(Choice choice) {
    if (choice.via == measured_via) choice.via.clear();
    for (auto& [number, via] : choice.via_of_move) {
        if (via == measured_via) via = default_via(choice.pack, false);
    }
    return choice;
}

std::vector<int> measured_moves(const Choice& choice, int moves) {
    std::vector<int> result;
    for (int number = 0; number < moves; ++number) {
        if (via_of(choice, number) == measured_via) result.push_back(number);
    }
    return result;
}

std::vector<Candidate> candidates(const Plan& plan, Pack pack, int number) {
    std::vector<Candidate> result;
    for (const Method& method : methods()) {
        if (!suits(method.via, pack)) continue;
        Choice choice = plan.choice;
        choice.pack = pack;
        choice.via_of_move[number] = method.name;
        // Sub-tiles are of one way of packing.
        if (choice.tile) {
            choice.tile->pack_block_across.reset();
            choice.tile->pack_block.reset();
            choice.tile->unpack_block_across.reset();
            choice.tile->unpack_block.reset();
        }
        try {
            result.push_back({std::string(method.name),
                              move_alone(make_plan(plan.problem, choice, plan.ranks), number)});
        } catch (const Error& error) {
            if (error.code() != ErrorCode::bad_request) throw;  // It does not suit this move.
        }
    }
    return result;
}

}  // namespace weft::core
