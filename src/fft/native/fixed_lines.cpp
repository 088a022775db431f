// Contiguous lines of a few lengths by the kernels of fixed_lines.hpp.
#include <algorithm>

#include "fft/native/lines.hpp"
#include "fft/native/numbers.hpp"

namespace weft::core::native {

namespace {

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
std::unique_ptr<Lines<T>> make_fixed_lines(const FftTask& task, const Kernels<T>& kernels) {
    if (task.line.kind != Kind::c2c || task.from_step != 1 || task.to_step != 1) return nullptr;
    // Other kernels ask for memory that is far away before it is needed.
    if (task.caches.far_from || task.caches.far_to || task.caches.stream) return nullptr;
    const auto kernel =
        std::find_if(kernels.fixed_lines.begin(), kernels.fixed_lines.end(),
                     [&](const auto& one) { return one.length() == task.line.length; });
    if (kernel == kernels.fixed_lines.end()) return nullptr;
    return std::make_unique<FixedLines<T>>(task, kernels, *kernel);
}

template std::unique_ptr<Lines<float>> make_fixed_lines(const FftTask&, const Kernels<float>&);
template std::unique_ptr<Lines<double>> make_fixed_lines(const FftTask&, const Kernels<double>&);

}  // namespace weft::core::native
