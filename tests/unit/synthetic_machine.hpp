// Machines whose constants are drawn from ranges and hidden from whoever looks for a fast plan.
#pragma once

#include <cmath>

#include "base/random.hpp"
#include "model/machine.hpp"

namespace weft::core::test {

/// Between 0 and 1.
inline double uniform(Random& random) {
    return static_cast<double>(random.between(0, Index{1} << 30)) / static_cast<double>(1 << 30);
}
/// Uniform in the logarithm.
inline double log_uniform(Random& random, double low, double high) {
    return low * std::pow(high / low, uniform(random));
}
/// Of mean 0 and variance 1, nearly normal.
inline double normal(Random& random) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform(random);
    return sum;
}

/// As the described one, but: latency 0.2 to 2 us inside nodes and 1 to 20 us between, bandwidth 2
/// to 20 GB/s inside and 0.5 to 20 GB/s between, a node's injection 1 to 4 times that, copies 1 to
/// 16 GB/s, copies that permute 0.3 to 1 times as fast, engines 2 to 40 Gflop/s, each its own.
inline Machine drawn_machine(Machine machine, Random& random) {
    machine.inside = {log_uniform(random, 2e-7, 2e-6), log_uniform(random, 2e9, 2e10)};
    machine.between = {log_uniform(random, 1e-6, 2e-5), log_uniform(random, 5e8, 2e10)};
    machine.injection = log_uniform(random, 1, 4) * machine.between.bandwidth;
    machine.memory.copy_rate = log_uniform(random, 1e9, 1.6e10);
    machine.memory.pack_rate = machine.memory.copy_rate * log_uniform(random, 0.3, 1);
    for (auto& [name, rates] : machine.engines) rates.rate = log_uniform(random, 2e9, 4e10);
    return machine;
}

}  // namespace weft::core::test
