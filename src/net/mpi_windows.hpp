// Memory that the ranks of a node share, over MPI-3's shared windows.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "net/counted_window.hpp"
#include "net/mpi.hpp"

namespace weft::core {

/// The ranks of one communicator that are on this rank's node.
class NodeRanks {
  public:
    /// Collective over the communicator.
    explicit NodeRanks(MPI_Comm comm);
    ~NodeRanks();
    NodeRanks(const NodeRanks&) = delete;
    NodeRanks& operator=(const NodeRanks&) = delete;

    [[nodiscard]] MPI_Comm comm() const { return comm_; }
    [[nodiscard]] int size() const { return static_cast<int>(ranks_.size()); }
    [[nodiscard]] int rank() const { return rank_; }
    /// The place on the node of a rank of the communicator; -1: it is on another node.
    [[nodiscard]] int place(int rank) const;

  private:
    MPI_Comm comm_ = MPI_COMM_NULL;
    int rank_ = 0;
    std::vector<int> ranks_;  ///< ascending
};

/// Collective. Those of a caller's ranks, kept with their communicator.
std::shared_ptr<NodeRanks> node_ranks(GroupComm& all);

/// The windows of a node's ranks in memory that they share.
class MpiWindow : public CountedWindow {
  public:
    /// Collective over the communicator that the node is of. Throws on all ranks or none.
    MpiWindow(MPI_Comm all, std::shared_ptr<NodeRanks> node, Index bytes);
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
};

/// The window of that number which goes with the communicator, with room for so many bytes here.
/// Collective over it.
std::shared_ptr<MpiWindow> shared_window(GroupComm& all, int number, Index bytes);

}  // namespace weft::core
