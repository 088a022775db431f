// Which rule transforms complex lines fastest, on processors where that was measured.
#include <algorithm>
#include <array>
#include <string_view>

#include "base/cost.hpp"
#include "fft/native/lines/rules.hpp"
#include "memory/processor.hpp"

namespace weft::core::native {

namespace {

/// How the lines of a batch lie.
enum Pattern { lines, lanes, crowded_lanes, lines_to_lanes, lanes_to_lines, patterns };
constexpr bool near = false;
constexpr bool far = true;
constexpr Precision f32 = Precision::f32;
constexpr Precision f64 = Precision::f64;

struct Row {
    std::string_view processor;  ///< `vendor_id`, `cpu family` of /proc/cpuinfo
    std::string_view vectors;    ///< those of the best kernels
    Precision precision;
    bool far;  ///< beyond the caches
    Pattern pattern;
    std::string_view letters;  ///< for each of measured_lengths()
};

constexpr std::array rows = {
#define WEFT_FASTEST(...) Row{__VA_ARGS__},
#include "fft/native/lines/fastest.def"
};

/// Lanes are crowded if all elements of a line meet in one set of the nearest cache.
Pattern pattern_of(const FftTask& task, Index element_bytes) {
    constexpr Index way_bytes = 4096;
    const bool from = task.from_step != 1;
    const bool to = task.to_step != 1;
    if (!from && !to) return lines;
    if (from && to) {
        return task.from_step * element_bytes % way_bytes == 0 ? crowded_lanes : lanes;
    }
    return from ? lanes_to_lines : lines_to_lanes;
}

/// Lines were measured without fields between their elements, and lanes adjacent.
template <class T>
bool was_measured_so(const LineCase<T>& one) {
    const Loop lanes = lane_loop(one.task, one.kernels.lanes);
    return field_lines(one).against != nullptr && (one.from_lines() || lanes.from == 1) &&
           (one.to_lines() || lanes.to == 1);
}

/// What was measured on this processor: letters by near or far and by pattern; empty if nothing.
using Measured = std::array<std::array<std::string_view, patterns>, 2>;

template <class T>
Measured measured_here() {
    Measured result = {};
    const std::string processor =
        about_processor("vendor_id") + " " + about_processor("cpu family");
    const Precision precision = sizeof(T) == 8 ? f64 : f32;
    for (const Row& row : rows) {
        if (row.processor != processor || row.precision != precision) continue;
        if (row.vectors != best_kernels<T>().target) continue;
        result[row.far ? 1 : 0][row.pattern] = row.letters;
    }
    return result;
}

}  // namespace

const std::vector<Index>& measured_lengths() {
    static const std::vector<Index> lengths = [] {
        std::vector<Index> result;
        for (Index n = 2; n <= longest_tile; ++n) {
            if (smooth(n)) result.push_back(n);
        }
        return result;
    }();
    return lengths;
}

template <class T>
char fastest(const LineCase<T>& one) {
    constexpr char preferred = '.';
    if (one.task.line.reproducible || &one.kernels != competing_kernels<T>().front()) {
        return preferred;
    }
    static const Measured measured = measured_here<T>();
    constexpr Index element_bytes = 2 * static_cast<Index>(sizeof(T));
    const std::string_view letters =
        measured[one.far() ? 1 : 0][pattern_of(one.task, element_bytes)];
    if (letters.empty() || are_few(one.task, one.kernels.lanes)) return preferred;
    const auto& lengths = measured_lengths();
    const auto found = std::lower_bound(lengths.begin(), lengths.end(), one.length());
    if (found == lengths.end() || *found != one.length()) return preferred;
    const char letter = letters[static_cast<std::size_t>(found - lengths.begin())];
    return letter != preferred && was_measured_so(one) ? letter : preferred;
}

template char fastest(const LineCase<float>&);
template char fastest(const LineCase<double>&);

}  // namespace weft::core::native
