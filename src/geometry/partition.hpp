// How one axis of n indices is cut in consecutive parts.
#pragma once

#include <algorithm>
#include <utility>

#include "weft/box.hpp"
#include "weft/problem.hpp"

namespace weft::core {

/// Weights of the parts of an axis, in blocks of `block` parts that all weigh the same: the first
/// `heavy` of each `period` parts of a block weigh `weight`, the others 1.
///
/// Example: weight 3, heavy 1, period 4, block 4, of 8 parts: 3 1 1 1 3 1 1 1.
struct PartWeights {
    Index weight = 1;
    Index heavy = 0;
    Index period = 1;
    Index block = 1;

    [[nodiscard]] bool even() const { return weight == 1; }
    /// The weight of all parts before that one together.
    [[nodiscard]] Index before(Index part) const {
        return part / block * before_in_block(block) + before_in_block(part % block);
    }
    /// The last part before which no more than that lies.
    [[nodiscard]] Index part_at(Index weighed) const;
    bool operator==(const PartWeights&) const = default;

  private:
    [[nodiscard]] Index before_in_block(Index part) const {
        return part + (weight - 1) * (part / period * heavy + std::min(part % period, heavy));
    }
};

/// Parts 0 .. parts-1 of an axis; part r is begin(r) <= i < begin(r+1). Parts may be empty.
/// balanced: begin(r) = floor(n*r/p), so cutting each part of p again in q gives the same as
/// cutting in p*q. block: parts of ceil(n/p), as FFTW's MPI interface has them.
/// Balanced parts may have weights: begin(r) = floor(n * weight of 0 .. r-1 / weight of all).
struct Partition {
    Index n = 0;
    Index parts = 1;
    CutRule rule = CutRule::balanced;
    PartWeights weights{};

    /// Whether parts differ by one index at most.
    [[nodiscard]] bool even() const { return rule == CutRule::balanced && weights.even(); }
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
    /// How many parts have an index, and whether one of the first `used` has none. With weights
    /// these cost the number of parts where they weigh more than n.
    [[nodiscard]] Index in_use() const;
    [[nodiscard]] bool idle(Index used) const;
    [[nodiscard]] bool idle() const { return idle(parts); }
    bool operator==(const Partition&) const = default;

  private:
    [[nodiscard]] Index weighted_begin(Index part) const;
    [[nodiscard]] Index weighted_owner(Index i) const;
};

}  // namespace weft::core
