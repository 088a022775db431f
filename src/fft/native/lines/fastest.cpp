// Which rule transforms complex lines fastest, on processors where that was measured; on others, what
// this process has learned.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/cost.hpp"
#include "base/variables.hpp"
#include "fft/native/lines/learn.hpp"
#include "fft/native/lines/rules.hpp"

namespace weft::core::native {

namespace {

constexpr bool near = false;
constexpr bool far = true;
constexpr Precision f32 = Precision::f32;
constexpr Precision f64 = Precision::f64;

struct Row {
    std::string_view processor;  ///< processor_key()
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

Pattern pattern_of(const FftTask& task, Index element_bytes) {
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

constexpr char preferred = '.';
template <class T>
constexpr Precision precision_of = sizeof(T) == 8 ? f64 : f32;

bool is_of_here(const Row& row) {
    return row.processor == processor_here() && row.vectors == best_kernels<double>().target;
}

/// What was measured on this processor: letters by near or far and by pattern; empty if nothing.
using Measured = std::array<std::array<std::string_view, patterns>, 2>;

template <class T>
Measured measured_here() {
    Measured result = {};
    for (const Row& row : rows) {
        if (!is_of_here(row) || row.precision != precision_of<T>) continue;
        result[row.far ? 1 : 0][row.pattern] = row.letters;
    }
    return result;
}

/// The letter that was measured for such lines; of lengths beside the measured ones '.'.
template <class T>
char letter_of(const LineCase<T>& one) {
    constexpr Index element_bytes = 2 * static_cast<Index>(sizeof(T));
    const Pattern pattern = pattern_of(one.task, element_bytes);
    if (!is_measured_processor()) {
        if (one.far()) return preferred;
        return learned({precision_of<T>, pattern, one.length()}).value_or(preferred);
    }
    static const Measured measured = measured_here<T>();
    const std::string_view letters = measured[one.far() ? 1 : 0][pattern];
    const auto& lengths = measured_lengths();
    const auto found = std::lower_bound(lengths.begin(), lengths.end(), one.length());
    if (letters.empty() || found == lengths.end() || *found != one.length()) return preferred;
    return letters[static_cast<std::size_t>(found - lengths.begin())];
}

}  // namespace

std::string processor_key(const ProcessorId& id) {
    std::string key = fmt::format("{} {}", id.vendor, id.family);
    if (key != "GenuineIntel 6") return key;
    constexpr int sapphire_rapids = 143;
    constexpr int emerald_rapids = 207;
    return fmt::format("{} {}", key, id.model == sapphire_rapids ? emerald_rapids : id.model);
}

const std::string& processor_here() {
    static const std::string name =
        variable("WEFT_PROCESSOR").value_or(processor_key(processor_id()));
    return name;
}

bool is_measured_processor() {
    static const bool measured = std::any_of(rows.begin(), rows.end(), is_of_here);
    return measured;
}

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
    if (one.task.line.reproducible || &one.kernels != competing_kernels<T>().front() ||
        are_few(one.task, one.kernels.lanes)) {
        return preferred;
    }
    const char letter = letter_of(one);
    return letter != preferred && was_measured_so(one) ? letter : preferred;
}

template char fastest(const LineCase<float>&);
template char fastest(const LineCase<double>&);

}  // namespace weft::core::native
