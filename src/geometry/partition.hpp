// How one axis of n indices is cut in consecutive parts.
#pragma once

#include <algorithm>
#include <utility>

#include "weft/problem.hpp"

namespace weft::core {

/// Parts 0 .. parts-1 of an axis; part r is begin(r) <= i < begin(r+1). Parts may be empty.
/// balanced: begin(r) = floor(n*r/p), so cutting each part of p again in q gives the same as
/// cutting in p*q. block: parts of ceil(n/p), as FFTW's MPI interface has them.
struct Partition {
    Index n = 0;
    Index parts = 1;
    CutRule rule = CutRule::balanced;

    [[nodiscard]] Index begin(Index part) const {
        // floor(n*r/p) = floor(n/p)*r + floor((n mod p)*r/p), which does not overflow.
        if (rule == CutRule::balanced) return n / parts * part + n % parts * part / parts;
        return n == 0 || part > n / largest() ? n : std::min(n, part * largest());
    }
    [[nodiscard]] Index end(Index part) const { return begin(part + 1); }
    /// Both at once, with half the divisions.
    [[nodiscard]] std::pair<Index, Index> interval(Index part) const;
    /// The part that holds index i, 0 <= i < n.
    [[nodiscard]] Index owner(Index i) const;
    /// The extent of the largest part.
    [[nodiscard]] Index largest() const { return (n + parts - 1) / parts; }
    /// Whether some part is empty.
    [[nodiscard]] bool idle() const { return begin(parts - 1) >= n || (n < parts); }
};

}  // namespace weft::core
