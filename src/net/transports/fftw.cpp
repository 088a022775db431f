#include "net/mpi_fftw.hpp"

namespace weft::core {

// The linear layout: each rank has a row of slots, one tuple for each rank.
std::unique_ptr<Channel> open_fftw(const Ends& ends, const ExchangeTask& task) {
    const auto ranks = static_cast<Index>(task.group.ranks.size());
    return open_fftw_transpose(ends, {ranks, ranks, 1, 1, *task.slot * task.element_bytes});
}

std::string why_not_fftw(std::string_view /*device*/) { return why_no_fftw_mpi(); }

}  // namespace weft::core
