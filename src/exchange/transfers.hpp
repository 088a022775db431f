// The overlay of two distributions of one array: who sends what to whom. No data, no messages.
#pragma once

#include <vector>

#include "base/work.hpp"
#include "geometry/distribution.hpp"

namespace weft::core {

/// A box of elements that one rank hands to another (or to itself).
struct Transfer {
    int peer = 0;
    Box box;
    int own = 0;  ///< the number of this rank's box that it is a part of
    bool operator==(const Transfer&) const = default;
};

/// One rank's part; peers ascend, boxes of one peer ascend by their first element, so both sides
/// list them alike. Empty boxes do not occur, the rank itself is a peer.
struct Transfers {
    std::vector<Transfer> sends;
    std::vector<Transfer> receives;
};

/// What `rank` sends and receives when the array goes from one distribution to another.
/// Both have the same shape and ranks. Costs the number of the rank's peers.
Transfers transfers(const Distribution& from, const Distribution& to, int rank);

inline constexpr Index exact = Index{1} << 62;

/// The elements that leave their rank, summed over all ranks. Costs the number of ranks; on one
/// process grid only the sum of its factors' products over the axes that exchange factors.
/// At most `samples` ranks (of each component) are looked at, evenly spread; then it is an
/// estimate.
Index volume(const Distribution& from, const Distribution& to, Index samples = exact);

/// The ranks among which `rank` exchanges. On one process grid these are the ranks that differ
/// only in factors that change their place; otherwise all ranks.
Group group(const Distribution& from, const Distribution& to, int rank);

}  // namespace weft::core
