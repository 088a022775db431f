// Tables of real-to-real transforms in a tile: where numbers are, and what they are multiplied by.
#include <stdexcept>

#include "base/index.hpp"
#include "fft/native/real_to_real/transform.hpp"
#include "fft/native/tables/numbers.hpp"
#include "fft/reduction.hpp"

namespace weft::core::native {

namespace {

/// cos(pi numerator / denominator), and the sine.
long double cosine(Index numerator, Index denominator) {
    return turn(numerator % (2 * denominator), 2 * denominator).cos;
}
long double sine(Index numerator, Index denominator) {
    return turn(numerator % (2 * denominator), 2 * denominator).sin;
}

/// What x[j] is multiplied by in X[k]; docs/kinds.md has the table.
long double coefficient(AxisKind kind, Index n, Index k, Index j) {
    const auto at_end = [](Index i) { return i % 2 == 0 ? 1.0L : -1.0L; };
    switch (kind) {
        case AxisKind::dct1:
            if (j == 0) return 1;
            return j == n - 1 ? at_end(k) : 2 * cosine(j * k, n - 1);
        case AxisKind::dct2:
            return 2 * cosine((2 * j + 1) * k, 2 * n);
        case AxisKind::dct3:
            return j == 0 ? 1 : 2 * cosine(j * (2 * k + 1), 2 * n);
        case AxisKind::dct4:
            return 2 * cosine((2 * j + 1) * (2 * k + 1), 4 * n);
        case AxisKind::dst1:
            return 2 * sine((j + 1) * (k + 1), n + 1);
        case AxisKind::dst2:
            return 2 * sine((2 * j + 1) * (k + 1), 2 * n);
        case AxisKind::dst3:
            return j == n - 1 ? at_end(k) : 2 * sine((j + 1) * (2 * k + 1), 2 * n);
        case AxisKind::dst4:
            return 2 * sine((2 * j + 1) * (2 * k + 1), 4 * n);
        default:
            break;
    }
    throw std::logic_error("a real-to-real transform without a kind");
}

/// Of every element of a line, where the DFT reads it, or leaves it; it reads every one once. Its
/// real elements are pairs in rows.
template <class T>
std::vector<RealPlace<T>> places_of(const std::vector<TwoTerms>& terms, bool before,
                                    const Rows& rows, Index lanes) {
    std::vector<RealPlace<T>> result(terms.size());
    for (std::size_t k = 0; k < terms.size(); ++k) {
        const Index element = before ? terms[k].first : static_cast<Index>(k);
        const Index i = before ? static_cast<Index>(k) : terms[k].first;
        result[usize(element)] = {(rows.position(i / 2) * 2 + i % 2) * lanes,
                                  static_cast<T>(terms[k].a)};
    }
    return result;
}

/// The complex elements that the DFT reads; k is at place(k), a SpectrumPlace.
template <class T, class PlaceOf>
std::vector<RealPair<T>> pairs_before(const Reduction& reduction, const PlaceOf& place) {
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
template <class T, class PlaceOf>
std::vector<RealPair<T>> pairs_after(const Reduction& reduction, const PlaceOf& place) {
    std::vector<std::vector<Index>> results(reduction.after.size() + 1);  // of each complex element
    for (std::size_t k = 0; k < reduction.after.size(); ++k) {
        results[usize(reduction.after[k].first / 2)].push_back(static_cast<Index>(k));
    }
    std::vector<RealPair<T>> pairs;
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (results[i].empty()) continue;
        const SpectrumPlace<T> where = place(static_cast<Index>(i));
        RealPair<T> pair = {where.element, results[i].front(), results[i].back()};
        const auto factors = [&](Index k, T& re, T& im) {
            const TwoTerms& terms = reduction.after[usize(k)];
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

template <class T>
void set(T* to, const Turn& turn, long double factor) {
    to[0] = static_cast<T>(factor * turn.cos);
    to[1] = static_cast<T>(factor * turn.sin);
}

/// Of dct2 and dct3 of even n, but for the positions.
template <class T>
std::vector<TwoTurns<T>> halves_turns(Index n) {
    std::vector<TwoTurns<T>> result(usize(n / 2 + 1));
    for (Index k = 0; 2 * k <= n; ++k) {
        set(result[usize(k)].first, turn(k, 4 * n), 1);
        set(result[usize(k)].second, turn(5 * k, 4 * n), 1);
    }
    return result;
}

/// Of dct4 and dst4 of even n, for a DFT that expects its elements in these rows.
template <class T>
std::vector<TwoTurns<T>> opposites_turns(Index n, const Rows& rows) {
    std::vector<TwoTurns<T>> result(usize(n / 2));
    for (Index j = 0; j < n / 2; ++j) {
        set(result[usize(j)].first, turn(4 * j + 1, 8 * n), 1);
        set(result[usize(j)].second, turn(j, 2 * n), 2);
        result[usize(j)].position = rows.position(j);
    }
    return result;
}

}  // namespace

template <class T>
Reduced<T> make_reduced(const Kernels<T>& kernels, AxisKind kind, Index n, Index tiles) {
    const Reduction reduction = reduction_of(kind, n, Precision::f64);
    const LineTransform& line = reduction.dft;
    const bool complex = line.kind == Kind::c2c;
    // A complex DFT is that of as many pairs of real elements.
    Reduced<T> result = {complex ? make_real_dft(kernels, 2 * line.length, Kind::r2c, tiles)
                                 : make_real_dft(kernels, line.length, line.kind, tiles)};
    const RealDft<T>& dft = *result.dft;
    const Rows& rows = dft.source_rows();
    const bool even = n % 2 == 0;
    const bool sine = kind == AxisKind::dst2 || kind == AxisKind::dst3 || kind == AxisKind::dst4;
    const bool first = kind == AxisKind::dct1 || kind == AxisKind::dst1;
    const auto place = [&](Index k) {
        return complex ? SpectrumPlace<T>{k, 1} : dft.places()[usize(k)];
    };
    if (even && complex && !first) {
        result.before = {Step::opposites, sine, {}, {}, opposites_turns<T>(n, rows)};
        result.after = result.before;
        return result;
    }
    if (line.kind == Kind::r2c) {
        result.before = {.places =
                             places_of<T>(reduction.before, true, dft.pairs(), kernels.lanes)};
    } else if (even && !first) {
        // The backward transform is the forward one of Z[(h-k) mod h].
        result.before = {Step::halves, sine, {}, {}, halves_turns<T>(n)};
        for (Index k = 0; 2 * k <= n / 2; ++k) {
            result.before.turns[usize(k)].position = rows.position((n / 2 - k) % (n / 2));
            result.before.turns[usize(k)].opposite_position = rows.position(k);
        }
    } else {
        const auto read = [&](Index k) {
            return complex ? SpectrumPlace<T>{rows.position(k), 1} : place(k);
        };
        result.before = {.step = Step::pairs, .pairs = pairs_before<T>(reduction, read)};
    }
    if (line.kind == Kind::c2r) {
        result.after = {.places = places_of<T>(reduction.after, false, dft.pairs(), kernels.lanes)};
    } else if (even && !first) {
        result.after = {Step::halves, sine, {}, {}, halves_turns<T>(n)};
    } else {
        result.after = {.step = Step::pairs, .pairs = pairs_after<T>(reduction, place)};
    }
    return result;
}

template <class T>
std::vector<T> real_matrix(AxisKind kind, Index n) {
    std::vector<T> result;
    result.reserve(usize(n * n));
    for (Index k = 0; k < n; ++k) {
        for (Index j = 0; j < n; ++j) {
            result.push_back(static_cast<T>(coefficient(kind, n, k, j)));
        }
    }
    return result;
}

template Reduced<float> make_reduced(const Kernels<float>&, AxisKind, Index, Index);
template Reduced<double> make_reduced(const Kernels<double>&, AxisKind, Index, Index);
template std::vector<float> real_matrix(AxisKind, Index);
template std::vector<double> real_matrix(AxisKind, Index);

}  // namespace weft::core::native
