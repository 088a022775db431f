// Packed messages as MPI's collectives take them: counts and displacements by rank.
#pragma once

#include <mpi.h>

#include <vector>

#include "net/mpi.hpp"

namespace weft::core {

/// Counts and displacements by rank in the group, in elements.
struct Counts {
    std::vector<int> counts;
    std::vector<int> offsets;

    Counts(const Group& group, const std::vector<Message>& messages);
};

/// What all collectives of packed messages are given.
class CountedChannel : public Channel {
  public:
    CountedChannel(const Ends& ends, const ExchangeTask& task);
    ~CountedChannel() override;

    /// Whether all counts and offsets of all ranks fit into ints. Where they do not, datatypes hold
    /// them, on the same contiguous slices (open_alltoallw).
    static bool fits(const ExchangeTask& task) { return task.largest <= task.chunk; }

  protected:
    Ends ends_;
    MPI_Comm comm_ = MPI_COMM_NULL;  ///< once it is connected
    Counts sends_;
    Counts receives_;
    MPI_Datatype element_;
};

/// One that completes with a single request, on a communicator for calls that others may overtake.
class RequestChannel : public CountedChannel {
  public:
    using CountedChannel::CountedChannel;

    void connect() override;
    [[nodiscard]] bool start_waits() const override { return in_turn_; }
    bool test() override;
    void wait() override;

  protected:
    MPI_Request request_ = MPI_REQUEST_NULL;
    bool in_turn_ = false;  ///< calls have to be entered in turn
};

}  // namespace weft::core
