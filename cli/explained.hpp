// What `weft explain` has found of a plan, for readers and for programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/topology.hpp"
#include "model/machine.hpp"
#include "model/price.hpp"
#include "plan/environment.hpp"
#include "plan/plan.hpp"

namespace weft::cli {

/// A plan with all that is said of it.
struct Explained {
    core::Plan plan;   ///< as it is carried out: what is fused with what
    core::Plan given;  ///< before that
    core::Topology nodes;
    core::Machine machine;
    core::Environment environment;
    std::optional<core::PlanPrice> price{};  ///< not of plans with very many operations
    std::optional<int> rank{};
    std::string why{};      ///< empty: not asked for
    std::string program{};  ///< empty: not asked for
};

/// The plan in a sentence: on how many ranks, what it moves, what it takes, and who is idle.
std::string explain_verdict(const Explained& found);
/// Everything, the verdict first.
std::string explain_text(const Explained& found);
/// The verdict, the plan, its stages and layouts as one JSON document.
std::string explain_json(const Explained& found);

}  // namespace weft::cli
