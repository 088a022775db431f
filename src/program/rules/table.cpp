#include <fmt/format.h>

#include "base/index.hpp"
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

namespace {

/// The stages that a rule has lowered, and why not by the rules before it.
std::string explained(const Rule& rule, int first, int end, const std::string& reasons) {
    const std::string stages = end - first == 1 ? fmt::format("stage {}", first)
                                                : fmt::format("stages {} to {}", first, end - 1);
    return fmt::format("rule       {}: {}: {}\n{}", stages, rule.name, rule.does, reasons);
}

}  // namespace

void lower_stages(Lowering& lowering) {
    const int stages = static_cast<int>(lowering.plan.stages.size());
    for (int stage = 0; stage < stages;) {
        const std::vector<Rule>& rules = rules_for(lowering.plan.stages[usize(stage)]);
        std::string reasons;
        auto rule = rules.begin();
        while (const auto reason = rule->why_not(lowering, stage)) {
            if (lowering.mode.why != nullptr) {
                reasons += fmt::format("           not {}: {}\n", rule->name, *reason);
            }
            ++rule;
        }
        const int first = lowering.first_stage + stage;
        stage = rule->lower(lowering, stage);
        if (lowering.mode.why == nullptr) continue;
        lowering.mode.why->try_emplace(
            first, explained(*rule, first, lowering.first_stage + stage, reasons));
    }
}

}  // namespace weft::core
