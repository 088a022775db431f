// Work of the first ranks only.
#pragma once

#include <mpi.h>

#include <functional>

namespace weft::cli {

/// Runs `work` on the first `ranks` ranks of `comm`, with a communicator of them, while the others
/// sleep, so that they take no core from those that are measured. What `work` throws on all of them
/// is thrown on every rank of `comm`. Collective over `comm`.
void on_first_ranks(int ranks, MPI_Comm comm, const std::function<void(MPI_Comm)>& work);

}  // namespace weft::cli
