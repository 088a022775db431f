// One size of messages on one communicator: all methods, measured in turns.
#pragma once

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

#include "measure/record.hpp"
#include "measure/turns.hpp"

namespace weft::cli {

/// Told of a method that cannot do an exchange, and why.
using LeftOut = std::function<void(const std::string& method, const std::string& reason)>;

/// MPI_Alltoall and then each method that can do it, with messages of `bytes` from each rank to
/// each other; nothing is timed before all have brought the right bytes. The records are the same
/// on every rank, but for `machine`, which the caller fills in. Throws Error(wrong_result).
/// Collective.
ExchangeRecords measure_exchange(const std::vector<std::string>& methods, Index bytes,
                                 const Budget& budget, MPI_Comm comm, const LeftOut& left_out);

}  // namespace weft::cli
