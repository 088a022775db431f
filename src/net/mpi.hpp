// Exchanges over MPI.
#pragma once

#include <mpi.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/transports.hpp"
#include "net/net.hpp"

namespace weft::core {

/// The communicator of a group, and what transports keep with it: made by all of the group
/// together, freed by all together with the communicator (or not at all, if MPI is finalised
/// before).
struct GroupComm {
    MPI_Comm comm = MPI_COMM_NULL;
    std::map<std::string, std::shared_ptr<void>> kept{};
    int windows = 0;  ///< those of `kept` that channels of the present lease use
};

/// Those of one instance by the group's key: a duplicate of the caller's, `all`, and what is split
/// off it.
using Communicators = std::map<std::string, GroupComm>;

/// Holds communicators of a caller's communicator until it is destroyed. Taking a lease is
/// collective; giving it back is local, so a destructor or a garbage collector may do it. What is
/// given back is used again (MPI has only some thousands of communicators) and freed with the
/// caller's communicator or in MPI_Finalize.
class Lease {
  public:
    explicit Lease(MPI_Comm comm);
    ~Lease();
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    [[nodiscard]] Communicators& communicators() const;

    struct Pool;

  private:
    std::shared_ptr<Pool> pool_;
    std::size_t index_ = 0;
};

class Device;
class ExposedArray;
class ProgressThread;

/// One rank's end over MPI.
class MpiNet : public Net {
  public:
    /// Collective, as are join, share and expose: each throws on all ranks or none.
    /// `device`: on which all ranks compute, for what is sent from its memory without MPI, and for
    /// regions, which lie there.
    explicit MpiNet(MPI_Comm comm, Device* device = nullptr);
    ~MpiNet() override;

    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int ranks() const override { return ranks_; }
    [[nodiscard]] MPI_Comm whole() const { return lease_.communicators().at("all").comm; }
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
    std::vector<std::unique_ptr<ExposedArray>> exposed_;
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
    /// The same on all ranks, and of no other channel of this net's until there are thousands: for
    /// messages of exchanges that are under way together.
    int tag = 0;
    Device* device = nullptr;  ///< of the net
};

/// What a transport's file gives: makes the channel of one exchange.
using OpenChannel = std::unique_ptr<Channel> (*)(const Ends& ends, const ExchangeTask& task);

#define WEFT_REGION_TRANSPORT(...)
#define WEFT_TRANSPORT(id, ...) \
    std::unique_ptr<Channel> open_##id(const Ends& ends, const ExchangeTask& task);
#include "weft/methods.def"

/// The position of a peer in the group, which is its rank in the group's communicator.
std::size_t place_in_group(const Group& group, int peer);

/// Why a transport cannot run here for plans that are computed on that kind of device, or on the
/// host if it is empty, and what would help; empty if it can.
std::string why_unavailable(const Transport& transport, std::string_view device = {});

}  // namespace weft::core
