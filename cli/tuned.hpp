// What `weft tune` has found, for readers and for programs.
#pragma once

#include <string>
#include <vector>

#include "api/tune.hpp"

namespace weft::cli {

/// One run, as it was told.
struct TunedRun {
    double left = 0;  ///< seconds; infinite without a limit
    double seconds = 0;
    double predicted = 0;
    std::string choice;
    std::string failed;  ///< why; empty: it has not
};

/// What the fastest choice takes, and how it was found.
std::string tune_verdict(const TunedPlan& found);
/// The verdict, the plan, how it was found and all runs.
std::string tune_text(const TunedPlan& found, const std::vector<TunedRun>& runs);
/// The verdict, the plan, how it was found and all runs, as one JSON document.
std::string tune_json(const TunedPlan& found, const std::vector<TunedRun>& runs);

}  // namespace weft::cli
