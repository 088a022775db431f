#include "fft/native/real_to_real/tables.hpp"

#include <stdexcept>

#include "fft/native/numbers.hpp"

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

template <class T>
void set(T* to, const Turn& turn, long double factor) {
    to[0] = static_cast<T>(factor * turn.cos);
    to[1] = static_cast<T>(factor * turn.sin);
}

}  // namespace

template <class T>
std::vector<HalvesTurn<T>> halves_turns(Index n) {
    std::vector<HalvesTurn<T>> result(static_cast<std::size_t>(n / 2 + 1));
    for (Index k = 0; 2 * k <= n; ++k) {
        HalvesTurn<T>& one = result[static_cast<std::size_t>(k)];
        set(one.even, turn(k, 4 * n), 1);
        set(one.odd, turn(5 * k, 4 * n), 1);
    }
    return result;
}

template <class T>
std::vector<OppositesTurn<T>> opposites_turns(Index n) {
    std::vector<OppositesTurn<T>> result(static_cast<std::size_t>(n / 2));
    for (Index j = 0; j < n / 2; ++j) {
        OppositesTurn<T>& one = result[static_cast<std::size_t>(j)];
        set(one.before, turn(4 * j + 1, 8 * n), 1);
        set(one.after, turn(j, 2 * n), 2);
    }
    return result;
}

template <class T>
std::vector<T> real_matrix(AxisKind kind, Index n) {
    std::vector<T> result;
    result.reserve(static_cast<std::size_t>(n * n));
    for (Index k = 0; k < n; ++k) {
        for (Index j = 0; j < n; ++j) {
            result.push_back(static_cast<T>(coefficient(kind, n, k, j)));
        }
    }
    return result;
}

template std::vector<HalvesTurn<float>> halves_turns(Index);
template std::vector<HalvesTurn<double>> halves_turns(Index);
template std::vector<OppositesTurn<float>> opposites_turns(Index);
template std::vector<OppositesTurn<double>> opposites_turns(Index);
template std::vector<float> real_matrix(AxisKind, Index);
template std::vector<double> real_matrix(AxisKind, Index);

}  // namespace weft::core::native
