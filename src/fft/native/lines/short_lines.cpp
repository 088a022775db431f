// Lines that are contiguous or adjacent lanes and so short that a kernel holds them whole.
#include "base/index.hpp"
#include "fft/native/lines/rules.hpp"

namespace weft::core::native {

namespace {

template <class T>
typename Kernels<T>::ShortLines kernel(const LineCase<T>& one) {
    const Kernels<T>& k = one.kernels;
    const auto& to_lines = one.from_lines() ? k.short_lines : k.short_lanes_to_lines;
    const auto& to_lanes = one.from_lines() ? k.short_lines_to_lanes : k.short_lanes;
    const auto& by_length = one.to_lines() ? to_lines : to_lanes;
    return one.length() > longest_short_line ? nullptr : by_length[usize(one.length())];
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
class ShortLines : public LineTile<T> {
  public:
    ShortLines(const LineCase<T>& one, typename Kernels<T>::ShortLines kernel)
        : kernel_(kernel),
          sign_(one.task.line.sign),
          from_lanes_(!one.from_lines()),
          to_lanes_(!one.to_lines()) {
        this->together_ = one.kernels.lanes / 2;
    }

    void execute(const Lanes<const T>& from, const Lanes<T>& to) override {
        kernel_(from.data, from_lanes_ ? from.step : from.lane_step, sign_,
                from.lanes / this->together_, to.data, to_lanes_ ? to.step : to.lane_step);
    }

  private:
    typename Kernels<T>::ShortLines kernel_;
    int sign_;
    bool from_lanes_;  ///< lines are adjacent lanes, else contiguous
    bool to_lanes_;
};

}  // namespace

template <class T>
LinesOffer<T> short_lines(const LineCase<T>& one) {
    if (one.task.line.reproducible) return {reasons::reproducible};
    const auto found = kernel(one);
    if (found == nullptr) return {reasons::no_kernel};
    if (const char* const against = against_lanes(one)) return {against};
    return offer<ShortLines<T>>(one, found);
}

WEFT_LINES_RULE_FOR_ALL(short_lines)

}  // namespace weft::core::native
