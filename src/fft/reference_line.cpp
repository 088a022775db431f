#include "fft/reference_line.hpp"

#include <numbers>

#include "fft/planning_limit.hpp"

namespace weft::core {

namespace {

Index smallest_factor(Index n) {
    for (Index p = 2; p * p <= n; ++p) {
        if (n % p == 0) return p;
    }
    return n;
}

}  // namespace

ReferenceLine::ReferenceLine(Index n, int sign)
    : n_(n),
      roots_(static_cast<std::size_t>(n)),
      sums_(static_cast<std::size_t>(n)),
      result_(static_cast<std::size_t>(n)) {
    for (Index k = 0; k < n; ++k) {
        count_work(10);  // about as long as so many products
        const Real angle =
            2 * std::numbers::pi_v<Real> * static_cast<Real>(k) / static_cast<Real>(n);
        roots_[static_cast<std::size_t>(k)] = {std::cos(angle), sign * std::sin(angle)};
    }
}

Index ReferenceLine::products(Index n) {
    Index sum = 0;
    for (; n > 1; n /= smallest_factor(n)) sum += smallest_factor(n);
    return sum;
}

void ReferenceLine::count_work(Index amount) {
    constexpr Index much = Index{1} << 16;  // a millisecond
    work_ += amount;
    if (work_ < much) return;
    work_ = 0;
    require_planning_time();
}

void ReferenceLine::transform(std::vector<Complex>& x) {
    recurse(x.data(), 1, result_.data(), n_);
    x.swap(result_);
}

void ReferenceLine::recurse(const Complex* x, Index stride, Complex* y, Index n) {
    if (n == 1) {
        y[0] = x[0];
        return;
    }
    const Index p = smallest_factor(n);
    const Index m = n / p;
    for (Index q = 0; q < p; ++q) recurse(x + q * stride, stride * p, y + q * m, m);
    for (Index k = 0; k < m; ++k) {
        for (Index r = 0; r < p; ++r) {
            count_work(p);
            Complex sum = 0;
            for (Index q = 0; q < p; ++q) {
                const Index power = q * (k + r * m) % n * stride;
                sum += y[q * m + k] * roots_[static_cast<std::size_t>(power)];
            }
            sums_[static_cast<std::size_t>(r)] = sum;
        }
        for (Index r = 0; r < p; ++r) y[k + r * m] = sums_[static_cast<std::size_t>(r)];
    }
}

}  // namespace weft::core
