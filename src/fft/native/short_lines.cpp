// Lines that are contiguous on both sides and so short that a kernel holds them whole.
#include <algorithm>

#include "fft/native/lines.hpp"

namespace weft::core::native {

namespace {

template <class T>
class ShortLines : public Lines<T> {
  public:
    ShortLines(const FftTask& task, const Kernels<T>& kernels)
        : Lines<T>(task, kernels),
          kernel_(kernels.short_lines[static_cast<std::size_t>(task.line.length)]),
          several_(kernels.lanes / 2),
          rest_(kernels, task.line.length) {
        this->stream_ = false;  // contiguous lines would rarely be aligned
        std::fill_n(rest_.data(), several_ * 2 * this->n_, T(0));
    }

  protected:
    [[nodiscard]] Index tile_lines() const override {
        return std::max<Index>(this->lane_.extent, 1);
    }

    void tile(const T* from, T* to, Index count) override {
        const Index tiles = count / several_;
        const Index whole = tiles * several_;
        kernel_(from, this->lane_.from, this->sign_, tiles, to, this->lane_.to);
        if (whole == count) return;
        const Index length = 2 * this->n_;
        for (Index line = whole; line < count; ++line) {
            std::copy_n(from + line * this->lane_.from, length, rest_line(line - whole));
        }
        kernel_(rest_.data(), length, this->sign_, 1, rest_.data(), length);
        for (Index line = whole; line < count; ++line) {
            std::copy_n(rest_line(line - whole), length, to + line * this->lane_.to);
        }
    }

  private:
    [[nodiscard]] T* rest_line(Index line) const { return rest_.data() + line * 2 * this->n_; }

    typename Kernels<T>::ShortLines kernel_;
    Index several_;  ///< lines that the kernel takes at a time
    Tile<T> rest_;   ///< lines that are fewer
};

}  // namespace

template <class T>
std::unique_ptr<Lines<T>> make_short_lines(const FftTask& task, const Kernels<T>& kernels) {
    if (task.line.kind != Kind::c2c || task.from_step != 1 || task.to_step != 1) return nullptr;
    const Index n = task.line.length;
    if (n > longest_short_line || kernels.short_lines[static_cast<std::size_t>(n)] == nullptr) {
        return nullptr;
    }
    return std::make_unique<ShortLines<T>>(task, kernels);
}

template std::unique_ptr<Lines<float>> make_short_lines(const FftTask&, const Kernels<float>&);
template std::unique_ptr<Lines<double>> make_short_lines(const FftTask&, const Kernels<double>&);

}  // namespace weft::core::native
