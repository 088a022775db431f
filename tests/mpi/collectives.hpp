// How many collective calls of MPI this rank enters, counted through the profiling interface.
#pragma once

namespace weft::test {

/// Since the last call of reset_collectives: reductions to all, broadcasts, gathers, and what makes
/// or frees communicators.
int collectives();
void reset_collectives();

}  // namespace weft::test
