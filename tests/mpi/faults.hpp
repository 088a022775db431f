// Calls that fail on purpose: the n-th allocation, system call or call of MPI's that weft makes on
// this rank while a test has armed it. Linked into a test only.
#pragma once

#include <string>

namespace weft::test {

/// What fails.
enum class Fault {
    allocation,  ///< one allocation of C++ or of a weft buffer
    exhaustion,  ///< from one on, all of 4 KiB and more, and all shared memory
    system,      ///< one mmap, ftruncate, memfd_create or open of weft's
    mpi,         ///< one call of MPI's, which takes part and then says that it failed
};

constexpr long never = -1;

/// From now on this thread's calls of that kind are counted from 0; the one of that number fails.
void arm(Fault kind, long number);
/// No longer. How many there were.
long disarm();
/// Whether one has failed since arm().
bool has_failed();
/// The name of the call that failed last.
std::string failed_call();

}  // namespace weft::test
