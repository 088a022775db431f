#include "geometry/partition.hpp"

namespace weft::core {

Index PartWeights::part_at(Index weighed) const {
    const Index of_block = before_in_block(block);
    const Index of_period = period + (weight - 1) * heavy;
    const Index in_block = weighed % of_block;
    const Index in_period = in_block % of_period;
    const Index part =
        in_period < heavy * weight ? in_period / weight : heavy + in_period - heavy * weight;
    return weighed / of_block * block + in_block / of_period * period + part;
}

namespace {

/// floor(a*b/c) of 0 <= a, b <= c < 2^40, by digits of 20 bits.
Index times_over(Index a, Index b, Index c) {
    constexpr int bits = 20;
    const Index high = a * (b >> bits);
    const Index low = (high % c << bits) + a * (b & ((Index{1} << bits) - 1));
    return (high / c << bits) + low / c;
}

}  // namespace

std::pair<Index, Index> Partition::interval(Index part) const {
    if (!even()) return {begin(part), end(part)};
    const Index length = n / parts;
    const Index rest = n % parts;
    if (rest == 0) return {length * part, length * (part + 1)};
    return {length * part + rest * part / parts, length * (part + 1) + rest * (part + 1) / parts};
}

Index Partition::owner(Index i) const {
    if (!weights.even()) return weighted_owner(i);
    // balanced: floor(n*r/p) <= i  <=>  r < (i+1)*p/n, and the last such part is not empty.
    if (rule == CutRule::block) return i / largest();
    if (i < (Index{1} << 62) / parts - 1) return ((i + 1) * parts - 1) / n;
    // Too long to multiply: from a guess to the exact part.
    auto part = static_cast<Index>(static_cast<long double>(i) * static_cast<long double>(parts) /
                                   static_cast<long double>(n));
    while (part > 0 && begin(part) > i) --part;
    while (end(part) <= i) ++part;
    return part;
}

// Parts are 2^24 at most and weigh 1000 at most, so that all of them weigh less than 2^34.
Index Partition::weighted_begin(Index part) const {
    const Index all = weights.before(parts);
    const Index before = weights.before(part);
    return n / all * before + times_over(n % all, before, all);
}

Index Partition::weighted_owner(Index i) const {
    // As without weights: weight before r < (i+1)*all/n, and the last such part is not empty.
    const Index all = weights.before(parts);
    if (i < (Index{1} << 62) / all - 1) return weights.part_at(((i + 1) * all - 1) / n);
    const auto guess = static_cast<Index>(
        static_cast<long double>(i) * static_cast<long double>(all) / static_cast<long double>(n));
    Index part = std::min(weights.part_at(guess), parts - 1);
    while (part > 0 && begin(part) > i) --part;
    while (end(part) <= i) ++part;
    return part;
}

Index Partition::largest() const {
    if (weights.even()) return (n + parts - 1) / parts;
    const Index all = weights.before(parts);
    const Index weight = weights.weight;
    return n / all * weight + (n % all * weight + all - 1) / all;
}

Index Partition::in_use() const {
    if (!weights.even()) {
        if (n >= weights.before(parts)) return parts;
        Index count = 0;
        for (Index part = 0; part < parts; ++part) count += begin(part) < end(part) ? 1 : 0;
        return count;
    }
    // Balanced parts of less than one index each have one or none; of blocks all but one are of the
    // largest extent.
    if (rule == CutRule::balanced) return std::min(n, parts);
    return n == 0 ? 0 : (n + largest() - 1) / largest();
}

bool Partition::idle(Index used) const {
    if (rule == CutRule::block) return begin(used - 1) >= n;
    if (n >= weights.before(parts)) return false;
    // Of too few indices the first of equal parts has none; of others any may.
    Index part = 0;
    while (part < used && begin(part) < end(part)) ++part;
    return part < used;
}

}  // namespace weft::core
