// How one axis of n indices is cut in consecutive parts.
#pragma once

#include <algorithm>
#include <utility>

#include "geometry/weights.hpp"
#include "weft/problem.hpp"

namespace weft::core {

/// Parts 0 .. parts-1 of an axis; part r is begin(r) <= i < begin(r+1). Parts may be empty.
/// balanced: begin(r) = floor(n*r/p), so cutting each part of p again in q gives the same as
/// cutting in p*q. block: parts of ceil(n/p), as FFTW's MPI interface has them.
/// Balanced parts may have weights: begin(r) = floor(n * weight of 0 .. r-1 / weight of all).
struct Partition {
    Index n = 0;
    Index parts = 1;
    CutRule rule = CutRule::balanced;
    PartWeights weights{};

    [[nodiscard]] Index begin(Index part) const {
        if (!weights.even()) return weighted_begin(part);
        // floor(n*r/p) = floor(n/p)*r + floor((n mod p)*r/p), which does not overflow.
        if (rule == CutRule::balanced) return n / parts * part + n % parts * part / parts;
        return n == 0 || part > n / largest() ? n : std::min(n, part * largest());
    }
    [[nodiscard]] Index end(Index part) const { return begin(part + 1); }
    /// Both at once, with half the divisions.
    [[nodiscard]] std::pair<Index, Index> interval(Index part) const;
    /// The part that holds index i, 0 <= i < n.
    [[nodiscard]] Index owner(Index i) const;
    /// No part has more indices. Without weights one has so many; with weights one has, or has one
    /// less.
    [[nodiscard]] Index largest() const;
    /// How many parts have an index. With weights it costs the number of parts where these weigh
    /// more than n.
    [[nodiscard]] Index in_use() const;
    /// Whether some part is empty.
    [[nodiscard]] bool idle() const { return n < parts || in_use() < parts; }

  private:
    [[nodiscard]] Index weighted_begin(Index part) const;
    [[nodiscard]] Index weighted_owner(Index i) const;
};

}  // namespace weft::core
