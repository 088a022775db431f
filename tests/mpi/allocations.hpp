// What C++ allocates, counted while somebody looks.
#pragma once

namespace weft::test {

/// From now on, from 0, or no longer.
void count_allocations(bool count);
long allocations();
/// Those of the process that were not freed, counted all the time.
long blocks_held();

}  // namespace weft::test
