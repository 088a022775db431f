// What it takes to use memory of other ranks of the node, on the host: counters that tell when, and
// bytes that lie in another core's cache.
//
// A rank looks at a counter of each rank whose region it uses, tells that one when it is done, and
// looks for the same of each rank that uses its own region: a cache line for each. Cores fetch several
// lines at once, so a line takes its bytes over the bandwidth inside the node, and only the first one
// the latency. Measured on two cores of an Intel Xeon server: 64 counters 0.53 us, 128 counters 1.0
// us, 8 ns a line.
//
// What another rank has just written is in its cache, where that holds it, and comes from there at
// the bandwidth inside the node. Measured there: 9 to 20 GB/s for 16 KiB to 1 MiB that the other core
// had written, 30 to 160 GB/s from the own cache; no difference from 4 MiB on.
//
// Example: a latency of 0.5 us and 5 GB/s. A rank that uses regions of 63 others, which use its own,
// waits for 0.5 us and 189 lines of 12.8 ns, 2.9 us.
#pragma once

#include "model/machine.hpp"

namespace weft::core {

/// Of a counter besides the first one.
inline double counter_line_seconds(const Machine& machine) {
    constexpr double line = 64;
    return line / machine.inside.bandwidth;
}

/// Until a rank has looked at the counters for a use of that many other ranks' regions, `used`, and
/// of its own by that many, `users`.
inline double counter_seconds(const Machine& machine, double used, double users) {
    if (used + users <= 0) return 0;
    return machine.inside.latency + (2 * used + users) * counter_line_seconds(machine);
}

/// What reading other ranks' caches adds to an operation of a pass over `whole` bytes, of which that
/// many are other ranks'. Beyond the cache they come from memory, as the own ones do.
inline double far_cache_seconds(const Machine& machine, double bytes, double whole) {
    return whole > machine.memory.cache ? 0 : bytes / machine.inside.bandwidth;
}

}  // namespace weft::core
