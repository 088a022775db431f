#include "model/exchange_seconds.hpp"

#include <optional>

namespace weft::core {

namespace {

/// Messages that are started together, of which a rank waits for the latency once.
struct Together {
    double latency = 0;
    double transfers = 0;  ///< seconds
    double overheads = 0;
    double largest = 0;  ///< seconds of one message's bytes
    double overhead = 0;

    void add(const MessageTime& time, double count, double each_overhead) {
        latency = std::max(latency, time.latency);
        transfers += count * time.transfer;
        overheads += count * each_overhead;
        largest = std::max(largest, time.transfer);
        overhead = std::max(overhead, each_overhead);
    }
    /// The latency has the overhead of one message in it.
    [[nodiscard]] double seconds() const {
        return latency + std::max(transfers, overheads - overhead + largest);
    }
};

}  // namespace

double under_way(const Site& site, int rank, const std::vector<SizedMessage>& messages) {
    double between = 0;
    for (const SizedMessage& message : messages) {
        if (!site.same_node(rank, message.peer)) between += message.count;
    }
    return between * (site.computing > 0 ? site.computing : site.ranks);
}

double exchange_seconds(const Site& site, int rank, const std::vector<SizedMessage>& messages,
                        bool collective) {
    const Machine& machine = site.machine;
    const double at_once = under_way(site, rank, messages);
    const int node_ranks = std::min(site.ranks, machine.ranks_per_node);
    double one_by_one = 0;
    Together together;
    for (const SizedMessage& message : messages) {
        const bool same_node = site.same_node(rank, message.peer);
        const MessageTime time =
            message_time(machine, same_node, message.bytes, at_once, node_ranks, collective);
        const std::optional<double>& overhead =
            same_node ? machine.inside.overhead : machine.between.overhead;
        if (overhead) {
            together.add(time, message.count, *overhead);
        } else {
            one_by_one += message.count * time.seconds();
        }
    }
    return one_by_one + together.seconds();
}

double bisection_seconds(const Site& site, int rank, const std::vector<SizedMessage>& messages) {
    const std::optional<double> across = bisection(site.machine, site.nodes());
    if (!across) return 0;
    double crossing = 0;
    for (const SizedMessage& message : messages) {
        if (site.half_of(rank) == site.half_of(message.peer)) continue;
        crossing += message.count * message.bytes;
    }
    // One half sends to the other what this rank sends, for each of its ranks.
    return congestion(site.machine, under_way(site, rank, messages)) * crossing * site.ranks / 2 /
           *across;
}

double links_seconds(double sent, double received) {
    return sent == 0 || received == 0 ? std::max(sent, received) : std::min(sent, received);
}

}  // namespace weft::core
