#include "fft/native/numbers.hpp"

#include <algorithm>
#include <cmath>

namespace weft::core::native {

std::vector<Index> prime_factors(Index n) {
    std::vector<Index> result;
    while (n > 1) {
        result.push_back(smallest_factor(n));
        n /= result.back();
    }
    return result;
}

Index multiply_modulo(Index a, Index b, Index m) {
    __extension__ using Wide = __int128;
    return static_cast<Index>(Wide(a) * b % m);
}

Index power_modulo(Index a, Index e, Index m) {
    Index result = 1 % m;
    for (a %= m; e > 0; e /= 2) {
        if (e % 2 == 1) result = multiply_modulo(result, a, m);
        a = multiply_modulo(a, a, m);
    }
    return result;
}

Index primitive_root(Index prime) {
    const std::vector<Index> factors = prime_factors(prime - 1);
    const auto generates = [&](Index g) {
        return std::all_of(factors.begin(), factors.end(),
                           [&](Index q) { return power_modulo(g, (prime - 1) / q, prime) != 1; });
    };
    Index g = 1;
    while (!generates(g)) ++g;
    return g;
}

Turn turn(Index m, Index n) {
    constexpr long double pi = 3.14159265358979323846264338327950288L;
    m %= n;
    // Within an eighth of a turn of a multiple of a quarter, where nothing is lost.
    const Index quarters = (8 * m / n + 1) / 2;
    const long double x =
        pi * static_cast<long double>(4 * m - quarters * n) / (2 * static_cast<long double>(n));
    const long double c = std::cos(x);
    const long double s = std::sin(x);
    switch (quarters % 4) {
        case 1:
            return {-s, c};
        case 2:
            return {-c, -s};
        case 3:
            return {s, -c};
        default:
            return {c, s};
    }
}

}  // namespace weft::core::native
