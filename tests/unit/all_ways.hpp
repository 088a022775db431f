// Small problems, and all ways through their graphs, tried one by one: what a search is compared
// with.
#pragma once

#include <optional>

#include "base/random.hpp"
#include "plan/objective.hpp"

namespace weft::core::test {

struct SmallCase {
    Problem problem;
    int ranks = 2;
};

/// c2c or r2c in two or three dimensions on 2 to 12 ranks, ends given or free. Axes have at least
/// three elements, so that halving one changes the shape.
SmallCase small_case(Random& random);

/// Without a constraint. The case must outlive the result.
Candidates candidates_of(const SmallCase& drawn, Scope scope);

/// Calls visit(graph) for all graphs that a search may look at.
template <class Visit>
void each_graph(const SmallCase& drawn, Scope scope, const Visit& visit) {
    const Candidates candidates = candidates_of(drawn, scope);
    for (const CandidateRound& round : candidates.rounds()) {
        for (const Family& family : candidates.families(round)) {
            if (const auto graph = candidates.graph(round, family)) visit(*graph);
        }
    }
}

/// The price of the best way; nothing if there is none. Where `better` is not an order, the best
/// depends on how ways are tried.
std::optional<Price> best_of_all_ways(const Graph& graph, const Objective& objective);

}  // namespace weft::core::test
