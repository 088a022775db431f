#include "fft/cost.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace weft::core {

namespace {

/// Good enough anywhere to tell tasks that threads should share from those that are too short; not
/// to compare plans on another machine. Of one core of a Cascade Lake server at 2.5 GHz with
/// AVX-512, as `weft engines` measures them, arrays of 2^14 and of 2^21 elements.
constexpr std::array<std::pair<std::string_view, Rates>, 4> table = {{
    // lines, lanes, permuting (cached and beyond), rough, single, start
    {"native", {{11, 5}, {19, 5}, {13, 5}, 0.3, 1.6, 1e-7}},
    {"fftw", {{13, 6}, {6, 2.2}, {9, 3}, 0.13, 1.4, 1e-7}},
    {"mkl", {{17, 6}, {10, 2.7}, {10, 3.5}, 0.22, 1.7, 2e-7}},
    {"reference", {{0.07, 0.05}, {0.07, 0.04}, {0.07, 0.04}, 0.13, 1, 1e-6}},
}};

/// Bytes of a core's own cache.
constexpr double cache = 1 << 20;

bool smooth(Index n) {
    for (const Index p : {2, 3, 5, 7}) {
        while (n > 1 && n % p == 0) n /= p;
    }
    return n <= 1;
}

double elements(const FftTask& task) {
    double result = 1;
    for (const Loop& axis : task.axes()) result *= static_cast<double>(axis.extent);
    for (const Loop& loop : task.looped) result *= static_cast<double>(loop.extent);
    return result;
}

/// Of the transforms along one axis.
double axis_flops(const FftTask& task, const Loop& axis) {
    const double each = task.line.kind == Kind::c2c ? 5 : 2.5;
    return each * elements(task) * std::log2(std::max(2.0, static_cast<double>(axis.extent)));
}

/// Of source and destination, as if both were complex where one is.
bool fits_cache(const FftTask& task) {
    const double element = task.line.precision == Precision::f64 ? 16 : 8;
    const double sides = task.in_place ? 1 : 2;
    return elements(task) * element * sides <= cache;
}

}  // namespace

Pattern pattern_of(const Loop& axis) {
    if (axis.extent == 1 || (axis.from == 1 && axis.to == 1)) return Pattern::lines;
    return axis.from == 1 || axis.to == 1 ? Pattern::permuting : Pattern::lanes;
}

std::string_view to_string(Pattern pattern) {
    switch (pattern) {
        case Pattern::lines:
            return "lines";
        case Pattern::lanes:
            return "lanes";
        case Pattern::permuting:
            break;
    }
    return "permuting";
}

double flops(const FftTask& task) {
    double result = 0;
    for (const Loop& axis : task.axes()) result += axis_flops(task, axis);
    return result;
}

const Rates& rates(std::string_view engine) {
    const auto* entry = std::find_if(table.begin(), table.end(),
                                     [&](const auto& row) { return row.first == engine; });
    return entry == table.end() ? table.back().second : entry->second;
}

double seconds(const FftTask& task, const Rates& rates) {
    const std::array<Rates::Rate, 3> by_pattern = {rates.lines, rates.lanes, rates.permuting};
    const bool cached = fits_cache(task);
    double result = rates.start;
    for (const Loop& axis : task.axes()) {
        const Rates::Rate& rate = by_pattern[static_cast<std::size_t>(pattern_of(axis))];
        double gflops = cached ? rate.cached : rate.beyond;
        if (!smooth(axis.extent)) gflops *= rates.rough;
        if (task.line.precision == Precision::f32) gflops *= rates.single;
        result += 1e-9 * axis_flops(task, axis) / gflops;
    }
    return result;
}

}  // namespace weft::core
