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
class LongLines : public Lines<T> {
  public:
    LongLines(const FftTask& task, const Kernels<T>& kernels, Index a)
        : Lines<T>(task, kernels), between_(task.line.length * 2 * Index{sizeof(T)}) {
        const Index n = task.line.length;
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
                const Turn w = turn(multiply_modulo(d, e, n), n);
                twiddles_.push_back(static_cast<T>(w.cos));
                twiddles_.push_back(static_cast<T>(task.line.sign * w.sin));
            }
        }
    }

  protected:
    [[nodiscard]] Index tile_lines() const override { return 1; }

    void tile(const T* from, T* to, Index /*count*/) override {
        T* between = reinterpret_cast<T*>(between_.data());
        first_->execute(from, between);
        for (std::size_t i = 0; i < twiddles_.size(); i += 2) {
            const T re = between[i];
            const T im = between[i + 1];
            between[i] = re * twiddles_[i] - im * twiddles_[i + 1];
            between[i + 1] = re * twiddles_[i + 1] + im * twiddles_[i];
        }
        second_->execute(between, to);
    }

  private:
    Buffer between_;
    std::unique_ptr<Lines<T>> first_;
    std::unique_ptr<Lines<T>> second_;
    std::vector<T> twiddles_;
};

/// That which lines are cut into; of reproducible ones it depends on the length alone.
template <class T>
Index factor(const LineCase<T>& one) {
    const Index lanes = one.kernels.lanes;
    return short_factor(one.length(), one.task.line.reproducible ? lanes : most_lines(one.task),
                        lanes);
}

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
const char* why_not_long_lines(const LineCase<T>& one) {
    return factor(one) > 1 ? nullptr : "lines are neither long nor few, or have no two factors";
}

template <class T>
std::unique_ptr<Lines<T>> make_long_lines(const LineCase<T>& one) {
    return std::make_unique<LongLines<T>>(one.task, one.kernels, factor(one));
}

WEFT_LINES_RULE_FOR_ALL(long_lines)

}  // namespace weft::core::native
