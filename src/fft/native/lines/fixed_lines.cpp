// Contiguous lines of a few lengths by the kernels of fixed_lines.hpp.
#include <algorithm>

#include "fft/native/lines/rules.hpp"
#include "fft/native/tables/numbers.hpp"

namespace weft::core::native {

namespace {

template <class T>
const FixedLinesKernel<T>* kernel(const LineCase<T>& one) {
    const auto& all = one.kernels.fixed_lines;
    const auto found = std::find_if(all.begin(), all.end(), [&](const FixedLinesKernel<T>& kernel) {
        return kernel.length() == one.length();
    });
    return found != all.end() ? &*found : nullptr;
}

template <class T>
class FixedLines : public Lines<T> {
  public:
    FixedLines(const FftTask& task, const Kernels<T>& kernels, const FixedLinesKernel<T>& kernel)
        : Lines<T>(task, kernels), kernel_(kernel) {
        const auto [first, second, third] = kernel.radices;
        const Index together = kernels.lanes / 2;
        const Index vectors = first * (second - 1) + first * second * (third - 1);
        twiddles_ = Tile<T>(kernels, vectors / together);
        T* table = twiddles_.data();
        put(first, second, table);
        put(Index{first} * second, third, table);
    }

  protected:
    void tile(const T* from, T* to, Index count) override {
        kernel_.run(twiddles_.data(), from, this->lane_.from, this->sign_, count, to,
                    this->lane_.to);
    }

  private:
    /// The twiddles of a step of so large a radix, which so many frequencies come to: to `table`,
    /// which moves on.
    void put(Index frequencies, Index radix, T*& table) const {
        const Index lanes = this->kernels_.lanes;
        for (Index first = 0; first < frequencies; first += lanes / 2) {
            for (Index j = 1; j < radix; ++j, table += 2 * lanes) {
                for (Index lane = 0; lane < lanes; ++lane) {
                    const Index n = frequencies * radix;
                    const Turn w = turn(j * (first + lane / 2) % n, n);
                    const bool positive = (lane % 2 == 0) == (this->sign_ < 0);
                    table[lane] = static_cast<T>(w.cos);
                    table[lanes + lane] = static_cast<T>(positive ? w.sin : -w.sin);
                }
            }
        }
    }

    FixedLinesKernel<T> kernel_;
    Tile<T> twiddles_;
};

}  // namespace

template <class T>
const char* why_not_fixed_lines(const LineCase<T>& one) {
    if (one.task.line.reproducible) return reasons::reproducible;
    if (!one.from_lines() || !one.to_lines()) return reasons::not_contiguous;
    if (one.far()) return reasons::far;
    return kernel(one) == nullptr ? reasons::no_kernel : nullptr;
}

template <class T>
std::unique_ptr<Lines<T>> make_fixed_lines(const LineCase<T>& one) {
    return std::make_unique<FixedLines<T>>(one.task, one.kernels, *kernel(one));
}

WEFT_LINES_RULE_FOR_ALL(fixed_lines)

}  // namespace weft::core::native
