// What messages take between the ranks that are here, by size, by link and by how many exchange.
//
// All is measured by exchanges of weft's own, by isend-waitall; links by alltoallv as well, for
// what MPI's collective calls take in comparison. Example: 2 nodes of 4 ranks. Inside: the ranks of
// both nodes exchange among themselves, 3 messages each. Between: the first ranks of both nodes
// exchange while the others wait; then all ranks with their counterparts, which gives what a node
// can send; then all 8 with one another, which gives the congestion of
// 32 messages.
#pragma once

#include "calibrate/calibration.hpp"
#include "calibrate/placement.hpp"
#include "model/machine.hpp"

namespace weft::cli {

/// Sets what was measured of `inside`, `between`, `injection` and `congestion`, each with its
/// source; nodes of one rank have no inside, one node by itself has nothing between. Takes about so
/// many seconds. Collective.
void measure_links(const Placement& placement, double seconds, const Calibration& calibration,
                   core::Machine& machine);

}  // namespace weft::cli
