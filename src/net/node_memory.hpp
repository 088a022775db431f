// Memory of each rank of a node that all of them have mapped.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <vector>

#include "memory/shared_memory.hpp"
#include "net/node_ranks.hpp"

namespace weft::core {

/// As long as a rank has it mapped, it is there, whoever else gives it up.
class NodeMemory {
  public:
    /// So many new bytes here. Collective over the communicator that the node is of; nothing on all
    /// ranks if some node's ranks cannot reach each other's memory, or if a rank's environment says
    /// WEFT_WINDOWS=mpi.
    static std::optional<NodeMemory> allocate(MPI_Comm all, const NodeRanks& node, Index bytes);
    /// The same of memory that a rank has already. Its address here is kept.
    static std::optional<NodeMemory> show(MPI_Comm all, const NodeRanks& node, std::byte* own,
                                          Index bytes);

    /// Where a rank's begins, by its place on the node; null if it has no bytes.
    [[nodiscard]] std::byte* of(int place) const { return begin_[static_cast<std::size_t>(place)]; }

  private:
    struct Free {
        void operator()(std::byte* data) const { free_shared(data); }
    };
    std::unique_ptr<std::byte, Free> own_;  ///< if it is not somebody else's
    std::vector<std::byte*> begin_;
    std::vector<SharedMapping> mappings_;
};

}  // namespace weft::core
