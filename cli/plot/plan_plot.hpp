// A picture of a plan: the layouts that the array goes through, with the stages between them.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace weft::cli {

/// More ranks than this are too many to tell apart.
constexpr int most_drawn_ranks = 64;

/// As SVG. One group of class "state" for each state. Throws Error(bad_request) if there are more
/// than most_drawn_ranks.
std::string plan_picture(const core::Plan& plan);

}  // namespace weft::cli
