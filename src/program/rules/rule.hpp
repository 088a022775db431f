// Lowering rules: the ways in which a stage of a plan becomes steps of a rank, in order of
// preference. The first rule with nothing against it lowers the stage.
//
// To add one: a file in this folder with its two functions, and a row in rules.def.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/tile_samples.hpp"
#include "program/rules/lowering.hpp"

namespace weft::core {

struct Rule {
    std::string_view name;
    std::string_view does;  ///< what it makes of a stage, in a few words
    /// Why it does not hold for that stage on the draft's rank; nothing if it does. Looks at stages
    /// and layouts, not at steps. A rule that holds on some ranks only must exchange the same
    /// messages as the rule that holds on the others.
    std::optional<std::string> (*why_not)(const Lowering& lowering, int stage);
    /// Adds the steps of that stage, and of those behind it that it takes along; returns the first
    /// stage that is left.
    int (*lower)(Lowering& lowering, int stage);
};

/// Those for a stage of that kind, the preferred ones first. The last one holds always.
const std::vector<Rule>& rules_for(const Stage& stage);
/// Adds the steps of all stages.
void lower_stages(Lowering& lowering);
/// Adds the steps of a plan that has a pipeline ([song] section 3), from the input, value 0: field
/// by field those of the stages before the tiles, then tile by tile, then those behind them. Steps
/// of a tile bear its number among `some`. Throws Error(bad_request) if all tiles have too many
/// messages together.
void lower_tiles(Lowering& whole, const TileCounts& some);

#define WEFT_TRANSFORM_RULE(function, name, does)                                       \
    std::optional<std::string> why_not_##function(const Lowering& lowering, int stage); \
    int lower_##function(Lowering& lowering, int stage);
#define WEFT_REDISTRIBUTION_RULE WEFT_TRANSFORM_RULE
#include "program/rules/rules.def"

}  // namespace weft::core
