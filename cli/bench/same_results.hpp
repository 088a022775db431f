// Whether contenders compute the same, before their times are compared.
#pragma once

#include <mpi.h>

#include <complex>

#include "measure/program.hpp"
#include "measure/race.hpp"
#include "weft/choice.hpp"
#include "weft/problem.hpp"

namespace weft::cli {

/// A scalar product of an array with the weights of measure/program.hpp, and its norm.
struct Projection {
    std::complex<double> product;
    double norm = 0;
};

/// weft's results, and how far others may be from them, relative to the norm.
struct Results {
    Projection signal;
    Projection spectrum;
    double bound = 0;
};

/// Transforms one signal with every contender, there and back. The spectra and what comes back are
/// compared by their projections, to which every element adds by its global index, however it is
/// distributed and stored. Throws Error(wrong_result). Collective. `wire`: what numbers weft sends.
Results check_same_results(const Problem& problem, Wire wire, const Contenders& contenders,
                           MPI_Comm comm);

/// Throws Error(wrong_result) if a program tells other projections.
void check_program(const Results& ours, const ProgramRun& run);

}  // namespace weft::cli
