// Tables of real-to-real transforms in a tile: where numbers are, and what they are multiplied by.
#pragma once

#include <vector>

#include "fft/native/real_to_real/kernels.hpp"
#include "fft/reduction.hpp"

namespace weft::core::native {

/// Where real element i is, of pairs in a tile.
inline Index number_at(const Rows& rows, Index i, Index lanes) {
    return rows.position(i / 2) * 2 * lanes + i % 2 * lanes;
}

/// Of every element of a line, where the DFT reads it; it reads every one once. Number i of the
/// DFT's real input is at number(i).
template <class T, class Number>
std::vector<RealPlace<T>> places_before(const Reduction& reduction, const Number& number) {
    std::vector<RealPlace<T>> result(reduction.before.size());
    for (std::size_t i = 0; i < result.size(); ++i) {
        const TwoTerms& terms = reduction.before[i];
        result[static_cast<std::size_t>(terms.first)] = {number(static_cast<Index>(i)),
                                                         static_cast<T>(terms.a)};
    }
    return result;
}

/// Of every element of a line, where the DFT leaves it.
template <class T, class Number>
std::vector<RealPlace<T>> places_after(const Reduction& reduction, const Number& number) {
    std::vector<RealPlace<T>> result;
    result.reserve(reduction.after.size());
    for (const TwoTerms& terms : reduction.after) {
        result.push_back({number(terms.first), static_cast<T>(terms.a)});
    }
    return result;
}

/// The complex elements that the DFT reads; k is at place(k), a SpectrumPlace.
template <class T, class Place>
std::vector<RealPair<T>> pairs_before(const Reduction& reduction, const Place& place) {
    std::vector<RealPair<T>> result;
    for (std::size_t i = 0; i < reduction.before.size(); i += 2) {
        const TwoTerms& re = reduction.before[i];
        const TwoTerms& im = reduction.before[i + 1];
        const SpectrumPlace<T> where = place(static_cast<Index>(i / 2));
        result.push_back({where.element, re.first, re.second, static_cast<T>(re.a),
                          static_cast<T>(re.b), where.sign * static_cast<T>(im.a),
                          where.sign * static_cast<T>(im.b)});
    }
    return result;
}

/// The complex elements that the DFT writes, with the one or two of the line that each is for.
template <class T, class Place>
std::vector<RealPair<T>> pairs_after(const Reduction& reduction, const Place& place) {
    std::vector<std::vector<Index>> results(reduction.after.size() + 1);  // of each complex element
    for (std::size_t k = 0; k < reduction.after.size(); ++k) {
        results[static_cast<std::size_t>(reduction.after[k].first / 2)].push_back(
            static_cast<Index>(k));
    }
    std::vector<RealPair<T>> pairs;
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (results[i].empty()) continue;
        const SpectrumPlace<T> where = place(static_cast<Index>(i));
        RealPair<T> pair = {where.element, results[i].front(), results[i].back()};
        const auto factors = [&](Index k, T& re, T& im) {
            const TwoTerms& terms = reduction.after[static_cast<std::size_t>(k)];
            (terms.first % 2 == 0 ? re : im) += static_cast<T>(terms.a);
            (terms.second % 2 == 0 ? re : im) += static_cast<T>(terms.b);
            im *= where.sign;
        };
        factors(pair.x, pair.a, pair.b);
        factors(pair.y, pair.c, pair.d);
        pairs.push_back(pair);
    }
    return pairs;
}

/// Of dct2 and dct3 of even n, but for the positions.
template <class T>
std::vector<HalvesTurn<T>> halves_turns(Index n);

/// Of dct4 and dst4 of even n, but for the positions.
template <class T>
std::vector<OppositesTurn<T>> opposites_turns(Index n);

/// Row by row.
template <class T>
std::vector<T> real_matrix(AxisKind kind, Index n);

}  // namespace weft::core::native
