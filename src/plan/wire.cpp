#include "plan/wire.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/text.hpp"
#include "plan/names.hpp"

namespace weft::core {

namespace {

/// Bits of the significand, the first one included.
int bits_of(Wire wire) { return wire == Wire::f32 ? 24 : 8; }

/// Whether memory that ranks of a node share carries the redistribution at that stage.
bool is_shared(const Plan& plan, std::size_t stage) {
    const Carrier carrier = redistribution_at(plan, stage)->carrier;
    return carrier == Carrier::region || carrier == Carrier::direct;
}

}  // namespace

void check_wire(const Problem& problem, const Choice& choice, const Placements& placements) {
    if (choice.wire == Wire::same) return;
    const std::string asked = "wire=" + weft::to_string(choice.wire);
    if (problem.kind == Kind::redistribute) {
        bad_request(asked +
                    ": redistribute does not know the type of its elements; leave out wire");
    }
    const Wire fits = half_of(problem.precision);
    if (choice.wire != fits) {
        bad_request(
            fmt::format("{}: {} arrays are sent in half of the bytes by wire={}; take this value, "
                        "or leave out wire",
                        asked, weft::to_string(problem.precision), weft::to_string(fits)));
    }
    if (choice.reproducible) {
        bad_request(asked +
                    ": values that stay on a rank are not rounded, so the bits depend on the "
                    "number of ranks; leave out wire, or reproducible");
    }
    if (placements.on_device() || placements.open_device()) {
        placements.refuse(
            "messages are rounded on the host only; take space=host, or leave out "
            "wire");
    }
}

double wire_error(Wire wire) { return wire == Wire::same ? 0 : std::ldexp(1, -bits_of(wire)); }

Index sent_bytes(const Plan& plan, std::size_t stage) {
    const Index whole = plan.at[stage].scalar.bytes();
    return plan.choice.wire == Wire::same || is_shared(plan, stage) ? whole : whole / 2;
}

std::string wire_text(const Plan& plan, std::size_t stage, bool several_nodes) {
    const Wire wire = plan.choice.wire;
    if (wire == Wire::same) return "";
    const bool shared = is_shared(plan, stage);
    if (shared && !several_nodes) return ", in shared memory as the arrays have them";
    return fmt::format(", {}as {}, which adds errors of 2^-{} of each number",
                       shared ? "between nodes " : "", weft::to_string(wire), bits_of(wire));
}

}  // namespace weft::core
