#include "fft/reduction.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace weft::core {

namespace {

struct Turn {
    long double cosine;
    long double sine;
};

/// Of the angle pi * numerator / denominator.
Turn turn(Index numerator, Index denominator) {
    const long double angle = std::numbers::pi_v<long double> *
                              static_cast<long double>(numerator) /
                              static_cast<long double>(denominator);
    return {std::cos(angle), std::sin(angle)};
}

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

Reduction reduction_to(Kind kind, Index length, Precision precision) {
    return {{kind, kind == Kind::c2r ? 1 : -1, precision, length}, {}, {}};
}

TwoTerms one(Index number, long double factor) { return {number, number, factor, 0}; }

/// Re((cosine - i sine) Z[k]) times 2, of Z that is conjugate-symmetric with n elements.
TwoTerms turned(const Turn& by, Index k, Index n) {
    const bool mirrored = k > n / 2;
    const Index place = mirrored ? n - k : k;
    return {2 * place, 2 * place + 1, 2 * by.cosine, (mirrored ? -2 : 2) * by.sine};
}

/// The even values ascending, then the odd ones descending: number j of them in the line.
Index fold(Index j, Index n) { return 2 * j < n ? 2 * j : 2 * (n - 1 - j) + 1; }

/// [makhoul] J. Makhoul, A fast cosine transform in one and two dimensions, IEEE Trans. ASSP 28
/// (1980) 27-34, equations 19 to 23.
Reduction dct2(Index n, Precision precision) {
    Reduction result = reduction_to(Kind::r2c, n, precision);
    for (Index j = 0; j < n; ++j) result.before.push_back(one(fold(j, n), 1));
    for (Index k = 0; k < n; ++k) result.after.push_back(turned(turn(k, 2 * n), k, n));
    return result;
}

/// dct2 backwards: Z[k] = exp(i pi k/2n) (x[k] - i x[n-k]) with x[n] = 0.
Reduction dct3(Index n, Precision precision) {
    Reduction result = reduction_to(Kind::c2r, n, precision);
    result.before = {one(0, 1), one(0, 0)};
    for (Index k = 1; k <= n / 2; ++k) {
        const Turn by = turn(k, 2 * n);
        result.before.push_back({k, n - k, by.cosine, by.sine});
        result.before.push_back({k, n - k, by.sine, -by.cosine});
    }
    result.after.resize(at(n));
    for (Index j = 0; j < n; ++j) result.after[at(fold(j, n))] = one(j, 1);
    return result;
}

/// n even, so that m = n-1 is odd. The line and its mirror image have the period 2m. Modulo m and
/// 2, which have no common factor, their DFT falls apart: where e[r] and o[r] are the elements at
/// even and odd places that are r modulo m, that of e+o has the even frequencies and that of e-o
/// the others. Both are symmetric and their DFTs real, so these are the parts of that of z = (e+o)
/// + i (e-o): X[2q] = Re Z[q], X[m-2q] = Im Z[q].
Reduction even_dct1(Index n, Precision precision) {
    const Index m = n - 1;
    Reduction result = reduction_to(Kind::c2c, m, precision);
    result.after.resize(at(n));
    for (Index r = 0; r < m; ++r) {
        const auto folded = [&](Index j) { return std::min(j, 2 * m - j); };
        const Index even = folded(r % 2 == 0 ? r : r + m);
        const Index odd = folded(r % 2 == 0 ? r + m : r);
        result.before.push_back({even, odd, 1, 1});
        result.before.push_back({even, odd, 1, -1});
    }
    for (Index q = 0; 2 * q <= m; ++q) {
        result.after[at(2 * q)] = one(2 * q, 1);
        result.after[at(m - 2 * q)] = one(2 * q + 1, 1);
    }
    return result;
}

/// The line and its mirror image with the sign turned, each behind a zero, as in even_dct1 with
/// m = n+1: e+o and e-o are antisymmetric and their DFTs imaginary.
Reduction even_dst1(Index n, Precision precision) {
    const Index m = n + 1;
    Reduction result = reduction_to(Kind::c2c, m, precision);
    result.after.resize(at(n));
    result.before.push_back(one(0, 0));
    result.before.push_back(one(0, 0));
    for (Index r = 1; r < m; ++r) {
        const Index mirrored = m - r - 1;  // the element at r + m, with its sign turned
        const Index even = r % 2 == 0 ? r - 1 : mirrored;
        const Index odd = r % 2 == 0 ? mirrored : r - 1;
        const long double even_sign = r % 2 == 0 ? 1 : -1;
        result.before.push_back({even, odd, even_sign, -even_sign});
        result.before.push_back({even, odd, even_sign, even_sign});
    }
    for (Index q = 1; 2 * q <= m; ++q) {
        result.after[at(2 * q - 1)] = one(2 * q + 1, -1);
        result.after[at(m - 2 * q - 1)] = one(2 * q, -1);
    }
    return result;
}

/// The line and its mirror image, which share their ends.
Reduction dct1(Index n, Precision precision) {
    if (n % 2 == 0) return even_dct1(n, precision);
    const Index period = 2 * (n - 1);
    Reduction result = reduction_to(Kind::r2c, period, precision);
    for (Index m = 0; m < period; ++m) result.before.push_back(one(std::min(m, period - m), 1));
    for (Index k = 0; k < n; ++k) result.after.push_back(one(2 * k, 1));
    return result;
}

/// The line and its mirror image with the sign turned, each behind a zero.
Reduction dst1(Index n, Precision precision) {
    if (n % 2 == 0) return even_dst1(n, precision);
    const Index period = 2 * (n + 1);
    Reduction result = reduction_to(Kind::r2c, period, precision);
    for (Index m = 0; m < period; ++m) {
        const Index j = std::min(m, period - m) - 1;
        const bool zero = j < 0 || j >= n;
        result.before.push_back(zero ? one(0, 0) : one(j, m <= n ? 1 : -1));
    }
    for (Index k = 0; k < n; ++k) result.after.push_back(one(2 * k + 3, -1));
    return result;
}

/// z[j] = (x[2j] + i x[n-1-2j]) exp(-i pi (4j+1)/4n) is transformed to Z of n/2 elements; of
/// y[k] = Z[k] exp(-i pi k/n) the result is X[2k] = 2 Re y[k] and X[n-1-2k] = -2 Im y[k].
Reduction even_dct4(Index n, Precision precision) {
    Reduction result = reduction_to(Kind::c2c, n / 2, precision);
    result.after.resize(at(n));
    for (Index j = 0; j < n / 2; ++j) {
        const Turn by = turn(4 * j + 1, 4 * n);
        result.before.push_back({2 * j, n - 1 - 2 * j, by.cosine, by.sine});
        result.before.push_back({2 * j, n - 1 - 2 * j, -by.sine, by.cosine});
        const Turn back = turn(j, n);
        result.after[at(2 * j)] = {2 * j, 2 * j + 1, 2 * back.cosine, 2 * back.sine};
        result.after[at(n - 1 - 2 * j)] = {2 * j, 2 * j + 1, 2 * back.sine, -2 * back.cosine};
    }
    return result;
}

/// For odd n. With odd places u = 2j+1 and v = 2k+1 the sum runs over cos(2 pi uv/8n), where
/// f(u) = x[j] goes on with f(-u) = f(u) and f(u + 4n) = -f(u). 8 and n have no common factor, so
/// the DFT of length 8n falls apart in ones of 8 and n. Those of 8 are alike for all u = 1 modulo 8
/// and follow from the symmetries for 3, 5 and 7: with g(u mod n) = f(u), u = 1 modulo 8, and its
/// DFT G of length n, X(v) = 2 Re(exp(-2 pi i nv/8) G(v/8 mod n)).
Reduction odd_dct4(Index n, Precision precision) {
    Reduction result = reduction_to(Kind::r2c, n, precision);
    result.before.resize(at(n));
    Index eighth = 0;  // 1/8 modulo n
    for (Index u = 1; u < 8 * n; u += 8) {
        long double sign = 1;
        Index folded = u;
        if (folded > 4 * n) {
            folded -= 4 * n;
            sign = -sign;
        }
        if (folded > 2 * n) {
            folded = 4 * n - folded;
            sign = -sign;
        }
        result.before[at(u % n)] = one((folded - 1) / 2, sign);
        if ((u + 7) / 8 * 8 % n == 1 % n) eighth = (u + 7) / 8 % n;
    }
    for (Index k = 0; k < n; ++k) {
        const Index v = 2 * k + 1;
        result.after.push_back(turned(turn(n * v % 8, 4), eighth * v % n, n));
    }
    return result;
}

/// Sines are cosines of the line backwards, or with every other sign turned: such a kind is its
/// cosine kind with one of both before it and the other one behind it.
Reduction sine_of(Reduction cosine, bool reversed_before, Index n) {
    const auto odd = [](Index i) { return i % 2 != 0; };
    if (reversed_before) {
        for (TwoTerms& terms : cosine.before) {
            terms.first = n - 1 - terms.first;
            terms.second = n - 1 - terms.second;
        }
        for (Index k = 0; k < n; ++k) {
            TwoTerms& terms = cosine.after[at(k)];
            if (odd(k)) terms = {terms.first, terms.second, -terms.a, -terms.b};
        }
        return cosine;
    }
    for (TwoTerms& terms : cosine.before) {
        if (odd(terms.first)) terms.a = -terms.a;
        if (odd(terms.second)) terms.b = -terms.b;
    }
    std::reverse(cosine.after.begin(), cosine.after.end());
    return cosine;
}

Reduction dct4(Index n, Precision precision) {
    return n % 2 == 0 ? even_dct4(n, precision) : odd_dct4(n, precision);
}

}  // namespace

Reduction reduction_of(AxisKind kind, Index n, Precision precision) {
    switch (kind) {
        case AxisKind::dct1:
            return dct1(n, precision);
        case AxisKind::dct2:
            return dct2(n, precision);
        case AxisKind::dct3:
            return dct3(n, precision);
        case AxisKind::dct4:
            return dct4(n, precision);
        case AxisKind::dst1:
            return dst1(n, precision);
        case AxisKind::dst2:
            return sine_of(dct2(n, precision), false, n);
        case AxisKind::dst3:
            return sine_of(dct3(n, precision), true, n);
        case AxisKind::dst4:
            return sine_of(dct4(n, precision), true, n);
        default:
            break;
    }
    throw std::logic_error("a real-to-real transform without a kind");
}

}  // namespace weft::core
