// Pools of communicators that their programs have freed.
#pragma once

#include <mpi.h>

#include <memory>
#include <mutex>
#include <vector>

#include "net/mpi_pool.hpp"

namespace weft::core {

/// Pools whose communicator was freed while plans or transforms of some rank used them. A
/// communicator of the same ranks takes one over that nobody uses any more, so that programs which
/// free communicators before plans, again and again, do not use up MPI's.
class OrphanedPools {
  public:
    void add(std::shared_ptr<CommPool> pool);
    /// Collective. One for that communicator, which is no orphan any longer; null if there is none.
    std::shared_ptr<CommPool> take(MPI_Comm comm);
    /// Collective over the ranks of each, as MPI_Finalize is. Frees those that nobody uses.
    void free_all();

  private:
    std::mutex mutex_;
    std::vector<std::shared_ptr<CommPool>> pools_;
};

/// Those of this process, which outlive whatever plans there are.
OrphanedPools& orphaned_pools();

}  // namespace weft::core
