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
    /// One flag per array axis: transformed so far. Axes that grow are not, though they may be whole
    /// on the last node.
    std::vector<bool> done;
};

/// The trail that begins at that node.
Trail start_trail(const Graph& graph, int node);
/// The trails that have not moved yet.
std::vector<Trail> start_trails(const Graph& graph);

/// The growing axes that may wait, one flag per array axis, when the array goes on to that node.
std::vector<bool> waiting_for(const Graph& graph, const Node& next);
/// The axes done when the array leaves the trail's last node for that one: growing ones as well that
/// are not whole there.
std::vector<bool> done_before(const Graph& graph, const Trail& trail, int to);
/// Whether the trail may go on to that node.
bool may_extend(const Graph& graph, const Trail& trail, int to);
/// The axes done once it has, but those that may still wait.
std::vector<bool> done_after(const Graph& graph, const Trail& trail, int to);
void extend(Trail& trail, int to, std::vector<bool> done);

/// The axes done if the trail ends where it is: none waits.
std::vector<bool> done_at_end(const Graph& graph, const Trail& trail);
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
