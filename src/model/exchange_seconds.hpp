// What messages that are started together take on a machine.
//
// One after the other each takes latency + bytes / bandwidth. Where a link's overhead is known,
// ranks wait for the latency once: then messages follow each other by what a rank does for each, or
// by their bytes, whichever takes longer. Besides, bytes may take longer for what the ranks of a
// node share (injection), for congestion, and for what ranks elsewhere send over
// the same links of the network (model/network_load.hpp).
//
// Example: a latency of 2 us, an overhead of 0.5 us, 1 GB/s. Three messages of 100 bytes take 2 us,
// twice 0.5 us, and 0.1 us for the last one's bytes; three of 1000 bytes take 2 us and 3 us.
#pragma once

#include <algorithm>
#include <vector>

#include "model/machine.hpp"

namespace weft::core {

/// What a rank sends to another one or gets from it; or so many alike, to ranks of that one's node
/// or of others as far away.
struct SizedMessage {
    int peer = 0;
    double bytes = 0;
    double count = 1;
};

/// The machine with so many ranks on it: adjacent ranks share a node.
struct Site {
    const Machine& machine;
    int ranks = 1;
    int computing = 0;  ///< ranks that exchange; 0: all

    [[nodiscard]] bool same_node(int a, int b) const {
        return a / machine.ranks_per_node == b / machine.ranks_per_node;
    }
    [[nodiscard]] int nodes() const {
        return (ranks + machine.ranks_per_node - 1) / machine.ranks_per_node;
    }
    /// The first half of the nodes, which has one more if their number is odd, and the second.
    [[nodiscard]] int half_begin(int half) const {
        const int nodes_of_first = (nodes() + 1) / 2;
        return half == 0 ? 0 : std::min(ranks, nodes_of_first * machine.ranks_per_node);
    }
    [[nodiscard]] int half_end(int half) const { return half == 0 ? half_begin(1) : ranks; }
    [[nodiscard]] int half_of(int rank) const { return rank < half_begin(1) ? 0 : 1; }
};

/// How many messages between nodes are under way if every rank that exchanges has such messages.
double under_way(const Site& site, int rank, const std::vector<SizedMessage>& messages);
/// Of messages that a rank sends, or gets, one after the other, where all ranks do as this one
/// does; `collective`: in one of MPI's collective calls.
double exchange_seconds(const Site& site, int rank, const std::vector<SizedMessage>& messages,
                        bool collective);
/// How long the links between two halves of the nodes are in use by such messages.
double bisection_seconds(const Site& site, int rank, const std::vector<SizedMessage>& messages);
/// Of the network, by what a rank sends and by what it receives; either stands for what all do, and
/// all that is sent is received. Where they differ, other ranks do not do as this one, and the less
/// counts: each pencil may be cut over all nodes, but a brick be made of pencils that all are far
/// away, while another one's are near. 0: nothing goes that way.
double links_seconds(double sent, double received);

}  // namespace weft::core
