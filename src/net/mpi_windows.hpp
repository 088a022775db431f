// Memory that the ranks of a node share, over MPI-3's shared windows.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "base/topology.hpp"
#include "memory/buffer.hpp"
#include "net/counted_window.hpp"
#include "net/mpi.hpp"

namespace weft::core {

/// The ranks of one communicator that are on this rank's node. WEFT_RANKS_PER_NODE=N in the
/// environment of rank 0 takes at most N of a node for one, as if there were more nodes.
class NodeRanks {
  public:
    /// Collective over the communicator.
    explicit NodeRanks(MPI_Comm comm);
    /// Local: a rank as if it were alone on its node.
    static std::shared_ptr<NodeRanks> alone(int rank);
    ~NodeRanks();
    NodeRanks(const NodeRanks&) = delete;
    NodeRanks& operator=(const NodeRanks&) = delete;

    [[nodiscard]] MPI_Comm comm() const { return comm_; }
    [[nodiscard]] int size() const { return static_cast<int>(ranks_.size()); }
    [[nodiscard]] int rank() const { return rank_; }
    /// The place on the node of a rank of the communicator; -1: it is on another node.
    [[nodiscard]] int place(int rank) const;
    /// The nodes of all ranks of the communicator. Collective over it.
    [[nodiscard]] Topology topology(MPI_Comm comm) const;

  private:
    NodeRanks() = default;

    MPI_Comm comm_ = MPI_COMM_NULL;
    int rank_ = 0;
    std::vector<int> ranks_;  ///< ascending
};

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

    std::shared_ptr<NodeRanks> node_;
    Index bytes_ = 0;
    MPI_Win window_ = MPI_WIN_NULL;
    Buffer own_;  ///< instead, if it is not shared
};

/// The window of that number which goes with the communicator, with room for so many bytes here.
/// Collective over it.
std::shared_ptr<MpiWindow> shared_window(GroupComm& all, int number, Index bytes);
/// One that only its owner reads. Collective.
std::shared_ptr<MpiWindow> private_window(GroupComm& all, Index bytes);

}  // namespace weft::core
