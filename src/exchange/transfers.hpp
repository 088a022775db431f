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
/// Both have the same shape and ranks. An element that is nobody's before is not received by anyone,
/// one that is nobody's behind is not sent. Costs the number of the rank's peers.
Transfers transfers(const Distribution& from, const Distribution& to, int rank);

/// One side of them.
std::vector<Transfer> sends(const Distribution& from, const Distribution& to, int rank);
std::vector<Transfer> receives(const Distribution& from, const Distribution& to, int rank);

/// The peers of those of one side but for the rank itself, each once, ascending.
std::vector<int> other_peers(const std::vector<Transfer>& transfers, int rank);

inline constexpr Index exact = Index{1} << 62;

/// The elements that leave their rank, summed over all ranks. Costs the number of ranks; on one
/// process grid only the sum of its factors' products over the axes that exchange factors.
/// At most `samples` ranks (of each component) are looked at, evenly spread; then it is an
/// estimate.
Index volume(const Distribution& from, const Distribution& to, Index samples = exact);

/// The elements that leave this rank.
Index sent(const Distribution& from, const Distribution& to, int rank);

/// The elements that go from one rank to another (or stay, if it is the same).
Index common_elements(const Distribution& from, const Distribution& to, int source, int target);

/// No message between two ranks has more elements; the same on every rank. On one process grid the
/// product of the largest overlaps by axis, otherwise the largest message; costs the number of
/// parts of the axes, or of all transfers.
Index largest_message(const Distribution& from, const Distribution& to);

/// The ranks among which `rank` exchanges. On one process grid these are the ranks that differ
/// only in factors that change their place; otherwise all ranks.
Group group(const Distribution& from, const Distribution& to, int rank);
/// How many they are, without listing them.
Index group_size(const Distribution& from, const Distribution& to, int rank);

}  // namespace weft::core
