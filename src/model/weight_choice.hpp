// How many times as much the ranks of a device own as those of the host, where a share of the ranks
// leaves that open: by the predicted rates of both.
//
// Example: of 24x48x8 in equal parts a rank of the device takes 1 ms, its hops included, and one of
// the host 5.2 ms: about 5 times as much of the array takes as long on the device. Of the weights
// 1, 3, 4, 5, 6 and 10 the one is taken with which the whole plan is predicted to be fastest.
#pragma once

#include <functional>
#include <vector>

#include "model/machine.hpp"
#include "plan/plan.hpp"

namespace weft::core {

/// The small numbers beside a ratio, its half and its double; and 1. Ascending.
std::vector<Index> weights_beside(double ratio);

/// The same with each weight that tuning tries where it is left open: those beside that of the
/// proposed placements; where the machine's devices are not described, a wide range.
std::vector<Placements> shares_to_try(const Placements& open, const Placements& proposed,
                                      bool described);

/// Seconds in which a rank of the host computes, copies and hops, over those of a rank of the
/// device, where both own as much: of a plan with equal parts.
double weight_ratio(const Plan& even, const Machine& machine);

/// The choice with a weight in the place of one that is left open; otherwise itself. `make` makes
/// the plan of a choice. It is 1 where the device is not faster, and where no cut gives ranks their
/// weights. Costs up to six plans and prices.
Choice with_weight(Choice choice, const Machine& machine,
                   const std::function<Plan(const Choice&)>& make);

}  // namespace weft::core
