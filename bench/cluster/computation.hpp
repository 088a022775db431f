// A fixed amount of computation, which takes longer where something else takes the core.
#pragma once

#include <mpi.h>

namespace weft::bench {

class Computation {
  public:
    /// As much as takes so long where all ranks compute at once. `sleeps`: nothing but the time,
    /// for ranks that stand for cores of another machine. Collective.
    Computation(MPI_Comm comm, double seconds, bool sleeps);

    /// The part `index` of `parts` about equal ones.
    void run(int index = 0, int parts = 1) const;

  private:
    double seconds_;
    bool sleeps_;
    long rounds_ = 0;
};

}  // namespace weft::bench
