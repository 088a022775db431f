// Which ranks share a node, and so can read each other's memory.
#pragma once

#include <utility>
#include <vector>

#include "base/index.hpp"

namespace weft::core {

/// The node of every rank; the same on all ranks.
class Topology {
  public:
    /// All ranks are on one node.
    Topology() = default;
    /// `node_of[rank]`: any number that the ranks of a node have in common.
    explicit Topology(std::vector<int> node_of) : node_of_(std::move(node_of)) {}
    /// So many adjacent ranks on each node; 0: all of them.
    Topology(int ranks, int ranks_per_node) {
        for (int rank = 0; ranks_per_node > 0 && rank < ranks; ++rank) {
            node_of_.push_back(rank / ranks_per_node);
        }
    }

    [[nodiscard]] bool same_node(int a, int b) const {
        return node_of_.empty() || node_of_[usize(a)] == node_of_[usize(b)];
    }
    /// A number that the ranks of a node have in common.
    [[nodiscard]] int node_of(int rank) const {
        return node_of_.empty() ? 0 : node_of_[usize(rank)];
    }
    [[nodiscard]] bool one_node() const {
        for (const int node : node_of_) {
            if (node != node_of_.front()) return false;
        }
        return true;
    }
    /// How many of these ranks each node has, for every node that has some.
    [[nodiscard]] std::vector<int> sizes(const std::vector<int>& ranks) const;
    /// How many of that many ranks the node has that has most; 1 if there are none.
    [[nodiscard]] int most_on_a_node(int ranks) const;
    /// The most of that many ranks that follow each other on a node; 1 if there are none. Example:
    /// nodes 0 0 1 1 are 2, nodes 0 1 0 1 are 1.
    [[nodiscard]] int adjacent_on_a_node(int ranks) const;

  private:
    std::vector<int> node_of_;  ///< empty: they are on one
};

/// The most ranks of a node where no MPI tells: WEFT_RANKS_PER_NODE if that is set, otherwise 64,
/// the cores of common nodes. Adjacent ranks share a node.
inline constexpr int usual_ranks_per_node = 64;
Topology assumed_topology(int ranks);

}  // namespace weft::core
