// Fewest exchanges, then least volume: what plans are made by where no machine is known.
//
// A volume has to be less by 1/64 to be preferred. The tolerance is this objective's own: parts
// that do not divide evenly, and volumes estimated above 4096 ranks, must not choose the axes of
// plans that nobody has asked to move less.
#include "plan/objective.hpp"

namespace weft::core {

Objective fewest_exchanges() {
    return {
        .name = "fewest-exchanges",
        .scope = Scope::usual,
        .balanced = true,
        .before = [](const Price& a, const Price& b) { return a.exchanges < b.exchanges; },
        .better = [](const Price& a,
                     const Price& b) { return a.volume < b.volume - b.volume / 64; },
    };
}

}  // namespace weft::core
