// Memory of each rank of a node that all of them have mapped.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <vector>

#include "base/index.hpp"
#include "memory/shared_memory.hpp"
#include "net/node_ranks.hpp"

namespace weft::core {

/// As long as a rank has it mapped, it is there, whoever else gives it up.
class NodeMemory {
  public:
    /// So many new bytes here. Collective over the communicator that the node is of; nothing on all
    /// ranks if the ranks of some node cannot see each other's memory, however little of it, or if
    /// a rank's environment says WEFT_WINDOWS=mpi. Throws Error(system) on all ranks if the limits
    /// of some rank leave no room.
    static std::optional<NodeMemory> allocate(MPI_Comm all, const NodeRanks& node, Index bytes);
    /// Memory that a rank has already. Its address here is kept. Nothing on all ranks if some rank
    /// cannot map it, for any reason.
    static std::optional<NodeMemory> expose(MPI_Comm all, const NodeRanks& node, std::byte* own,
                                            Index bytes);

    /// Where a rank's begins, by its place on the node; null if it has no bytes.
    [[nodiscard]] std::byte* of(int place) const { return begin_[usize(place)]; }

  private:
    /// Why a rank cannot map what all ranks of its node have; the larger one decides.
    enum Obstacle { none, hidden, no_room };

    /// Collective. Maps the pieces of all ranks of the node; the worst obstacle of any rank.
    Obstacle map(MPI_Comm all, const NodeRanks& node, const SharedPiece& piece, std::byte* own);

    struct Free {
        void operator()(std::byte* data) const { free_shared(data); }
    };
    std::unique_ptr<std::byte, Free> own_;  ///< if it is not somebody else's
    std::vector<std::byte*> begin_;
    std::vector<SharedMapping> mappings_;
};

}  // namespace weft::core
