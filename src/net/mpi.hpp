// Exchanges over MPI.
#pragma once

#include <mpi.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/no_copy.hpp"
#include "base/topology.hpp"
#include "base/transports.hpp"
#include "net/net.hpp"

namespace weft::core {

/// What is kept beside a communicator by name: made by all of its ranks together, freed by all
/// together with the communicator (or not at all, if MPI is finalised before). To look for a name
/// takes no memory.
using Kept = std::map<std::string, std::shared_ptr<void>, std::less<>>;

class NodeRanks;

/// Which ranks share a node, once that has been found: both on all ranks or neither.
struct KnownNodes {
    std::shared_ptr<NodeRanks> ranks;
    std::shared_ptr<const Topology> topology;
};

/// The communicators of a group that all leases of a pool share.
struct PooledGroup {
    /// For messages, which the lease's tag tells apart, and for what is agreed on when a plan is
    /// bound.
    MPI_Comm comm = MPI_COMM_NULL;
    /// For the collective calls of exchanges that are entered in turn (Channel::start_waits), so in
    /// one order on all ranks; null until there is one.
    MPI_Comm in_turn = MPI_COMM_NULL;
    Kept kept{};
    /// Of all ranks, by the most of a node that count as one; 0: all.
    std::map<int, KnownNodes> nodes{};
    /// Of all ranks, once measured (net/shared_cache): on all of them or none.
    std::optional<Index> shared_cache{};
};

/// A group as one lease has it.
struct GroupComm {
    MPI_Comm comm = MPI_COMM_NULL;  ///< that of `pooled`
    PooledGroup* pooled = nullptr;
    int first = 0;    ///< the group's lowest rank
    Kept kept{};      ///< of this lease and of those that have it later
    int windows = 0;  ///< those of `kept` that channels of the present lease use
};

/// Those of one lease by the group's key; `all` is the group of all ranks.
using Communicators = std::map<std::string, GroupComm>;

/// What weft has made of a caller's communicator: a duplicate whose errors return, and what is
/// split off it. It goes with the communicator as an attribute, is shared by all plans and
/// transforms of it, and stays as long as one of these. MPI has only some thousands of
/// communicators (MPICH 2048), so transforms take none of their own where a tag tells their
/// messages apart. Plans keep it, so a program may free its communicator before them.
class CommPool;

/// Where the pool of a communicator is to be found.
struct PoolPlace {
    std::shared_ptr<CommPool> pool;           ///< null: there is none yet
    std::shared_ptr<CommPool>* at = nullptr;  ///< where it will be
};
/// Local. Either all ranks find a pool or none does.
PoolPlace pool_place(MPI_Comm comm);

/// Collective. The pool of a communicator; of `base_comm(pool)` the pool itself.
std::shared_ptr<CommPool> pool_of(MPI_Comm comm);
/// The same, after all ranks have found its place: no communication where there is one.
std::shared_ptr<CommPool> pool_of(MPI_Comm comm, const PoolPlace& place);
/// Has MPI_Finalize call that function first of all, while messages can still be sent and
/// communicators freed, with `argument` as its third: attributes of MPI_COMM_SELF are deleted then.
void call_in_finalize(MPI_Comm_delete_attr_function* function, void* argument);

/// The duplicate of all ranks, which returns errors.
MPI_Comm base_comm(const CommPool& pool);

/// A transform's share of a pool, until it is destroyed: a tag, and memory and windows that are
/// kept for the next one. Taking a lease is collective; giving it back is local, so a destructor or
/// a garbage collector may do it.
class Lease : NoCopy {
  public:
    explicit Lease(std::shared_ptr<CommPool> pool);
    ~Lease();

    [[nodiscard]] Communicators& communicators() const;
    /// MPI tag, equal on all ranks and unique among the leases of the pool.
    [[nodiscard]] int tag() const { return static_cast<int>(index_); }
    /// Collective. Makes the group known to the lease.
    void join(const Group& group, int rank) const;

  private:
    std::shared_ptr<CommPool> pool_;
    std::size_t index_ = 0;
};

class Device;
class ProgressThread;

/// One rank's end over MPI.
class MpiNet : public Net {
  public:
    /// Collective, as are join, share and expose: each throws on all ranks or none.
    /// `device`: on which all ranks compute, for what is sent from its memory without MPI, and for
    /// regions, which lie there.
    explicit MpiNet(std::shared_ptr<CommPool> pool, Device* device = nullptr);
    explicit MpiNet(MPI_Comm comm, Device* device = nullptr) : MpiNet(pool_of(comm), device) {}
    ~MpiNet() override;

    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int ranks() const override { return ranks_; }
    [[nodiscard]] MPI_Comm whole() const { return lease_.communicators().at("all").comm; }
    /// Collective. One of all ranks that no other net uses.
    [[nodiscard]] MPI_Comm own_whole();
    void join(const Group& group) override;
    void share(const std::vector<Index>& bytes) override;
    SharedRegion& region(int number) override;
    SharedRegion* expose(std::byte* array, Index bytes) override;
    std::unique_ptr<Channel> open(const ExchangeTask& task,
                                  const std::optional<ExchangeBuffers>& fixed) override;
    void all_or_none(FunctionRef<void()> work) override;
    /// Throws Error(not_available) unless MPI may be called by several threads.
    void assist(bool assisted) override;

  private:
    Lease lease_;
    Device* device_;
    std::vector<std::shared_ptr<SharedRegion>> regions_;  ///< on the device, if there is one
    std::vector<std::unique_ptr<SharedRegion>> exposed_;
    int rank_ = 0;
    int ranks_ = 1;
    int channels_ = 0;
    std::unique_ptr<ProgressThread> helper_;  ///< once there was need of it
};

/// What a channel is made of on this rank.
struct Ends {
    GroupComm& group;
    GroupComm& all;  ///< of all ranks
    /// The only buffers that it will be started with; nothing on all ranks: any.
    std::optional<ExchangeBuffers> fixed;
    /// The net's, for messages on `group.comm`.
    int tag = 0;
    /// MPI tag, equal on all ranks and unique among this net's open channels (it wraps after several
    /// thousand), so that exchanges in flight together do not mix their messages.
    int number = 0;
    Device* device = nullptr;  ///< of the net
};

/// What a transport's file gives: makes the channel of one exchange.
using OpenChannel = std::unique_ptr<Channel> (*)(const Ends& ends, const ExchangeTask& task);

#define WEFT_REGION_TRANSPORT(...)
#define WEFT_TRANSPORT(id, ...) \
    std::unique_ptr<Channel> open_##id(const Ends& ends, const ExchangeTask& task);
#include "weft/methods.def"
/// What the file of one that needs something gives besides: why_unavailable() of it.
#define WEFT_OPTIONAL_TRANSPORT(id, ...) std::string why_not_##id(std::string_view device);
#include "weft/methods.def"

/// The position of a peer in the group, which is its rank in the group's communicator.
std::size_t place_in_group(const Group& group, int peer);

/// Why a transport cannot run here for plans that are computed on that kind of device, or on the
/// host if it is empty, and what would help; empty if it can.
std::string why_unavailable(const Transport& transport, std::string_view device = {});

}  // namespace weft::core
