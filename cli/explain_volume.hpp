// weft explain --volume: what decompositions move, for a list of rank counts.
#pragma once

#include <string>
#include <vector>

#include "model/machine.hpp"
#include "plan/plan.hpp"

namespace weft::cli {

struct VolumeOptions {
    std::vector<int> ranks;  ///< empty: 2, 4, .. 4096
    std::string csv;         ///< a file of numbers, or nothing
    bool json = false;       ///< a JSON document instead of the table
};

/// Prints the table, and writes the files that are asked for.
void explain_volume(const core::PlanRequest& request, const core::Machine& machine,
                    const VolumeOptions& options);

}  // namespace weft::cli
