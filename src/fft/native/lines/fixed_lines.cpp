// Contiguous lines of a few lengths by the kernels of fixed_lines.hpp.
#include "fft/native/lines/rules.hpp"
#include "fft/native/tables/numbers.hpp"

namespace weft::core::native {

namespace {

template <class T>
class FixedLines : public LineTile<T> {
  public:
    FixedLines(const LineCase<T>& one, const FixedLinesKernel<T>* kernel)
        : kernel_(*kernel), sign_(one.task.line.sign), lanes_(one.kernels.lanes) {
        const auto [first, second, third] = kernel_.radices;
        const Index vectors = first * (second - 1) + first * second * (third - 1);
        twiddles_ = Tile<T>(one.kernels, vectors / (lanes_ / 2));
        T* table = twiddles_.data();
        put(first, second, table);
        put(Index{first} * second, third, table);
    }

    void execute(const Lanes<const T>& from, const Lanes<T>& to) override {
        kernel_.run(twiddles_.data(), from.data, from.lane_step, sign_, from.lanes, to.data,
                    to.lane_step);
    }

  private:
    /// The twiddles of a step of so large a radix, which so many frequencies come to: to `table`,
    /// which moves on.
    void put(Index frequencies, Index radix, T*& table) const {
        for (Index first = 0; first < frequencies; first += lanes_ / 2) {
            for (Index j = 1; j < radix; ++j, table += 2 * lanes_) {
                for (Index lane = 0; lane < lanes_; ++lane) {
                    const Index n = frequencies * radix;
                    const Turn w = turn(j * (first + lane / 2) % n, n);
                    const bool positive = (lane % 2 == 0) == (sign_ < 0);
                    table[lane] = static_cast<T>(w.cos);
                    table[lanes_ + lane] = static_cast<T>(positive ? w.sin : -w.sin);
                }
            }
        }
    }

    FixedLinesKernel<T> kernel_;
    int sign_;
    Index lanes_;
    Tile<T> twiddles_;
};

}  // namespace

template <class T>
LinesOffer<T> fixed_lines(const LineCase<T>& one) {
    if (one.task.line.reproducible) return {reasons::reproducible};
    if (!one.from_lines() || !one.to_lines()) return {reasons::not_contiguous};
    if (one.far()) return {reasons::far};
    for (const FixedLinesKernel<T>& kernel : one.kernels.fixed_lines) {
        if (kernel.length() == one.length()) return offer<FixedLines<T>>(one, &kernel);
    }
    return {reasons::no_kernel};
}

WEFT_LINES_RULE_FOR_ALL(fixed_lines)

}  // namespace weft::core::native
