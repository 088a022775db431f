// Figures of a machine from what was measured on it.
//
// Measured times scatter, and a machine's tables have to be in order: a larger message takes no
// less time, a larger group of ranks is no faster. Where measured values go against that they are
// replaced by their mean.
//
// Example: messages of 8, 64 and 512 bytes took 1.2, 1.0 and 1.6 us. The link's table says 1.1, 1.1
// and 1.6 us, its latency is 1.1 us, its bandwidth 512 bytes in 0.5 us: 1.02e9 bytes a second.
#pragma once

#include "model/machine.hpp"

namespace weft::core {

/// The table nearest to the given one, by least squares, whose entries do not descend.
Table ascending(Table table);

/// Of seconds of a message by its bytes: at least two sizes, ascending.
Link fitted_link(const Table& seconds);

/// The factors of the first times over the second ones, by bytes: tables of the same sizes. None is
/// beyond what a machine's file may say.
Table fitted_collective(const Table& collective, const Table& one_by_one);

/// Of seconds of a message of so many bytes by the messages that are under way at the same time,
/// ascending: how much longer its bytes take than with the first number of messages, on nodes which
/// each have so many ranks that send. By least squares of the logarithms; nothing if they take no
/// longer.
std::optional<Congestion> fitted_congestion(const Table& seconds, const Machine& machine,
                                            double bytes, int node_ranks);

/// Of seconds of a copy by the bytes that it reads and writes together, ascending, the last ones
/// far beyond any cache; and of one that permutes, of as many bytes as the last one. The cache
/// holds what is copied at a rate nearer to the best one than to the last one.
MemoryRates fitted_memory(const Table& copies, double permuting_seconds);

}  // namespace weft::core
