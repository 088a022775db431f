// The search for the best way through one graph of distributions, by any objective.
#pragma once

#include <optional>
#include <vector>

#include "plan/graph.hpp"
#include "plan/objective.hpp"

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

/// A way from the input to the output.
struct Found {
    Trail trail;
    Price price;
};

/// Dijkstra's algorithm with steps of whole grades: all trails of the first grade are settled
/// together, and unless one of them is at the goal, all are extended. Where grades are numbers of
/// exchanges that is a search breadth first.
///
/// Of trails to one state (a node, and the axes done) the one that precedes the others is kept. Of
/// those that nothing tells apart it is the one whose turn is first: turns follow the order of the
/// graph's nodes, and a trail that is preferred to another of its grade takes that one's turn.
///
/// The result is exact in grades. In preferences it is where they are an order that sums keep.
/// Nothing if no way precedes `to_beat` (null: if there is no way).
std::optional<Found> search(const Graph& graph, const Objective& objective, const Price* to_beat);

}  // namespace weft::core
