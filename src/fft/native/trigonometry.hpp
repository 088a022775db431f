// Cosines and sines at compile time, for the constants within butterflies.
#pragma once

namespace weft::core::native {

struct Root {
    long double cos = 1;
    long double sin = 0;
};

/// cos and sin of 2 pi m/n (0 <= m < n), correctly rounded in double: the angle is brought within
/// an eighth of a turn, where the Taylor series ends after 15 terms.
constexpr Root root(int m, int n) {
    const int eighth = 8 * m / n;
    // cos and sin change places and signs from one eighth to the next.
    const int half_turns = (eighth + 1) / 2;
    constexpr long double pi = 3.14159265358979323846264338327950288L;
    const long double x = pi * (4 * m - half_turns * n) / (2 * n);
    long double cosine = 0;
    long double sine = 0;
    long double term = 1;
    for (int k = 0; k < 30; ++k) {
        const bool negative = k % 4 >= 2;
        (k % 2 == 0 ? cosine : sine) += negative ? -term : term;
        term *= x / (k + 1);
    }
    switch (half_turns % 4) {
        case 1:
            return {-sine, cosine};
        case 2:
            return {-cosine, -sine};
        case 3:
            return {sine, -cosine};
        default:
            return {cosine, sine};
    }
}

}  // namespace weft::core::native
