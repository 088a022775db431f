// Lines by the two passes of interleaved_passes.hpp.
#include <algorithm>

#include "fft/native/lines/copy_numbers.hpp"
#include "fft/native/lines/rules.hpp"
#include "fft/native/tables/numbers.hpp"

namespace weft::core::native {

namespace {

/// A line's sides.
struct Sides {
    bool from_lanes = true;  ///< adjacent lanes, else contiguous lines
    bool to_lanes = true;
};

template <class T>
Sides sides_of(const LineCase<T>& one) {
    return {!one.from_lines(), !one.to_lines()};
}

template <class T>
const typename Kernels<T>::InterleavedFirst& first_passes(const Kernels<T>& kernels, Sides sides) {
    return sides.from_lanes ? kernels.interleaved_first_of_lanes
                            : kernels.interleaved_first_of_lines;
}
template <class T>
const typename Kernels<T>::InterleavedLast& last_passes(const Kernels<T>& kernels, Sides sides) {
    return sides.to_lanes ? kernels.interleaved_last_to_lanes : kernels.interleaved_last_to_lines;
}

/// Whether the elements of a butterfly in adjacent lanes stay in the nearest cache until the rest
/// of their cache lines is used.
template <class T>
bool keeps_lanes(Index radix, Index step) {
    constexpr Index most = 8;
    return in_one_set(radix, step * 2 * static_cast<Index>(sizeof(T))) <= most;
}

/// The radix of the first pass, or 0: of least arithmetic, twiddles (3 operations) included.
template <class T>
int first_radix(const FftTask& task, const Kernels<T>& kernels, Sides sides) {
    const auto& first = first_passes(kernels, sides);
    const auto& last = last_passes(kernels, sides);
    const Index n = task.line.length;
    int best = 0;
    double least = 0;
    for (int radix = 2; radix <= largest_interleaved_radix; ++radix) {
        if (n % radix != 0 || n / radix > largest_interleaved_radix) continue;
        const int other = static_cast<int>(n / radix);
        if (first[static_cast<std::size_t>(radix)] == nullptr) continue;
        if (last[static_cast<std::size_t>(other)] == nullptr) continue;
        if (sides.from_lanes && !keeps_lanes<T>(radix, other * task.from_step)) continue;
        if (sides.to_lanes && !keeps_lanes<T>(other, radix * task.to_step)) continue;
        const double cost = butterfly_cost(radix) + butterfly_cost(other) + 3 - 3.0 / radix;
        if (best != 0 && cost >= least) continue;
        best = radix;
        least = cost;
    }
    return best;
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
class InterleavedLines : public Lines<T> {
  public:
    InterleavedLines(const FftTask& task, const Kernels<T>& kernels, Sides sides, int radix)
        : Lines<T>(task, kernels), sides_(sides), in_vector_(kernels.lanes / 2) {
        passes_.sign = task.line.sign;
        passes_.rows = radix;
        passes_.columns = this->n_ / radix;
        // Rows that are a power of two of bytes apart would meet in the same sets of a cache.
        passes_.stride = passes_.columns | 1;
        fill_twiddles();
        first_ = first_passes(kernels, sides)[static_cast<std::size_t>(radix)];
        last_ = last_passes(kernels, sides)[static_cast<std::size_t>(passes_.columns)];
        first_of_rest_ = kernels.interleaved_first_of_lanes[static_cast<std::size_t>(radix)];
        last_of_rest_ =
            kernels.interleaved_last_to_lanes[static_cast<std::size_t>(passes_.columns)];
        together_ = vectors_together();
        // Tiles hold lanes/2 lines in a vector: half of what Tile gives room for.
        tile_ = Tile<T>(kernels, (together_ * passes_.rows * passes_.stride + 1) / 2);
        rest_ = Tile<T>(kernels, (this->n_ + 1) / 2);
        std::fill_n(rest_.data(), this->n_ * kernels.lanes, T(0));
    }

  protected:
    void tile(const T* from, T* to, Index count) override {
        const Index vectors = count / in_vector_;
        for (Index v = 0; v < vectors; v += together_) {
            transform(from, to, v * in_vector_, std::min(together_, vectors - v));
        }
        const Index whole = vectors * in_vector_;
        if (whole == count) return;
        if (whole > 0 && from != to) {
            // Lines that were transformed already fill the last vector, unless they replaced their
            // inputs.
            transform(from, to, count - in_vector_, 1);
        } else {
            rest(from + whole * this->lane_.from, to + whole * this->lane_.to, count - whole);
        }
    }

  private:
    /// How many vectors of lines are worked on together: 128 bytes of adjacent lanes, since
    /// elements often meet in a few sets of the nearest cache. The tiles stay in the second one.
    [[nodiscard]] Index vectors_together() const {
        constexpr Index run_bytes = 128;
        constexpr Index most_bytes = 160 << 10;
        const Index vector_bytes = this->kernels_.lanes * static_cast<Index>(sizeof(T));
        return std::max<Index>(
            std::min(run_bytes / vector_bytes, most_bytes / (this->n_ * vector_bytes)), 1);
    }

    void fill_twiddles() {
        passes_.twiddles.reserve(static_cast<std::size_t>(2 * this->n_));
        for (Index c = 0; c < passes_.columns; ++c) {
            for (Index e = 1; e < passes_.rows; ++e) {
                const Turn w = turn(c * e, this->n_);
                passes_.twiddles.push_back(static_cast<T>(w.cos));
                passes_.twiddles.push_back(static_cast<T>(passes_.sign < 0 ? -w.sin : w.sin));
            }
        }
    }

    void transform(const T* from, T* to, Index line, Index vectors) {
        first_(passes_, from + line * this->lane_.from, this->line_.from, this->lane_.from, vectors,
               tile_.data());
        last_(passes_, tile_.data(), vectors, to + line * this->lane_.to, this->line_.to,
              this->lane_.to);
    }

    /// Lines that fill no vector, in a copy.
    void rest(const T* from, T* to, Index count) {
        const Index n = this->n_;
        const Index step = 2 * in_vector_;
        copy_numbers(from, rest_.data(), {n, this->line_.from, step}, {count, this->lane_.from, 2});
        first_of_rest_(passes_, rest_.data(), step, 2, 1, tile_.data());
        last_of_rest_(passes_, tile_.data(), 1, rest_.data(), step, 2);
        copy_numbers(rest_.data(), to, {n, step, this->line_.to}, {count, 2, this->lane_.to});
    }

    Sides sides_;
    Index in_vector_;     ///< lines that share a vector
    Index together_ = 1;  ///< vectors that are worked on together
    InterleavedPasses<T> passes_;
    typename Kernels<T>::InterleavedFirst::value_type first_ = nullptr;
    typename Kernels<T>::InterleavedLast::value_type last_ = nullptr;
    typename Kernels<T>::InterleavedFirst::value_type first_of_rest_ = nullptr;
    typename Kernels<T>::InterleavedLast::value_type last_of_rest_ = nullptr;
    Tile<T> tile_;
    Tile<T> rest_;  ///< lines that fill no vector
};

}  // namespace

template <class T>
const char* why_not_interleaved_lines(const LineCase<T>& one) {
    const FftTask& task = one.task;
    const Index n = one.length();
    if (task.line.reproducible) return reasons::reproducible;
    if (n > longest_tile) return reasons::too_long;
    const Sides sides = sides_of(one);
    const bool contiguous = !sides.from_lanes && !sides.to_lanes;
    if (contiguous && !suits_contiguous(n, one.kernels)) return "vectors along lines are faster";
    const Loop lanes = lane_loop(task, one.kernels.lanes);
    if ((sides.from_lanes && lanes.from != 1) || (sides.to_lanes && lanes.to != 1)) {
        return "lanes are not adjacent";
    }
    // Few lines are cut (long_lines.cpp), or copied.
    if (lanes.extent < one.kernels.lanes / 2) return "lines fill no vector";
    // Memory asks for more than 128 bytes at a time, and ahead.
    if (one.far()) return reasons::far;
    constexpr Index number = 2 * static_cast<Index>(sizeof(T));
    if ((sides.from_lanes && meet_in_cache(task.from_step * number)) ||
        (sides.to_lanes && meet_in_cache(task.to_step * number))) {
        return "elements of adjacent lanes meet in a few sets of the nearest cache";
    }
    const bool single =
        n <= largest_radix && one.kernels.single[static_cast<std::size_t>(n)] != nullptr;
    if (single && sides.from_lanes && sides.to_lanes) return "one butterfly in registers is faster";
    return first_radix(task, one.kernels, sides) == 0 ? reasons::no_kernel : nullptr;
}

template <class T>
std::unique_ptr<Lines<T>> make_interleaved_lines(const LineCase<T>& one) {
    const Sides sides = sides_of(one);
    const int radix = first_radix(one.task, one.kernels, sides);
    return std::make_unique<InterleavedLines<T>>(one.task, one.kernels, sides, radix);
}

WEFT_LINES_RULE_FOR_ALL(interleaved_lines)

}  // namespace weft::core::native
