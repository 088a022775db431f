#include "fft/cost.hpp"

#include <algorithm>
#include <cmath>

namespace weft::core {

namespace {

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

Rates rates(std::string_view engine) {
#define WEFT_ENGINE(name, fuses, wants_contiguous, measures, summary, ...) \
    if (engine == #name) return __VA_ARGS__;
#include "base/engines.def"
    return rates("reference");
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
