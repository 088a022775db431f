// Copies of devices that are timed, and what their times say.
#pragma once

#include <algorithm>

#include "weft/box.hpp"

namespace weft::cli {

constexpr Index large = Index{1} << 24;  ///< bytes of a copy whose rate counts
constexpr Index small = 64;              ///< of one whose latency counts

/// Of a time that has another one in it. Times vary, so a tenth stays in any case.
inline double time_besides(double seconds, double part) {
    return std::max(seconds - part, 0.1 * seconds);
}

/// Bytes a second, besides what a copy of no bytes takes.
inline double bytes_a_second(Index bytes, double seconds, double latency) {
    return static_cast<double>(bytes) / time_besides(seconds, latency);
}

}  // namespace weft::cli
