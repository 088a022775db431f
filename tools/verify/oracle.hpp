// What a transform must give: the whole array, transformed by one process.
#pragma once

#include <vector>

#include "plan/problem.hpp"
#include "verify/signal.hpp"

namespace weft::core {

/// A whole array, row-major, batch axis last.
struct Whole {
    std::vector<Index> shape;
    std::vector<Exact> values;

    [[nodiscard]] const Exact& at(const std::vector<Index>& point) const {
        return values[static_cast<std::size_t>(linear_index(shape, point))];
    }
};

/// Whether the whole array is small enough to be transformed by everyone.
bool has_oracle(const Problem& problem);

/// The analysis (forward, but of c2r backward) of a whole array of the problem's real or complex
/// shape, by the definition of the DFT and the formulas of docs/kinds.md axis by axis where lines
/// are short, otherwise by mixed radix in long double; unscaled.
Whole analysis(const Problem& problem, const Whole& input);
/// What analysis does along an axis.
AxisKind analysis_kind(const Problem& problem, int axis);
/// The cosine and sine transforms of analysis at k, if the input is 1 at one point and 0 elsewhere.
long double real_impulse(const Problem& problem, const std::vector<Index>& at,
                         const std::vector<Index>& k);
/// The synthesis (backward, but of c2r forward), unscaled.
Whole synthesis(const Problem& problem, const Whole& input);

/// A random signal on the side where data is real (r2c, c2r) or on either side (c2c, r2r).
Whole random_signal(const Problem& problem, std::uint64_t seed);

}  // namespace weft::core
