// What the node study times: a transform of one problem by all ranks, or by one for all.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

namespace weft::bench {

class Runner {
  public:
    Runner() = default;
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;
    virtual ~Runner() = default;

    [[nodiscard]] virtual std::string name() const = 0;
    /// Of one run, all ranks starting together; of the slowest. Collective.
    virtual double seconds(bool backward) = 0;
};

/// All that can run here, or only those named, for a text `KIND:f64:SHAPE`. Collective.
/// weft, weft-messages           slabs, output where it falls; by shared memory, by alltoallv
/// weft-returning                the output in the input's layout
/// .., -allocated                the same with arrays of weft::allocate
/// weft-pencils, ..-messages     on four ranks and more
/// fftw-mpi, fftw-mpi-returning  transposed order of the output, and the input's
/// fftw-threads, mkl-threads     one process, as many threads as ranks, the others asleep
/// copy, copy-streamed           a rank's input to another array: the floor of one pass
std::vector<std::unique_ptr<Runner>> runners(const std::string& problem,
                                             const std::vector<std::string>& only, MPI_Comm comm);

}  // namespace weft::bench
