// What a rank exchanges with others in one direction, by how far it goes.
#pragma once

#include <vector>

#include "geometry/distribution.hpp"
#include "model/exchange_seconds.hpp"

namespace weft::core {

struct Side {
    std::vector<SizedMessage> messages;
    double node_peers = 0;  ///< other ranks of its node that it has to do with
    double far = 0;         ///< bytes of those on other devices
};

/// Of any distributions, at the cost of the rank's peers. `element`: bytes; `regions`: ranks of a
/// node read each other's memory, without messages.
Side listed_side(const Site& site, const Distribution& mine, const Distribution& theirs, int rank,
                 double element, bool regions);

/// Of an assignment, whose parts along each axis are counted: at the cost of the ranks of a node.
/// What goes to other nodes counts as spread evenly over them.
Side counted_side(const Site& site, const Distribution& mine, const Distribution& theirs, int rank,
                  double element, bool regions);

}  // namespace weft::core
