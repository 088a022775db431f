// One-dimensional transforms of any length by mixed radix, in long double.
#pragma once

#include <complex>
#include <vector>

#include "weft/problem.hpp"

namespace weft::core {

/// X[k] = sum_j x[j] exp(sign 2 pi i jk/n) for one n and sign. A line of n = p*m is transformed by
/// decimation in time: p transforms of every p-th element, then for each k < m a DFT of length p
/// over their k-th results, with twiddles. Primes are done by the definition.
class ReferenceLine {
  public:
    using Real = long double;
    using Complex = std::complex<Real>;

    /// Throws as require_planning_time() does, and so does transform(), since engines plan by it.
    ReferenceLine(Index n, int sign);
    /// How many products each of n results takes: the sum of its prime factors.
    static Index products(Index n);
    /// In place, on n values.
    void transform(std::vector<Complex>& x);

  private:
    /// Of y[q * m] times the root to the power q * step, over q < p.
    [[nodiscard]] Complex sum(const Complex* y, Index m, Index step, Index p) const;
    /// n values at `stride` -> n contiguous ones; stride * n is the whole length.
    void recurse(const Complex* x, Index stride, Complex* y, Index n);

    /// From time to time looks whether time is over.
    void count_work(Index amount);

    Index n_;
    Index work_ = 0;  ///< since it was looked
    std::vector<Complex> roots_;
    std::vector<Complex> sums_;
    std::vector<Complex> result_;
};

/// A real-to-real transform of one line, as the definitions of docs/kinds.md read: X[k] is the sum
/// over j of weight[j] x[j] cos(2 pi u[j] v[k] / L), or of sines. So it is the real (imaginary)
/// part of a DFT of length L of the values at the places u[j], read at the places v[k].
class ReferenceRealLine {
  public:
    using Complex = ReferenceLine::Complex;

    /// Throws as ReferenceLine does.
    ReferenceRealLine(AxisKind kind, Index n);
    /// How many products each of n results takes.
    static double products(AxisKind kind, Index n);
    /// In place, on n values whose imaginary parts are 0.
    void transform(std::vector<Complex>& x);

  private:
    AxisKind kind_;
    Index n_;
    ReferenceLine line_;
    std::vector<Complex> values_;
};

}  // namespace weft::core
