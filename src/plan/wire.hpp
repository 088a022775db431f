// What numbers are on their way between ranks.
#pragma once

#include <cstddef>
#include <string>

#include "plan/placement.hpp"
#include "plan/plan.hpp"
#include "weft/problem.hpp"

namespace weft::core {

/// The numbers of half of the bytes.
constexpr Wire half_of(Precision precision) {
    return precision == Precision::f64 ? Wire::f32 : Wire::bf16;
}

/// Throws Error(bad_request) if numbers of the problem cannot be sent as the choice says.
void check_wire(const Problem& problem, const Choice& choice, const Placements& placements);

/// The largest error of a number that has been sent so, relative to it; 0 if it is sent as it is.
double wire_error(Wire wire);

/// The bytes of an element that the redistribution at that stage sends to another rank: half of the
/// array's by Choice::wire, unless shared memory carries it (on several nodes messages to others are
/// then halved, and counted whole).
Index sent_bytes(const Plan& plan, std::size_t stage);

/// Text for `explain`, behind what it says of the redistribution at that stage: which numbers
/// travel, and the error: `, as f32, which adds errors of 2^-24 of each number`. Empty if the plan
/// sends the arrays' numbers.
std::string wire_text(const Plan& plan, std::size_t stage, bool several_nodes);

}  // namespace weft::core
