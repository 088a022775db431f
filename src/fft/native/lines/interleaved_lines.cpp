// Lines by the two passes of interleaved_passes.hpp.
#include <algorithm>

#include "base/index.hpp"
#include "fft/native/lines/rules.hpp"
#include "fft/native/tables/numbers.hpp"

namespace weft::core::native {

namespace {

template <class T>
const typename Kernels<T>::InterleavedFirst& first_passes(const LineCase<T>& one) {
    return one.from_lines() ? one.kernels.interleaved_first_of_lines
                            : one.kernels.interleaved_first_of_lanes;
}
template <class T>
const typename Kernels<T>::InterleavedLast& last_passes(const LineCase<T>& one) {
    return one.to_lines() ? one.kernels.interleaved_last_to_lines
                          : one.kernels.interleaved_last_to_lanes;
}

/// Whether the elements of a butterfly in adjacent lanes stay in the nearest cache until the rest
/// of their cache lines is used.
template <class T>
bool keeps_lanes(Index radix, Index step) {
    constexpr Index most = 8;
    return in_one_set(radix, step * 2 * static_cast<Index>(sizeof(T))) <= most;
}

/// What a radix of the first pass costs: arithmetic, twiddles (3 operations) included.
template <class T>
double cost(const LineCase<T>& one, int radix) {
    const Index n = one.length();
    if (n % radix != 0 || n / radix > largest_interleaved_radix) return HUGE_VAL;
    const int other = static_cast<int>(n / radix);
    if (first_passes(one)[usize(radix)] == nullptr) return HUGE_VAL;
    if (last_passes(one)[usize(other)] == nullptr) return HUGE_VAL;
    if (!one.from_lines() && !keeps_lanes<T>(radix, other * one.task.from_step)) return HUGE_VAL;
    if (!one.to_lines() && !keeps_lanes<T>(other, radix * one.task.to_step)) return HUGE_VAL;
    return butterfly_cost(radix) + butterfly_cost(other) + 3 - 3.0 / radix;
}

/// Whether contiguous lines are faster so than by vectors along the line (contiguous_lines.cpp).
/// These take lengths that 4 divides; with 16 registers their passes of radix 7 spill.
template <class T>
bool suits_contiguous(Index n, const Kernels<T>& kernels) {
    if (n % 4 != 0) return true;
    const bool few_registers = kernels.lanes * sizeof(T) <= 32;
    return few_registers && n % 7 == 0 && n % 64 != 0 && n <= 1000;
}

template <class T>
class InterleavedLines : public LineTile<T> {
  public:
    InterleavedLines(const LineCase<T>& one, int radix)
        : in_vector_(one.kernels.lanes / 2), together_in_cache_(vectors_together(one)) {
        this->together_ = in_vector_;
        passes_.sign = one.task.line.sign;
        passes_.rows = radix;
        passes_.columns = one.length() / radix;
        // Rows that are a power of two of bytes apart would meet in the same sets of a cache.
        passes_.stride = passes_.columns | 1;
        passes_.twiddles.reserve(usize(2 * one.length()));
        for (Index c = 0; c < passes_.columns; ++c) {
            for (Index e = 1; e < passes_.rows; ++e) {
                append(passes_.twiddles, turn(c * e, one.length()), passes_.sign);
            }
        }
        first_ = first_passes(one)[usize(radix)];
        last_ = last_passes(one)[usize(passes_.columns)];
        // Tiles hold lanes/2 lines in a vector: half of what Tile gives room for.
        tile_ = Tile<T>(one.kernels, (together_in_cache_ * passes_.rows * passes_.stride + 1) / 2);
    }

    void execute(const Lanes<const T>& from, const Lanes<T>& to) override {
        const Index vectors = from.lanes / in_vector_;
        for (Index v = 0; v < vectors; v += together_in_cache_) {
            const Index some = std::min(together_in_cache_, vectors - v);
            const Index line = v * in_vector_;
            first_(passes_, from.data + line * from.lane_step, from.step, from.lane_step, some,
                   tile_.data());
            last_(passes_, tile_.data(), some, to.data + line * to.lane_step, to.step,
                  to.lane_step);
        }
    }

  private:
    /// How many vectors of lines are worked on together: 128 bytes of adjacent lanes, since
    /// elements often meet in a few sets of the nearest cache. The tiles stay in the second one.
    static Index vectors_together(const LineCase<T>& one) {
        constexpr Index run_bytes = 128;
        constexpr Index most_bytes = 160 << 10;
        const Index vector_bytes = one.kernels.lanes * static_cast<Index>(sizeof(T));
        return std::max<Index>(
            std::min(run_bytes / vector_bytes, most_bytes / (one.length() * vector_bytes)), 1);
    }

    Index in_vector_;          ///< lines that share a vector
    Index together_in_cache_;  ///< vectors that are worked on together
    InterleavedPasses<T> passes_;
    typename Kernels<T>::InterleavedFirst::value_type first_ = nullptr;
    typename Kernels<T>::InterleavedLast::value_type last_ = nullptr;
    Tile<T> tile_;
};

}  // namespace

template <class T>
LinesOffer<T> interleaved_lines(const LineCase<T>& one) {
    const FftTask& task = one.task;
    const Index n = one.length();
    if (task.line.reproducible) return {reasons::reproducible};
    if (n > longest_tile) return {reasons::too_long};
    const bool contiguous = one.from_lines() && one.to_lines();
    if (contiguous && !suits_contiguous(n, one.kernels)) return {"vectors along lines are faster"};
    const Loop lanes = lane_loop(task, one.kernels.lanes);
    if ((!one.from_lines() && lanes.from != 1) || (!one.to_lines() && lanes.to != 1)) {
        return {"lanes are not adjacent"};
    }
    // Few lines are cut (long_lines.cpp), or copied.
    if (lanes.extent < one.kernels.lanes / 2) return {"lines fill no vector"};
    // Memory asks for more than 128 bytes at a time, and ahead.
    if (one.far()) return {reasons::far};
    constexpr Index number = 2 * static_cast<Index>(sizeof(T));
    if ((!one.from_lines() && meet_in_cache(task.from_step * number)) ||
        (!one.to_lines() && meet_in_cache(task.to_step * number))) {
        return {"elements of adjacent lanes meet in a few sets of the nearest cache"};
    }
    const bool single = n <= largest_radix && one.kernels.single[usize(n)] != nullptr;
    if (single && !one.from_lines() && !one.to_lines()) {
        return {"one butterfly in registers is faster"};
    }
    const int radix =
        cheapest_radix(largest_interleaved_radix, [&](int radix) { return cost(one, radix); });
    if (radix == 0) return {reasons::no_kernel};
    return offer<InterleavedLines<T>>(one, radix);
}

WEFT_LINES_RULE_FOR_ALL(interleaved_lines)

}  // namespace weft::core::native
