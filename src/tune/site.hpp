// Where a plan was tuned, as far as its time depends on it.
#pragma once

#include <string>

#include "base/topology.hpp"

namespace weft::core {

/// What the time of a plan depends on besides its problem and the number of ranks; equal sites run
/// a plan in equal time. All ranks have the same site.
struct TuningSite {
    std::string processor{};        ///< of all ranks, as the system names it
    std::string instruction_set{};  ///< that the native engine uses: `AVX2`
    std::string mpi{};              ///< name and version: `Open MPI v4.1.4`
    int nodes = 1;
    int ranks_per_node = 1;   ///< of the node that has the most
    std::string placement{};  ///< as placement_of() says
    int threads = 1;          ///< that each rank has cores for
    std::string weft{};       ///< its version

    auto operator<=>(const TuningSite&) const = default;
};

/// Fills in nodes, ranks_per_node and placement.
void place(TuningSite& site, const Topology& nodes, int ranks);

/// How ranks are numbered on the nodes: `block`: adjacent ranks share a node, all nodes but the
/// last are full; `cyclic`: rank r is on node r modulo the number of nodes; otherwise `mixed-` and
/// a number that other numberings hardly have.
/// Example, 4 ranks on 2 nodes: 0 0 1 1 is block, 0 1 0 1 is cyclic, 0 1 1 0 is mixed.
std::string placement_of(const Topology& nodes, int ranks);

/// In one line, as patterns are compared with it: `AMD EPYC 7763, AVX2, Open MPI v4.1.4, nodes=2,
/// ranks_per_node=64, placement=block, threads=1, weft=0.2.0`.
std::string to_string(const TuningSite& site);

/// In which members the sites differ, with both values: `nodes 2 instead of 1`; empty: in none.
std::string difference(const TuningSite& there, const TuningSite& here);

}  // namespace weft::core
