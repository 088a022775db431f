// When messages between nodes arrive: each passes the links on its way one after the other, and
// waits for those that other messages are on.
//
// A message travels in a few packets. A packet leaves by its rank's link and the node's, passes the
// links of the network that are known (model/machine.hpp: a tree's switches, the dimensions of a
// torus, blocks of a dragonfly; where only the shape is known, the middle of the network), and
// enters the other node. All packets that wait for a link when it is free share it, and leave it
// together. A packet comes to its next link when it begins to pass one: on links that are free it
// takes the latency and its time on the slowest one.
//
// Example: a latency of 2 us, 1 GB/s. Two messages of 1000 bytes that set off at 0 to the same rank
// arrive after 3 and 4 us.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "clock/pool.hpp"
#include "model/exchange_seconds.hpp"

namespace weft::core {

/// A packet of a message between ranks of different nodes, on its way. Where ranks are alike one of
/// them is simulated: then it stands for several.
struct Flight {
    int from = 0;
    int to = 0;
    int stands_for_to = 0;  ///< the rank that is simulated in the receiver's place
    double bytes = 0;
    double transfer = 0;      ///< seconds on the ranks' own links
    double gap = 0;           ///< seconds for which these are busy besides
    double for_receiver = 1;  ///< how often it counts where it enters
    double in_middle = 1;     ///< and in the middle of the network

    int message = 0;
    double set_off = 0;  ///< when all of it has left the rank
    double through = 0;  ///< when all of it is through, without the latency
    int stage = 0;       ///< of its way
    int node = 0;        ///< of a torus: where it is
    int next = -1;       ///< that waits for the same link
};

class Fabric {
  public:
    /// The site's machine stays.
    explicit Fabric(const Site& site);

    /// What becomes of a packet: it is there, or waits for a link. If it is the first one that
    /// does, all that wait pass it at that time.
    struct Next {
        bool there = false;
        int link = -1;
        double at = 0;
    };
    /// The packet comes to its next link, if there is one.
    Next enter(int packet, double now);
    /// All packets that wait for a link that is free pass it; visit(packet) is called for each.
    template <class Visit>
    void serve(int link, double now, const Visit& visit) {
        const int first = start_batch(link, now);
        for (int packet = first; packet >= 0;) {
            const int next = packets[packet].next;
            visit(packet);
            packet = next;
        }
    }
    /// So many adjacent ranks share no link with others but the middle; nothing: all share links.
    [[nodiscard]] std::optional<int> apart() const;

    Pool<Flight> packets;

  private:
    enum Stage { from_rank, from_node, from_switch, through, to_switch, to_node, to_rank };
    struct Link {
        double free = 0;
        int first = -1;      ///< packet that waits
        double seconds = 0;  ///< of all that wait
    };
    /// What a packet's next link is, if its stage has one.
    struct Passage {
        int link = -1;
        double seconds = 0;  ///< for which the link is taken
    };

    [[nodiscard]] Passage passage(Flight& flight);
    [[nodiscard]] Passage by_rank(const Flight& flight, int rank, bool in) const;
    [[nodiscard]] Passage by_node(const Flight& flight, int rank, bool in) const;
    [[nodiscard]] Passage by_switch(const Flight& flight, int rank, bool in) const;
    [[nodiscard]] Passage by_network(Flight& flight);
    [[nodiscard]] Passage by_torus(Flight& flight) const;
    [[nodiscard]] Passage by_blocks(const Flight& flight);
    int start_batch(int link, double now);
    [[nodiscard]] int node_of(int rank) const { return rank / site_.machine.ranks_per_node; }
    [[nodiscard]] bool has_switches() const {
        return site_.machine.network.shape == Network::Shape::tree &&
               site_.machine.network.leaf > 0;
    }

    Site site_;
    std::vector<Link> links_;  ///< of ranks, of nodes, of switches or of a torus, of blocks
    int nodes_begin_;
    int network_begin_;
    std::unordered_map<std::uint64_t, int> pairs_;  ///< links of blocks of a dragonfly
    std::optional<double> across_;                  ///< bytes a second of the middle
};

}  // namespace weft::core
