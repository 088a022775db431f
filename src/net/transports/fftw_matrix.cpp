#include "net/mpi_fftw.hpp"

namespace weft::core {

// The matrix layout: the array itself, as plans lay it out for FFTW's blocks.
std::unique_ptr<Channel> open_fftw_matrix(const Ends& ends, const ExchangeTask& task) {
    return open_fftw_transpose(ends, *task.matrix);
}

std::string why_not_fftw_matrix(std::string_view /*device*/) { return why_no_fftw_mpi(); }

}  // namespace weft::core
