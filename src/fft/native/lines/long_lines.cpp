// Lines that are long, or few: cut into many short ones.
//
// n = a b, j = b c + d (c < a, d < b), k = e + a f (e < a, f < b):
//     X[e + a f] = sum_d exp(s 2 pi i d f / b) exp(s 2 pi i d e / n)
//                  sum_c exp(s 2 pi i c e / a) x[b c + d]
// b transforms of length a on lines that lie side by side, twiddles, a transforms of length b that
// are written side by side: tiles are full, and short enough for the caches.
#include <algorithm>

#include "fft/native/lines/rules.hpp"
#include "fft/native/tables/numbers.hpp"

namespace weft::core::native {

namespace {

/// The divisor of n next to its square root, from below.
Index middle_divisor(Index n) {
    Index best = 1;
    for (Index a = 1; a * a <= n; ++a) {
        if (n % a == 0) best = a;
    }
    return best;
}

template <class T>
class LongLines : public LineTile<T> {
  public:
    LongLines(const LineCase<T>& one, Index a) : between_(one.length() * 2 * Index{sizeof(T)}) {
        this->most_ = 1;
        const FftTask& task = one.task;
        const Kernels<T>& kernels = one.kernels;
        const Index n = one.length();
        const Index b = n / a;
        // As loops of the line alone.
        const auto of_length = [&](Index length) {
            LineTransform line = task.line;
            line.length = length;
            return line;
        };
        first_ = make_lines<T>({.line = of_length(a),
                                .from_step = b * task.from_step,
                                .to_step = b,
                                .looped = {{b, task.from_step, 1}},
                                .caches = {.far_from = task.caches.far_from}},
                               kernels);
        second_ = make_lines<T>({.line = of_length(b),
                                 .to_step = a * task.to_step,
                                 .looped = {{a, b, task.to_step}},
                                 .caches = {.stream = task.caches.stream}},
                                kernels);
        twiddles_.reserve(static_cast<std::size_t>(2 * n));
        for (Index e = 0; e < a; ++e) {
            for (Index d = 0; d < b; ++d) {
                append(twiddles_, turn(multiply_modulo(d, e, n), n), task.line.sign);
            }
        }
    }

    void execute(const Lanes<const T>& from, const Lanes<T>& to) override {
        T* between = reinterpret_cast<T*>(between_.data());
        first_->execute(from.data, between);
        for (std::size_t i = 0; i < twiddles_.size(); i += 2) {
            const T re = between[i];
            const T im = between[i + 1];
            between[i] = re * twiddles_[i] - im * twiddles_[i + 1];
            between[i + 1] = re * twiddles_[i + 1] + im * twiddles_[i];
        }
        second_->execute(between, to.data);
    }

  private:
    Buffer between_;
    std::unique_ptr<Lines<T>> first_;
    std::unique_ptr<Lines<T>> second_;
    std::vector<T> twiddles_;
};

}  // namespace

Index short_factor(Index n, Index lines, Index lanes) {
    const bool is_long = n > longest_tile;
    const bool few = 2 * lines <= lanes;
    if (!is_long && !few) return 1;
    const Index a = middle_divisor(n);
    // Both parts have to fill tiles, or nothing is won.
    return a >= lanes ? a : 1;
}

template <class T>
LinesOffer<T> long_lines(const LineCase<T>& one) {
    // Of reproducible lines, what they are cut into depends on the length alone.
    const Index lanes = one.kernels.lanes;
    const Index lines = one.task.line.reproducible ? lanes : most_lines(one.task);
    const Index factor = short_factor(one.length(), lines, lanes);
    if (factor == 1) return {"lines are neither long nor few, or have no two factors"};
    return offer<LongLines<T>>(one, factor);
}

WEFT_LINES_RULE_FOR_ALL(long_lines)

}  // namespace weft::core::native
