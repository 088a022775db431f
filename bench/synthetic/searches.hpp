// The tuner and the yardsticks on a machine that they do not know, whose runs are noisy.
#pragma once

#include <string>
#include <vector>

#include "base/random.hpp"
#include "synthetic/plan_space.hpp"

namespace weft::bench {

/// What a search found.
struct Found {
    std::string choice;   ///< complete
    double seconds = 0;   ///< what it takes there, without noise
    int evaluations = 0;  ///< runs
    /// After each run, what the fastest so far by what was measured takes without noise.
    std::vector<double> so_far{};
};

/// The names of all searches, `tuner` first.
const std::vector<std::string>& searches();

/// Runs the search of that name, with so many evaluations at most, on machine `machine` of the
/// space, `hidden`. Each run takes what is forecast times 1 + noise times a normal number.
Found searched(const std::string& search, const Question& question, const PlanSpace& space,
               std::size_t machine, const core::Machine& hidden, int most, double noise,
               core::Random random);

}  // namespace weft::bench
