// Messages between two ranks, and transpositions among all, with MPI alone.
#pragma once

#include <mpi.h>

#include <complex>
#include <cstddef>
#include <vector>

namespace weft::bench {

/// Seconds of messages of so many bytes from the first rank to the last: half of the way there and
/// back, repeat by repeat, the same on all ranks. Collective, as all here is.
std::vector<double> one_way_seconds(MPI_Comm comm, std::size_t bytes, int repeat);

/// Seconds until so many bytes, several messages at once, have gone from the first rank to the last
/// or, if both send, between the two.
std::vector<double> stream_seconds(MPI_Comm comm, std::size_t bytes, bool both_send, int repeat);

/// What a transform of size x size x size complex numbers in slabs exchanges: blocks of the same size
/// between all pairs of ranks.
class Transposition {
  public:
    Transposition(MPI_Comm comm, int size);

    void run();
    [[nodiscard]] MPI_Request start();
    /// Of the block that one rank has for another.
    [[nodiscard]] std::size_t block_bytes() const;
    /// What a rank sends to all others.
    [[nodiscard]] std::size_t sent_bytes() const;

  private:
    MPI_Comm comm_;
    int ranks_ = 1;
    int block_ = 0;  ///< complex numbers
    std::vector<std::complex<double>> in_;
    std::vector<std::complex<double>> out_;
};

}  // namespace weft::bench
