// Machines that a tuner does not know: drawn from ranges, which have nothing to do with the
// machine's description that the tuner starts from.
#pragma once

#include <nlohmann/json.hpp>

#include "base/random.hpp"
#include "model/machine.hpp"

namespace weft::bench {

/// Between 0 and 1, neither of them.
double uniform(core::Random& random);
/// Of mean 0 and variance 1.
double normal(core::Random& random);

/// A machine with so many ranks on a node. Uniform in the logarithm, each figure by itself:
///
///     latency       inside a node 0.1 to 5 us, between nodes 0.5 to 50 us
///     bandwidth     inside 1 to 50 GB/s, between 0.1 to 25 GB/s a rank
///     injection     1 to as many times `between` as ranks are on a node
///     congestion    1 for 2 messages, 1 to 3 if all ranks exchange with one another
///     copies        1 to 20 GB/s, those that permute 0.2 to 1 times as fast, in a cache of 0.25 to
///                   16 MiB 1 to 4 times as fast
///     transforms    each engine 1 to 40 Gflop/s, 0.1 to 1 times that for rough lengths, 1 to 2.5
///                   times in single precision
///
/// The engines are those of `described`.
core::Machine hidden_machine(const core::Machine& described, int ranks, int ranks_per_node,
                             core::Random& random);

/// The ranges, for records.
nlohmann::ordered_json hidden_ranges();

}  // namespace weft::bench
