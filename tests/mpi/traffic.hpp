// What this rank hands to MPI for other ranks, counted through the profiling interface.
#pragma once

namespace weft::test {

/// Bytes sent to other ranks since the last call of reset_traffic, by whatever call of MPI.
long long traffic();
void reset_traffic();

}  // namespace weft::test
