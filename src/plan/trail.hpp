// A way through a graph of distributions, and how it may go on.
#pragma once

#include <vector>

#include "plan/graph.hpp"

namespace weft::core {

/// A way through the graph as far as it has come.
struct Trail {
    std::vector<int> nodes;
    std::vector<bool> done;  ///< one flag per array axis: transformed so far
};

/// The trail that begins at that node.
Trail start_trail(const Graph& graph, int node);
/// The trails that have not moved yet.
std::vector<Trail> start_trails(const Graph& graph);

/// Whether the trail may go on to that node.
bool may_extend(const Graph& graph, const Trail& trail, int to);
/// The axes done once it has.
std::vector<bool> done_after(const Graph& graph, const Trail& trail, int to);
void extend(Trail& trail, int to, std::vector<bool> done);

/// Whether everything is transformed and the array is where the output has to be.
bool at_goal(const Graph& graph, const Trail& trail);

}  // namespace weft::core
