// Memory that the ranks of a node share, over MPI-3's shared windows.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/topology.hpp"
#include "memory/buffer.hpp"
#include "net/mpi.hpp"
#include "net/net.hpp"

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

/// A window of each rank, and counters beside it: how often something was posted from it, and up to
/// which of those times each other rank has read it. Counters only grow, over all exchanges that
/// use the window, so nothing is ever reset. All ranks post from a window equally often.
class MpiWindow : public SharedWindow {
  public:
    /// Collective over the communicator that the node is of. Throws on all ranks or none.
    MpiWindow(MPI_Comm all, std::shared_ptr<NodeRanks> node, Index bytes);
    /// Collective over the communicator: memory of its owner alone.
    MpiWindow(MPI_Comm all, Index bytes);
    ~MpiWindow() override;

    [[nodiscard]] std::byte* of(int rank) const override;
    bool claim(bool block) override;
    [[nodiscard]] Index bytes() const { return bytes_; }
    [[nodiscard]] const NodeRanks& node() const { return *node_; }

    /// Collective over the node, when nobody uses it: as if it were new.
    void renew();
    /// Readers, by their place on the node, may read; the number of this time.
    std::uint64_t post(const std::vector<int>& readers);
    /// Whether that rank, by its place, has posted for the n-th time.
    [[nodiscard]] bool has_posted(int place, std::uint64_t time) const;
    /// This rank has read what that one posted.
    void release(int place, std::uint64_t time);
    /// Until done() is true, while MPI goes on with what else it has to do.
    template <class Done>
    void wait(const Done& done) const {
        for (int looks = 0; !done(); ++looks) {
            if (looks > patience) let_others_work(looks);
        }
    }

  private:
    static constexpr int patience = 4000;  ///< looks before the core may be needed by others

    void let_others_work(int looks) const;
    /// Counter 0 is of posts, 1 + i of what the reader at place i has read.
    [[nodiscard]] std::atomic_ref<std::uint64_t> counter(int place, int number) const;
    [[nodiscard]] Index header_bytes() const;

    std::shared_ptr<NodeRanks> node_;
    Index bytes_ = 0;
    MPI_Win window_ = MPI_WIN_NULL;
    Buffer own_;                           ///< instead, if it is not shared
    std::vector<std::byte*> begin_;        ///< by place, of the counters, which the memory follows
    std::vector<std::uint64_t> expected_;  ///< by place: what its reading count has to reach
    std::uint64_t posts_ = 0;
};

/// The window of that number which goes with the communicator, with room for so many bytes here.
/// Collective over it.
std::shared_ptr<MpiWindow> shared_window(GroupComm& all, int number, Index bytes);
/// One that only its owner reads. Collective.
std::shared_ptr<MpiWindow> private_window(GroupComm& all, Index bytes);

}  // namespace weft::core
