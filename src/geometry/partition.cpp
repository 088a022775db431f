#include "geometry/partition.hpp"

namespace weft::core {

std::pair<Index, Index> Partition::interval(Index part) const {
    if (rule != CutRule::balanced) return {begin(part), end(part)};
    const Index even = n / parts;
    const Index rest = n % parts;
    if (rest == 0) return {even * part, even * (part + 1)};
    return {even * part + rest * part / parts, even * (part + 1) + rest * (part + 1) / parts};
}

Index Partition::owner(Index i) const {
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

}  // namespace weft::core
