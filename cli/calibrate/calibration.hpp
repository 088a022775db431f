// What all parts of a calibration share.
#pragma once

#include <mpi.h>

#include <functional>
#include <string>

namespace weft::cli {

struct Calibration {
    MPI_Comm comm = MPI_COMM_NULL;
    std::string source{};  ///< what the figures are due to, as the description says it
    std::function<void()> after_round = [] {};  ///< called by each rank every now and then
};

}  // namespace weft::cli
