// Number theory of transform lengths.
#pragma once

#include <vector>

#include "fft/native/tables/trigonometry.hpp"
#include "weft/box.hpp"

namespace weft::core::native {

constexpr Index smallest_factor(Index n) {
    for (Index p = 2; p * p <= n; ++p) {
        if (n % p == 0) return p;
    }
    return n;
}
/// A composite radix as a product of two factors: the first one coprime to the other where
/// possible, otherwise nearly their root.
constexpr int first_factor(int radix) {
    const int p = static_cast<int>(smallest_factor(radix));
    int power = p;
    while (radix % (power * p) == 0) power *= p;
    if (power != radix) return power;
    return radix == 8 || radix == 16 ? 4 : radix == 32 ? 8 : p;
}
/// Ascending, with multiplicity.
std::vector<Index> prime_factors(Index n);
/// a*b mod m and a^e mod m, for m < 2^62.
Index multiply_modulo(Index a, Index b, Index m);
Index power_modulo(Index a, Index e, Index m);
/// A number whose powers are all residues but 0 of a prime.
Index primitive_root(Index prime);
/// cos and sin of 2 pi m/n (m >= 0), in long double.
Turn turn(Index m, Index n);
/// cos and sign*sin of an angle behind what is in a table.
template <class T>
void append(std::vector<T>& table, const Turn& turn, int sign = 1) {
    table.push_back(static_cast<T>(turn.cos));
    table.push_back(static_cast<T>(sign * turn.sin));
}

}  // namespace weft::core::native
