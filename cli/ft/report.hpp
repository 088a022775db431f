// The FT benchmark prints its plan, checksums and rate by these.
#pragma once

#include <vector>

#include "ft/classes.hpp"
#include "weft/plan.hpp"

namespace weft::cli {

struct FtOutcome {
    std::vector<Complex> checksums;
    double seconds = 0;               ///< of the whole
    double initialising_seconds = 0;  ///< of its first part
};

/// Whether all checksums are right.
bool all_agree(const std::vector<Complex>& computed, std::span<const Complex> published);

void print_problem(const ProblemClass& problem, const Plan& plan);
void print_outcome(const ProblemClass& problem, const FtOutcome& outcome);
void print_json(const ProblemClass& problem, const Plan& plan, const FtOutcome& outcome);

}  // namespace weft::cli
