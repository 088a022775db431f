// Roots of unity: at compile time for the constants within butterflies, at run time for tables.
#pragma once

namespace weft::core::native {

/// A point of the unit circle, at an angle that the functions below tell.
struct Turn {
    long double cos = 1;
    long double sin = 0;
};

/// The angle 2 pi m/n (0 <= m < n) as so many quarter turns and a rest of at most an eighth of a
/// turn, in radians, for which nothing is lost.
struct Angle {
    int quarters;
    long double rest;
};
template <class Integer>
constexpr Angle angle(Integer m, Integer n) {
    constexpr long double pi = 3.14159265358979323846264338327950288L;
    const Integer quarters = (8 * m / n + 1) / 2;
    return {static_cast<int>(quarters), pi * static_cast<long double>(4 * m - quarters * n) /
                                            (2 * static_cast<long double>(n))};
}

/// Some quarter turns further.
constexpr Turn turned(const Turn& rest, int quarters) {
    switch (quarters % 4) {
        case 1:
            return {-rest.sin, rest.cos};
        case 2:
            return {-rest.cos, -rest.sin};
        case 3:
            return {rest.sin, -rest.cos};
        default:
            return rest;
    }
}

/// cos and sin of 2 pi m/n (0 <= m < n), correctly rounded in double: within an eighth of a turn
/// the Taylor series ends after 15 terms.
constexpr Turn root(int m, int n) {
    const Angle whole = angle(m, n);
    Turn rest = {0, 0};
    long double term = 1;
    for (int k = 0; k < 30; ++k) {
        const bool negative = k % 4 >= 2;
        (k % 2 == 0 ? rest.cos : rest.sin) += negative ? -term : term;
        term *= whole.rest / (k + 1);
    }
    return turned(rest, whole.quarters);
}

}  // namespace weft::core::native
