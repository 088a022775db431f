// Least volume, then fewest exchanges.
//
// It is asked for by name, and has to move no more than anything it can be compared with: so it
// has no tolerance, no regard for balance, and looks at all families.
#include <utility>

#include "plan/objective.hpp"

namespace weft::core {

Objective least_volume() {
    return {
        .name = "least-volume",
        .asked_for = [](const Decomposition& constraint) { return constraint.least_volume; },
        .scope = Scope::all,
        .balanced = false,
        .before =
            [](const Price& a, const Price& b) {
                return std::pair{a.volume, a.exchanges} < std::pair{b.volume, b.exchanges};
            },
        .better = [](const Price&, const Price&) { return false; },
    };
}

}  // namespace weft::core
