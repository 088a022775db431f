// Exchanges over MPI.
#pragma once

#include <mpi.h>

#include <map>
#include <memory>
#include <string>

#include "net/net.hpp"

namespace weft::core {

/// A communicator duplicated for one instance, and those split off it, by group.
struct Communicators {
    MPI_Comm whole = MPI_COMM_NULL;
    std::map<std::string, MPI_Comm> groups;
};

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

/// One rank's end over MPI.
class MpiNet : public Net {
  public:
    /// Collective.
    explicit MpiNet(MPI_Comm comm);

    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int ranks() const override { return ranks_; }
    [[nodiscard]] MPI_Comm whole() const { return lease_.communicators().whole; }
    void join(const Group& group) override;
    std::unique_ptr<Channel> open(const ExchangeTask& task, const std::byte* from,
                                  std::byte* to) override;

  private:
    Lease lease_;
    int rank_ = 0;
    int ranks_ = 1;
};

/// What a method's file gives: makes the channel of one exchange in its group's communicator.
using OpenChannel = std::unique_ptr<Channel> (*)(MPI_Comm comm, const ExchangeTask& task,
                                                 const std::byte* from, std::byte* to);

/// The position of a peer in the group, which is its rank in the group's communicator.
std::size_t place_in_group(const Group& group, int peer);

// One file for each method.
std::unique_ptr<Channel> open_alltoallv(MPI_Comm comm, const ExchangeTask& task,
                                        const std::byte* from, std::byte* to);
std::unique_ptr<Channel> open_alltoallw(MPI_Comm comm, const ExchangeTask& task,
                                        const std::byte* from, std::byte* to);
std::unique_ptr<Channel> open_isend_waitall(MPI_Comm comm, const ExchangeTask& task,
                                            const std::byte* from, std::byte* to);

}  // namespace weft::core
