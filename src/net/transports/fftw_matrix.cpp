#include "net/mpi_fftw.hpp"

namespace weft::core {

// The matrix layout: the array itself, as plans lay it out for FFTW's blocks.
std::unique_ptr<Channel> open_fftw_matrix(const Ends& ends, const ExchangeTask& task) {
    return open_fftw_transpose(ends, *task.matrix);
}

}  // namespace weft::core
