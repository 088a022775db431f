// Test data that every rank can make for its own part: values drawn from the global index.
#pragma once

#include <complex>
#include <vector>

#include "geometry/layout.hpp"

namespace weft::core {

using Exact = std::complex<long double>;

/// A number in the square -1..1 for each (seed, linear global index); real ones have no imaginary
/// part.
Exact sample(std::uint64_t seed, Index linear, bool complex);

/// The row-major linear index of a point, batch axis last.
Index linear_index(const std::vector<Index>& shape, const std::vector<Index>& point);

/// Calls visit(global point, offset in the rank's array) for all elements of a stored box.
template <class Visit>
void for_points(const StoredBox& stored, const Visit& visit) {
    const Box& box = stored.box;
    if (box.empty()) return;
    std::vector<Index> point = box.lo;
    for (bool more = true; more;) {
        Index offset = stored.offset;
        for (std::size_t a = 0; a < point.size(); ++a) {
            offset += (point[a] - box.lo[a]) * stored.strides[a];
        }
        visit(point, offset);
        more = false;
        for (std::size_t a = point.size(); a-- > 0 && !more;) {
            more = ++point[a] < box.hi[a];
            if (!more) point[a] = box.lo[a];
        }
    }
}

/// The same for all elements of a rank.
template <class Visit>
void for_points(const Layout& layout, int rank, const Visit& visit) {
    for (const StoredBox& stored : layout.stored(rank)) for_points(stored, visit);
}

/// Reads and writes elements of a typed array as exact numbers.
Exact get(const std::byte* array, const Scalar& scalar, Index offset);
void put(std::byte* array, const Scalar& scalar, Index offset, const Exact& value);

}  // namespace weft::core
