// Progress of MPI's messages while ranks compute.
#pragma once

#include <mpi.h>

#include <atomic>
#include <thread>

#include "base/no_copy.hpp"

namespace weft::core {

/// Throws Error(not_available) unless MPI was initialised for calls by several threads at a time.
void require_several_threads();

/// A thread that calls MPI every now and then while it is told to work, so that messages move on
/// that other threads have sent and asked for. Needs MPI_THREAD_MULTIPLE. It ends in MPI_Finalize,
/// if not before.
class ProgressThread : NoCopy {
  public:
    /// Local. The communicator must stay until it is destroyed.
    explicit ProgressThread(MPI_Comm comm);
    ~ProgressThread();

    /// Costs a store where nothing changes.
    void work(bool works);
    void end();

  private:
    enum class Duty { rest, work, end };

    void tell(Duty duty);
    void run();

    MPI_Comm comm_;
    std::atomic<Duty> duty_ = Duty::rest;
    std::thread thread_;
};

}  // namespace weft::core
