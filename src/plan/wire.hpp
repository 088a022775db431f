// What numbers are on their way between ranks.
#pragma once

#include <string>

#include "plan/placement.hpp"
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

/// Behind what explain says of a move: `, as f32, which adds errors of 2^-24 of each number`, or
/// which of its elements are sent so.
std::string wire_text(Wire wire, Carrier carrier, bool several_nodes);

}  // namespace weft::core
