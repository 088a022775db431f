// The ranks of a communicator that are on one node.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <vector>

#include "base/no_copy.hpp"
#include "base/topology.hpp"
#include "weft/box.hpp"

namespace weft::core {

/// The ranks of one communicator that are on this rank's node. WEFT_RANKS_PER_NODE=N in the
/// environment of rank 0 takes at most N of a node for one, as if there were more nodes.
class NodeRanks : NoCopy {
  public:
    /// Collective over the communicator. Throws on all ranks or none.
    explicit NodeRanks(MPI_Comm comm);
    /// At most so many of a node; 0: all.
    NodeRanks(MPI_Comm comm, int most);
    ~NodeRanks();

    [[nodiscard]] MPI_Comm comm() const { return comm_; }
    [[nodiscard]] int size() const { return static_cast<int>(ranks_.size()); }
    [[nodiscard]] int rank() const { return rank_; }
    /// The number on this node of a rank of the communicator; none if it is on another node.
    [[nodiscard]] std::optional<int> place(int rank) const;
    /// The sum of the numbers of this node's ranks. Collective over the communicator.
    [[nodiscard]] Index sum(MPI_Comm comm, Index number) const;
    /// The nodes of all ranks of the communicator. Collective over it.
    [[nodiscard]] Topology topology(MPI_Comm comm) const;

  private:
    NodeRanks() = default;

    MPI_Comm comm_ = MPI_COMM_NULL;
    int rank_ = 0;
    std::vector<int> ranks_;  ///< ascending
};

class CommPool;
struct KnownNodes;
struct PooledGroup;

/// Of the ranks of a pool, found once and kept with it; at most so many of a node, the same number
/// on all ranks. Collective, but without communication once it is known.
const KnownNodes& known_nodes(PooledGroup& all, int most);
const KnownNodes& known_nodes(CommPool& pool, int most);
/// Collective: as the environment of rank 0 asks for.
std::shared_ptr<NodeRanks> node_ranks(PooledGroup& all);

}  // namespace weft::core
