// The choice that the model says is the fastest on a machine, without running anything.
//
// Example: two nodes of one rank with a link of 1 Gbit/s. The model says of 64^3 that tiles hide
// much of the exchange behind the transforms: `via=isend-waitall; pack=fused; tile=(axis:1,T:8)`.
// On one node it says `via=shared`.
#pragma once

#include <optional>

#include "model/machine.hpp"
#include "model/space_choice.hpp"
#include "tune/changes.hpp"
#include "weft/choice.hpp"
#include "weft/problem.hpp"

namespace weft::core {

/// Complete; of choices that differ by less than two percent the simplest. Looked at are weft's
/// own plan, all that predictions list beside it, each of these in tiles, fewer ranks between the
/// ends (so that ranks may own nothing of an end that is free), and the choices that a tuner would
/// look at first, fewer where there are many ranks and each takes long to plan. The
/// foremost ones are priced as predictions are, and k-way schedules on the way that suits them. Throws Error(bad_request) as default_plan does.
Choice estimated_choice(const Problem& problem, const Choice& constraint, int ranks,
                        const Means& means, const Machine& machine);

/// The plan of that choice by kway(k) for the k that takes least on the machine, of 2 to the ranks
/// that exchange: of each number of stages the least k, and the powers of two ([gholami] section 3
/// tries all). Nothing if none takes less than `below` seconds, or kway does not fit the choice.
/// Costs a price for each: twice the logarithm of the ranks.
std::optional<PricedPlan> fastest_kway(const Problem& problem, const Choice& choice, int ranks,
                                       const Machine& machine, double below);

}  // namespace weft::core
