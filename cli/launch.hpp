// How this process was launched, by the variables that launchers set before MPI is initialised.
#pragma once

#include <string>

namespace weft::cli {

/// The rank that a launcher announces; 0 if there is none. Messages about bad arguments are printed
/// once, not by every rank.
int launched_rank();

/// Says what is wrong if a launcher started several processes and MPI, whose world has `ranks`,
/// made a world of its own of each: the launcher belongs to another MPI. Empty if nothing is wrong.
///
/// Open MPI's mpirun -n 4 of a program linked with MPICH announces 4 and leaves 1 rank in each.
std::string launched_apart(int ranks);

/// Puts `program`, the command as it was typed, in place of `weft` in examples, which then run as
/// they are printed.
std::string as_typed(const std::string& examples, const std::string& program);

}  // namespace weft::cli
