// Whole arrays, the DFT by its definition, and the way from whole arrays to the ranks' arrays and
// back. Written without the library's strides, slices and engines: it judges them.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include "base/random.hpp"
#include "geometry/layout.hpp"
#include "plan/plan.hpp"
#include "plan/problem.hpp"

namespace weft::core::test {

using Exact = std::complex<long double>;

/// A row-major array.
struct Whole {
    std::vector<Index> shape;
    std::vector<Exact> values;
};

/// The point with that row-major number, and the reverse.
std::vector<Index> point_of(Index number, const std::vector<Index>& shape);
Index number_of(const std::vector<Index>& point, const std::vector<Index>& shape);

/// An element of a rank: its row-major number in the whole array, and where it lies in the rank's
/// array.
struct StoredElement {
    Index number = 0;
    Index position = 0;
};
std::vector<StoredElement> elements_in_memory(const Layout& layout, int rank);

Whole random_whole(const std::vector<Index>& shape, bool complex, Random& random);
/// X[k] = sum_j x[j] exp(sign 2 pi i jk/n) along each of the axes.
Whole dft(Whole x, const std::vector<int>& axes, int sign);
/// The cosine or sine transform of that kind along an axis, by its definition in docs/kinds.md.
Whole real_to_real(const Whole& x, int axis, AxisKind kind);
/// The first n of an axis.
Whole cropped(const Whole& x, int axis, Index n);
Whole scaled(Whole x, long double factor);

/// A pair that a problem's unscaled forward turns into each other: analysis from real (or c2c)
/// data to frequencies for c2c, r2c and r2r, the other way round for c2r.
struct Pair {
    Whole in;
    Whole out;
    long double round_trip = 1;  ///< N: backward(forward(x)) = N x, unscaled, of whole arrays
    Whole back;                  ///< backward(out), unscaled
};
Pair random_pair(const Problem& problem, std::uint64_t seed);
/// With zeros where nobody owns an element of the plan's ends.
Pair random_pair(const Plan& plan, std::uint64_t seed);

/// Writes a rank's part of the array to its memory, and reads it back.
void scatter(const Whole& whole, const Layout& layout, int rank, std::byte* memory);
void gather(const std::byte* memory, const Layout& layout, int rank, Whole& whole);

/// |a - b| / |b| in the 2-norm; not a number if anything is not a number.
long double relative_error(const Whole& a, const Whole& b);

}  // namespace weft::core::test
