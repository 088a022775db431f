#include <fmt/format.h>

#include <algorithm>

#include "program/rules/rule.hpp"

namespace weft::core {

namespace {

std::optional<std::string> nothing_against_it(const Part& /*part*/, int /*stage*/) { return {}; }

}  // namespace

const std::vector<Rule>& rules_for(const Stage& stage) {
    static const std::vector<Rule> redistributions = {
        {"direct", "the transform beside it accesses the arrays of all ranks", &why_not_direct,
         &lower_direct},
        {"fused", "regions or messages, as the transforms beside it write and read them",
         &why_not_fused_copies, &lower_fused_copies},
        {"sub-tiles", "messages, unpacked sub-tile by sub-tile where a transform follows",
         &why_not_sub_tiles, &lower_sub_tiles},
        {"packed", "messages, packed and unpacked by copies where they do not lie so",
         &nothing_against_it, &lower_packed},
    };
    static const std::vector<Rule> transforms = {
        {"one pass", "reads or writes what a redistribution carries, in one pass over memory",
         &why_not_one_pass, &lower_one_pass},
        {"sub-tiles", "sub-tile by sub-tile, each packed when it is transformed",
         &why_not_sub_tiles, &lower_sub_tiles},
        {"transposition", "contiguous lines, with copies to or from the other order of axes",
         &why_not_transposition, &lower_transposition},
        {"complex axes first", "then the real one, which may destroy what it reads",
         &why_not_complex_axes_first, &lower_complex_axes_first},
        {"copy first", "then the engine, from the copy to the array", &why_not_copy_first,
         &lower_copy_first},
        {"engine", "one call of the engine for each box", &nothing_against_it, &lower_engine},
    };
    return std::holds_alternative<TransformStage>(stage) ? transforms : redistributions;
}

const Rule& rule_for(const Part& part, int stage) {
    const std::vector<Rule>& all = rules_for(part.plan.stages[static_cast<std::size_t>(stage)]);
    return *std::find_if(all.begin(), all.end(),
                         [&](const Rule& rule) { return !rule.why_not(part, stage); });
}

std::string why_rule(const Part& part, int stage, int first_stage) {
    const Rule& held = rule_for(part, stage);
    std::string text =
        fmt::format("rule       stage {}: {}: {}\n", first_stage + stage, held.name, held.does);
    for (const Rule& rule : rules_for(part.plan.stages[static_cast<std::size_t>(stage)])) {
        if (&rule == &held) break;
        text += fmt::format("           not {}: {}\n", rule.name, *rule.why_not(part, stage));
    }
    return text;
}

void lower_stages(Lowering& lowering) {
    const int stages = static_cast<int>(lowering.part.plan.stages.size());
    for (int stage = 0; stage < stages;) {
        stage = rule_for(lowering.part, stage).lower(lowering, stage);
    }
}

}  // namespace weft::core
