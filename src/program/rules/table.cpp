#include <fmt/format.h>

#include <algorithm>

#include "program/rules/rule.hpp"

namespace weft::core {

const std::vector<Rule>& rules_for(const Stage& stage) {
#define WEFT_ROW(function, name, does) {name, does, &why_not_##function, &lower_##function},
    static const std::vector<Rule> redistributions = {
#define WEFT_REDISTRIBUTION_RULE WEFT_ROW
#include "program/rules/rules.def"
    };
    static const std::vector<Rule> transforms = {
#define WEFT_TRANSFORM_RULE WEFT_ROW
#include "program/rules/rules.def"
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
