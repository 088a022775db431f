// How a length is cut into passes.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "fft/native/tables/numbers.hpp"
#include "fft/native/tables/tile_dft.hpp"

namespace weft::core::native {

namespace {

/// Additions, multiplications and fused pairs of a butterfly (see butterfly.hpp).
double operations(int radix) {
    if (radix == 1) return 0;
    if (radix == 2) return 4;
    if (radix == 4) return 16;
    if (smallest_factor(radix) == radix) {
        return static_cast<double>(radix - 1) * (radix - 1) + 5.0 * (radix - 1);
    }
    const int a = first_factor(radix);
    const int b = radix / a;
    const double twiddles = std::gcd(a, b) == 1 ? 0 : 3.5 * (a - 1) * (b - 1);
    return b * operations(a) + a * operations(b) + twiddles;
}

/// Two operations start in each cycle; two loads and one store do. What is kept of a butterfly
/// beside the 32 registers is stored and loaded once more.
double pass_cost(int radix) {
    const double memory = 2.5;
    const double twiddles = 2;
    const double spills = radix > 16 ? 2 : radix > 8 ? 1 : 0;
    return operations(radix) / radix / 2 + memory + twiddles + spills;
}

/// The cheapest products of butterflies for each divisor that is one.
const Factors& smooth(const Radices& radices, Index n, std::map<Index, Factors>& known) {
    const auto found = known.find(n);
    if (found != known.end()) return found->second;
    Factors best;
    best.cost = n == 1 ? 0 : HUGE_VAL;
    for (auto radix = radices.rbegin(); radix != radices.rend(); ++radix) {
        if (n % *radix != 0) continue;
        const Factors& rest = smooth(radices, n / *radix, known);
        const double cost = pass_cost(*radix) + rest.cost;
        if (cost >= best.cost - 1e-9) continue;
        best = rest;
        best.cost = cost;
        best.radices.push_back(*radix);
    }
    std::sort(best.radices.rbegin(), best.radices.rend());
    return known[n] = best;
}

}  // namespace

double butterfly_cost(int radix) { return operations(radix) / radix; }

/// The formula's operations, its loop, and copies.
double prime_cost(Index p) { return 0.6 * static_cast<double>(p) + 12; }

Index rough_part(const Radices& radices, Index n) {
    for (const int radix : radices) {
        while (n % radix == 0) n /= radix;
    }
    return n;
}

Factors factorize(const Radices& radices, Index n) {
    const Index left = rough_part(radices, n);
    std::map<Index, Factors> known;
    Factors result = smooth(radices, n / left, known);
    std::vector<Index> convolved;
    for (const Index p : prime_factors(left)) {
        if (prime_cost(p) <= convolution_cost(radices, p)) {
            result.radices.push_back(static_cast<int>(p));
            result.cost += prime_cost(p);
        } else {
            convolved.push_back(p);
        }
    }
    std::sort(result.radices.rbegin(), result.radices.rend());
    for (const Index p : convolved) result.rest *= p;
    if (result.rest > 1) result.cost += convolution_cost(radices, result.rest);
    return result;
}

bool ends_with_butterfly(const Radices& radices, const Factors& factors) {
    return factors.rest == 1 && !factors.radices.empty() &&
           std::binary_search(radices.begin(), radices.end(), factors.radices.back());
}

}  // namespace weft::core::native
