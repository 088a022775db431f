// What tuning gains on a problem, and what it costs.
#pragma once

#include <mpi.h>

#include <nlohmann/json.hpp>
#include <string>

namespace weft::bench {

/// Tunes the problem by `tuning=measure`, has FFTW-MPI plan it with FFTW_PATIENT, and runs the
/// tuned plan, the default one (which is the estimate too), the estimate for that machine (a name
/// or a file, from which tuning starts as well; empty: none) and the fastest of those with one
/// named method in turns, there and back. Collective: seconds of each, of tuning and of planning.
nlohmann::ordered_json tuned_problem(const std::string& problem, const std::string& machine,
                                     int repeat, MPI_Comm comm);

/// Runs plans of a problem in turns, there and back; null for a choice that cannot run here.
/// Collective.
nlohmann::ordered_json in_turns(const std::string& problem, const std::vector<std::string>& choices,
                                int repeat, MPI_Comm comm);

}  // namespace weft::bench
