// Memory that the ranks of a node share: each one's own, mapped by all others, or MPI-3's shared
// windows where the ranks of a node may not see each other's memory.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <utility>

#include "net/counted_region.hpp"
#include "net/mpi.hpp"
#include "net/node_memory.hpp"
#include "net/node_ranks.hpp"

namespace weft::core {

/// A region of each rank of a node in memory that they share.
class MpiRegion : public CountedRegion {
  public:
    /// Collective over the communicator that the node is of. Throws on all ranks or none.
    MpiRegion(MPI_Comm all, std::shared_ptr<NodeRanks> node, Index bytes);
    ~MpiRegion() override;

    [[nodiscard]] std::byte* of(int rank) const override;
    /// By place on the node.
    [[nodiscard]] std::byte* of_place(int place) const { return memory(place); }
    [[nodiscard]] Index bytes() const { return bytes_; }
    /// The first time it takes this rank's pages, so that planning does not wait for them.
    bool reclaim(bool block) override;
    [[nodiscard]] const NodeRanks& node() const { return *node_; }

    /// Collective over the communicator, when nobody uses it: as if it were new.
    void renew(MPI_Comm all);

  private:
    /// Local: without memory. The other constructor delegates to it, so that the destructor frees
    /// what there is if a later step throws.
    MpiRegion(std::shared_ptr<NodeRanks> node, Index bytes)
        : node_(std::move(node)), bytes_(bytes) {}

    /// MPI goes on with what else it has to do.
    void let_others_work(int looks) const override;
    [[nodiscard]] std::optional<int> place_of(int rank) const override {
        return node_->place(rank);
    }
    /// Collective.
    void take_memory_of_mpi(MPI_Comm all, Index room);
    /// Where MPI's window of that place of the node begins.
    [[nodiscard]] std::byte* begin_of_mpi(int place) const;

    std::shared_ptr<NodeRanks> node_;
    Index bytes_ = 0;
    bool taken_ = false;  ///< the pages, which may hold something then
    // One of the two.
    std::optional<NodeMemory> memory_;
    MPI_Win window_ = MPI_WIN_NULL;
};

/// Collective. Those of the pool, found once for each lease.
std::shared_ptr<NodeRanks> node_ranks(GroupComm& all);

/// The work region of that number which goes with the communicator, with room for so many bytes
/// here. Collective over it.
std::shared_ptr<MpiRegion> work_region(GroupComm& all, int number, Index bytes);
/// Frees those that no net uses. Collective.
void forget_work_regions(GroupComm& all);
/// The counters of the exposed array (the region on devices) of that number, which stay with the
/// communicator. Collective.
std::shared_ptr<MpiRegion> counters_of_array(GroupComm& all, int number);
std::shared_ptr<MpiRegion> counters_of_device_region(GroupComm& all, int number);

}  // namespace weft::core
