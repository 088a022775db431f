// The search for the best way through a graph of distributions.
#pragma once

#include <optional>
#include <vector>

#include "plan/graph.hpp"

namespace weft::core {

/// A way through the graph as far as the search has come.
struct Trail {
    std::vector<int> nodes;
    std::vector<bool> done;
    Index volume = 0;
};

/// The trail that begins at that node.
Trail start_trail(const Graph& graph, int node);
/// The axes done after a move to that node.
std::vector<bool> done_after(const Graph& graph, const Trail& trail, int to);
void extend(Trail& trail, int to, std::vector<bool> done, Index volume);

/// Whether a volume is so much less than another that it matters.
bool clearly_less(Index a, Index b);

/// Whether less moves, or as much in fewer exchanges.
bool moves_less(const Trail& a, const Trail& b);

/// Breadth first: all states reachable with 0, 1, 2, .. exchanges, each with its least volume;
/// nothing if no trail reaches the goal.
std::optional<Trail> fewest_exchanges(const Graph& graph);

/// Dijkstra: the trail that moves least, in however many exchanges; nothing if none reaches the
/// goal with `most` or less.
std::optional<Trail> least_volume(const Graph& graph, Index most);

}  // namespace weft::core
