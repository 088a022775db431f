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

}  // namespace weft::core
