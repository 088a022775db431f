// What makes one way through the distributions better than another: values that the search is
// given. The search knows none of them.
//
// An objective prices one redistribution and orders sums of prices, in two steps: a grade, which
// is exact, and among ways of equal grade a preference, which may overlook small differences.
//
// Example: 8 x 6 x 4 complex elements on 2 ranks, cut along axis 0 at both ends. The axes 1 and 2
// are whole at once, axis 0 in slabs along axis 1: two redistributions, in each of which either
// rank hands over 48 of its 96 elements. The way's price is 2 exchanges and a volume of 192.
//
// A new objective is a file in plan/objectives that makes the value, and a row in objective.cpp.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "plan/candidates.hpp"

namespace weft::core {

/// One redistribution on a way.
struct Redistribution {
    const Distribution& from;
    const Distribution& to;  ///< of the same array
    bool complex = false;    ///< its elements are the complex ones of a real transform
};

/// What a way costs: the sum over its redistributions.
struct Price {
    Index exchanges = 0;
    Index volume = 0;   ///< elements that leave their rank; complex ones of a real transform twice
    double weight = 0;  ///< what else an objective adds up, in its own unit
    Price& operator+=(const Price& other);
    bool operator==(const Price&) const = default;
};

/// One exchange and its volume, which is an estimate above 4096 ranks.
Price counted(const Redistribution& redistribution);

struct Objective {
    std::string_view name{};
    /// Whether a constraint asks for this objective; null: none does.
    bool (*asked_for)(const Decomposition& constraint) = nullptr;
    /// The families that can hold a best way.
    Scope scope = Scope::usual;
    /// Leaves out ways whose largest part between the ends is larger by a quarter than the least
    /// such part of all families: one rank with twice the others' data is no bargain, however
    /// little it moves. This stands for the time of the transforms, so only objectives that price
    /// nothing but redistributions need it; it compares whole ways, which no sum of prices can.
    bool balanced = false;
    /// Of one redistribution.
    std::function<Price(const Redistribution&)> price = counted;
    /// Whether a's grade is before b's: a strict weak order in which every redistribution makes a
    /// way's grade later than it was. The search is exact in it.
    bool (*before)(const Price& a, const Price& b) = nullptr;
    /// Whether a is preferred to b where both have one grade. With a tolerance this is no order:
    /// where neither is preferred, the way that was found first stays.
    bool (*better)(const Price& a, const Price& b) = nullptr;
};

/// Whether a's grade is before b's or, if both have one grade, a is preferred to b.
bool precedes(const Objective& objective, const Price& a, const Price& b);

/// All of them; no constraint has to ask for the last one.
const std::vector<Objective>& objectives();

/// The objective that the constraint asks for; null if it asks for none.
const Objective* asked_objective(const Decomposition& constraint);
/// That one, otherwise the last of all.
const Objective& objective_for(const Decomposition& constraint);

}  // namespace weft::core
