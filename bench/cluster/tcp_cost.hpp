// What TCP costs the processors, without MPI, which would spin.
#pragma once

#include <mpi.h>

#include <cstddef>

namespace weft::bench {

/// Of bytes sent from the first rank's socket to the last rank's.
struct TcpCost {
    double seconds = 0;   ///< until all have arrived
    double sender = 0;    ///< seconds of the processor, in the sender's process
    double receiver = 0;  ///< the same of the receiver
    double softirq = 0;   ///< those that Linux counts as its interrupts', wherever they happened
    double busy = 0;      ///< those that no processor idled, whatever for
};

/// Collective. The last two are of both machines, or of the only one.
TcpCost tcp_cost(MPI_Comm comm, std::size_t bytes);

}  // namespace weft::bench
