#include "fft/native/tables/numbers.hpp"

#include <algorithm>
#include <cmath>

#include "fft/planning_limit.hpp"

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
    return static_cast<Index>(static_cast<Wide>(a) * b % m);
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
    // Tables of them are most of what is planned, beside convolutions.
    require_planning_time();
    const Angle whole = angle(m % n, n);
    return turned({std::cos(whole.rest), std::sin(whole.rest)}, whole.quarters);
}

}  // namespace weft::core::native
