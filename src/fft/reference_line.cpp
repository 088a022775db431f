#include "fft/reference_line.hpp"

#include <cmath>
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

ReferenceLine::Complex ReferenceLine::sum(const Complex* y, Index m, Index step, Index p) const {
    Real real = 0;
    Real imag = 0;
    for (Index q = 0, power = 0; q < p; ++q) {
        const Complex& value = y[q * m];
        const Complex& root = roots_[static_cast<std::size_t>(power)];
        real += value.real() * root.real() - value.imag() * root.imag();
        imag += value.real() * root.imag() + value.imag() * root.real();
        power += step;
        if (power >= n_) power -= n_;
    }
    if (!std::isnan(real) || !std::isnan(imag)) return {real, imag};
    // Where there are infinities, operator* knows more.
    Complex sum = 0;
    for (Index q = 0; q < p; ++q) sum += y[q * m] * roots_[static_cast<std::size_t>(q * step % n_)];
    return sum;
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
            sums_[static_cast<std::size_t>(r)] = sum(y + k, m, (k + r * m) * stride, p);
        }
        for (Index r = 0; r < p; ++r) y[k + r * m] = sums_[static_cast<std::size_t>(r)];
    }
}

namespace {

bool is_sine(AxisKind kind) { return kind >= AxisKind::dst1; }

/// Whether places of the values (of the results) are odd: j + 1/2, not j, in the definition.
bool halves_before(AxisKind kind) {
    return kind == AxisKind::dct2 || kind == AxisKind::dst2 || kind == AxisKind::dct4 ||
           kind == AxisKind::dst4;
}
bool halves_after(AxisKind kind) { return halves_before(inverse(kind)); }

/// The period of the cosines, in steps of the values' and the results' places together.
Index period(AxisKind kind, Index n) {
    return logical_length(kind, n) * (halves_before(kind) ? 2 : 1) * (halves_after(kind) ? 2 : 1);
}

/// Sines begin at 1 where cosines begin at 0.
Index place(AxisKind kind, bool halved, Index i) {
    if (halved) return 2 * i + 1;
    return is_sine(kind) ? i + 1 : i;
}

/// Values at the ends of the period's half count once, as they are mirrored onto themselves.
bool counts_once(AxisKind kind, Index n, Index j) {
    if (kind == AxisKind::dct1) return j == 0 || j == n - 1;
    if (kind == AxisKind::dct3) return j == 0;
    return kind == AxisKind::dst3 && j == n - 1;
}

}  // namespace

ReferenceRealLine::ReferenceRealLine(AxisKind kind, Index n)
    : kind_(kind), n_(n), line_(period(kind, n), -1) {}

double ReferenceRealLine::products(AxisKind kind, Index n) {
    const Index length = period(kind, n);
    return static_cast<double>(ReferenceLine::products(length)) * static_cast<double>(length) /
           static_cast<double>(n);
}

void ReferenceRealLine::transform(std::vector<Complex>& x) {
    values_.assign(static_cast<std::size_t>(period(kind_, n_)), 0);
    for (Index j = 0; j < n_; ++j) {
        const ReferenceLine::Real weight = counts_once(kind_, n_, j) ? 1 : 2;
        values_[static_cast<std::size_t>(place(kind_, halves_before(kind_), j))] =
            weight * x[static_cast<std::size_t>(j)].real();
    }
    line_.transform(values_);
    for (Index k = 0; k < n_; ++k) {
        const Complex& value =
            values_[static_cast<std::size_t>(place(kind_, halves_after(kind_), k))];
        x[static_cast<std::size_t>(k)] = is_sine(kind_) ? -value.imag() : value.real();
    }
}

}  // namespace weft::core
