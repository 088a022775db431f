// Lines that are contiguous or adjacent lanes and so short that a kernel holds them whole.
#include <algorithm>

#include "fft/native/lines/copy_numbers.hpp"
#include "fft/native/lines/rules.hpp"

namespace weft::core::native {

namespace {

template <class T>
typename Kernels<T>::ShortLines kernel(const FftTask& task, const Kernels<T>& kernels) {
    const bool from = task.from_step != 1;
    const bool to = task.to_step != 1;
    const auto& by_length = from ? to ? kernels.short_lanes : kernels.short_lanes_to_lines
                            : to ? kernels.short_lines_to_lanes
                                 : kernels.short_lines;
    const Index n = task.line.length;
    return n > longest_short_line ? nullptr : by_length[static_cast<std::size_t>(n)];
}

/// What is against kernels that go to and fro in adjacent lanes half a cache line at a time or less:
/// they are slow to or from memory, and where a cache line leaves the nearest cache before the rest
/// of it is used.
template <class T>
const char* against_lanes(const LineCase<T>& one) {
    const FftTask& task = one.task;
    const bool from = !one.from_lines();
    const bool to = !one.to_lines();
    if (!from && !to) return nullptr;
    const Loop lanes = lane_loop(task, one.kernels.lanes);
    if ((from && lanes.from != 1) || (to && lanes.to != 1)) return "lanes are not adjacent";
    // Lines that fill no vector are copied.
    if (lanes.extent < 2 * one.kernels.lanes) return "lines fill less than two vectors";
    if (one.far()) return reasons::far;
    constexpr Index most_read = 16;
    constexpr Index most_written = 8;
    constexpr Index number = 2 * static_cast<Index>(sizeof(T));
    const bool meet = (from && in_one_set(one.length(), task.from_step * number) > most_read) ||
                      (to && in_one_set(one.length(), task.to_step * number) > most_written);
    return meet ? "elements of adjacent lanes meet in one set of the nearest cache" : nullptr;
}

template <class T>
class ShortLines : public Lines<T> {
  public:
    ShortLines(const FftTask& task, const Kernels<T>& kernels)
        : Lines<T>(task, kernels),
          kernel_(kernel(task, kernels)),
          several_(kernels.lanes / 2),
          from_lanes_(task.from_step != 1),
          to_lanes_(task.to_step != 1),
          rest_(kernels, task.line.length),
          rest_results_(kernels, task.line.length) {
        this->stream_ = false;  // lines would rarely be aligned
        std::fill_n(rest_.data(), several_ * 2 * this->n_, T(0));
    }

  protected:
    void tile(const T* from, T* to, Index count) override {
        const Index whole = count - count % several_;
        kernel_(from, from_lanes_ ? this->line_.from : this->lane_.from, this->sign_,
                whole / several_, to, to_lanes_ ? this->line_.to : this->lane_.to);
        if (whole < count) {
            rest(from + whole * this->lane_.from, to + whole * this->lane_.to, count - whole);
        }
    }

  private:
    /// Lines that are fewer than the kernel takes, in a copy.
    void rest(const T* from, T* to, Index count) {
        const Index n = this->n_;
        const Loop lanes = {n, 2 * several_, 2};  // from element to element, from line to line
        const Loop lines = {n, 2, 2 * n};
        const Loop in = from_lanes_ ? lanes : lines;
        const Loop out = to_lanes_ ? lanes : lines;
        copy_numbers(from, rest_.data(), {n, this->line_.from, in.from},
                     {count, this->lane_.from, in.to});
        kernel_(rest_.data(), from_lanes_ ? in.from : in.to, this->sign_, 1, rest_results_.data(),
                to_lanes_ ? out.from : out.to);
        copy_numbers(rest_results_.data(), to, {n, out.from, this->line_.to},
                     {count, out.to, this->lane_.to});
    }

    typename Kernels<T>::ShortLines kernel_;
    Index several_;    ///< lines that the kernel takes at a time
    bool from_lanes_;  ///< lines are adjacent lanes, else contiguous
    bool to_lanes_;
    Tile<T> rest_;  ///< lines that are fewer
    Tile<T> rest_results_;
};

}  // namespace

template <class T>
const char* why_not_short_lines(const LineCase<T>& one) {
    if (one.task.line.reproducible) return reasons::reproducible;
    if (kernel(one.task, one.kernels) == nullptr) return reasons::no_kernel;
    return against_lanes(one);
}

template <class T>
std::unique_ptr<Lines<T>> make_short_lines(const LineCase<T>& one) {
    return std::make_unique<ShortLines<T>>(one.task, one.kernels);
}

WEFT_LINES_RULE_FOR_ALL(short_lines)

}  // namespace weft::core::native
