// What decompositions move between ranks, side by side: the theory of [duy] Fig. 6, for any
// problem.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace weft::core {

/// The bytes that leave their rank in one direction of a plan; sent, not sent and received.
struct Traffic {
    std::string name;  ///< what was asked for, as `slab`
    int ranks = 1;
    std::string decomposition;             ///< complete
    std::vector<Index> redistributions{};  ///< of all ranks, redistribution by redistribution
    Index most_sent = 0;                   ///< by one rank, in all redistributions

    [[nodiscard]] Index total() const;
    /// What a rank sends on average.
    [[nodiscard]] double mean_sent() const;
};

/// Costs the number of ranks for each redistribution.
Traffic traffic(const Plan& plan, const std::string& name);

/// The plan with that decomposition; nothing if it does not fit the problem.
std::optional<Plan> plan_with(const Problem& problem, Choice choice,
                              const Decomposition& decomposition, int ranks);
/// Whether a layout that the planner chose, so none of a given end's, leaves a rank idle.
bool idles(const Plan& plan);

/// weft's own plan of a choice (model/default_plan.hpp), the least volume, and beside them slab,
/// pencil 1xP, the pencil nearest to square and row-wise, as far as they fit the problem and leave
/// no rank idle. Throws Error(bad_request) if the choice names a decomposition.
std::vector<Traffic> compared_traffic(const Plan& by_default, const Choice& choice);

/// One line for each, for readers.
std::string volume_table(const std::vector<Traffic>& rows);
/// One line for each and a header, for programs: bytes as integers, redistributions joined by +.
std::string volume_csv(const std::vector<Traffic>& rows);

}  // namespace weft::core
