// Memory that the ranks of a node share: each one's own, mapped by all others, or else MPI-3's
// shared windows.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>

#include "memory/buffer.hpp"
#include "net/counted_window.hpp"
#include "net/mpi.hpp"
#include "net/node_memory.hpp"
#include "net/node_ranks.hpp"

namespace weft::core {

/// The windows of a node's ranks in memory that they share.
class MpiWindow : public CountedWindow {
  public:
    /// Collective over the communicator that the node is of. Throws on all ranks or none.
    MpiWindow(MPI_Comm all, std::shared_ptr<NodeRanks> node, Index bytes);
    /// Collective over the communicator: memory of its owner alone.
    MpiWindow(MPI_Comm all, Index bytes);
    ~MpiWindow() override;

    [[nodiscard]] std::byte* of(int rank) const override;
    [[nodiscard]] Index bytes() const { return bytes_; }
    [[nodiscard]] const NodeRanks& node() const { return *node_; }

    /// Collective over the node, when nobody uses it: as if it were new.
    void renew();

  private:
    /// MPI goes on with what else it has to do.
    void let_others_work(int looks) const override;
    /// Collective. False if some node's ranks cannot map each other's memory.
    bool take_own_memory(MPI_Comm all, Index room);
    void take_memory_of_mpi(MPI_Comm all, Index room);

    std::shared_ptr<NodeRanks> node_;
    Index bytes_ = 0;
    // One of the three.
    std::optional<NodeMemory> memory_;
    MPI_Win window_ = MPI_WIN_NULL;
    Buffer own_;  ///< not shared
};

/// Collective. Those of a caller's ranks, kept with their communicator.
std::shared_ptr<NodeRanks> node_ranks(GroupComm& all);

/// The window of that number which goes with the communicator, with room for so many bytes here.
/// Collective over it.
std::shared_ptr<MpiWindow> shared_window(GroupComm& all, int number, Index bytes);
/// One that only its owner reads. Collective.
std::shared_ptr<MpiWindow> private_window(GroupComm& all, Index bytes);

}  // namespace weft::core
