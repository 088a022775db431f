// How long the busiest link of a network is in use, where its links are known: the switches of a
// tree, the extents of a torus, the blocks of a dragonfly.
//
// One rank's messages stand for all: every rank of a group sends as far along the list of the
// group's ranks as this one, and other groups do as this one does, elsewhere. Messages go the
// shortest way, along the first dimension of a torus first.
//
// Example: a ring of 8 nodes, of which the first four exchange with one another, and the last four;
// each sends 1 MB to each other one. From node 0 to 3 there is no shorter way than through nodes 1
// and 2. The link from node 1 to 2 carries what nodes 0 and 1 send to nodes 2 and 3, 4 MB; that
// from node 3 to 4 carries nothing.
#pragma once

#include <vector>

#include "model/exchange_seconds.hpp"

namespace weft::core {

/// Whether the machine's description tells the links of its network one by one.
bool links_are_known(const Machine& machine);

/// Until the last of the messages is through that `rank` sends at the same time; `group`: the ranks
/// that exchange with one another, this one among them, ascending; `paired`: it gets as much from
/// each rank that it sends to. 0 where no link carries anything.
double busiest_link_seconds(const Site& site, int rank, const std::vector<SizedMessage>& messages,
                            const std::vector<int>& group, bool paired);

}  // namespace weft::core
