#include "model/network_load.hpp"

#include <algorithm>
#include <iterator>
#include <map>

#include "base/index.hpp"

namespace weft::core {

namespace {

/// What the ranks of a group send, as one of them does.
class GroupTraffic {
  public:
    GroupTraffic(const Site& site, int rank, const std::vector<SizedMessage>& messages,
                 const std::vector<int>& group, bool paired)
        : site_(site), rank_(rank), messages_(messages), group_(group), paired_(paired) {}

    [[nodiscard]] int node() const { return node_of(rank_); }
    [[nodiscard]] int node_of(int rank) const { return rank / site_.machine.ranks_per_node; }
    [[nodiscard]] const Network& network() const { return site_.machine.network; }
    [[nodiscard]] double injection() const { return *site_.machine.injection; }
    [[nodiscard]] const std::vector<int>& group() const { return group_; }

    /// Bytes that this rank's node sends, all its ranks together, by the node they go to.
    [[nodiscard]] std::map<int, double> by_node() const {
        std::map<int, double> result;
        add(rank_, std::min(site_.ranks, site_.machine.ranks_per_node), 1, result);
        return result;
    }
    /// Bytes that leave this node's block, all its ranks together, by the block they go to; blocks
    /// are of so many nodes.
    [[nodiscard]] std::map<int, double> by_block(int size) const {
        const int ranks = size * site_.machine.ranks_per_node;
        const int begin = rank_ / ranks * ranks;
        const int end = std::min(site_.ranks, begin + ranks);
        std::map<int, double> result;
        // Where pairs exchange, or all with all, ranks of a block mostly send to the same blocks.
        if (paired_) {
            add(rank_, end - begin, size, result);
        } else {
            const auto first = std::lower_bound(group_.begin(), group_.end(), begin);
            const auto last = std::lower_bound(first, group_.end(), end);
            const double times =
                static_cast<double>(end - begin) / static_cast<double>(last - first);
            for (auto member = first; member != last; ++member) add(*member, times, size, result);
        }
        result.erase(begin / ranks);
        return result;
    }

  private:
    [[nodiscard]] std::size_t place(int rank) const {
        return usize(std::lower_bound(group_.begin(), group_.end(), rank) - group_.begin());
    }
    /// What a rank of the group sends, so many times, by blocks of so many nodes.
    void add(int member, double times, int size, std::map<int, double>& bytes) const {
        const std::size_t shift = group_.size() + place(member) - place(rank_);
        for (const SizedMessage& message : messages_) {
            const int peer = group_[(place(message.peer) + shift) % group_.size()];
            if (node_of(peer) == node_of(member)) continue;
            bytes[node_of(peer) / size] += times * message.count * message.bytes;
        }
    }

    const Site& site_;
    int rank_;
    const std::vector<SizedMessage>& messages_;
    const std::vector<int>& group_;
    bool paired_;
};

/// Of the links from a switch to all others.
double tree_seconds(const GroupTraffic& traffic) {
    const Network& network = traffic.network();
    double beyond = 0;
    for (const auto& [block, bytes] : traffic.by_block(network.leaf)) beyond += bytes;
    return beyond / (network.leaf * network.taper * traffic.injection());
}

/// Of the links from a block to each other one of the same larger block.
double dragonfly_seconds(const GroupTraffic& traffic) {
    const Table& blocks = traffic.network().blocks;
    double seconds = 0;
    for (auto level = blocks.begin(); level != blocks.end(); ++level) {
        const int size = static_cast<int>(level->x);
        const auto larger = std::next(level);
        const int most = larger == blocks.end() ? 0 : static_cast<int>(larger->x);
        for (const auto& [block, bytes] : traffic.by_block(size)) {
            if (most > 0 && block * size / most != traffic.node() / most) continue;
            seconds = std::max(seconds, bytes / level->y);
        }
    }
    return seconds;
}

/// A ring of nodes along one dimension of a torus, and what its links carry in both directions.
class Ring {
  public:
    explicit Ring(int extent)
        : extent_(extent), up_(usize(extent) + 1, 0), down_(usize(extent) + 1, 0) {}

    /// The shortest way; both ways are as long: up.
    void send(int from, int to, double bytes) {
        const int ahead = (to - from + extent_) % extent_;
        if (2 * ahead <= extent_) {
            add(up_, from, ahead, bytes);
        } else {
            add(down_, to, extent_ - ahead, bytes);
        }
    }
    [[nodiscard]] double busiest() const { return std::max(most(up_), most(down_)); }

  private:
    /// The links from node `begin` on, so many.
    void add(std::vector<double>& changes, int begin, int count, double bytes) const {
        const int end = begin + count;
        changes[usize(begin)] += bytes;
        changes[usize(std::min(end, extent_))] -= bytes;
        if (end <= extent_) return;
        changes[0] += bytes;
        changes[usize(end - extent_)] -= bytes;
    }
    static double most(const std::vector<double>& changes) {
        double most = 0;
        double load = 0;
        for (const double change : changes) most = std::max(most, load += change);
        return most;
    }

    int extent_;
    std::vector<double> up_;  ///< what the load changes by, from node to node
    std::vector<double> down_;
};

/// The busiest link along one dimension, in bytes: of a ring on which the group has those
/// coordinates, ascending, and each of its nodes sends shifts[i] bytes so far along them. Between
/// them lie other groups, as this one but some nodes further.
double busiest(int extent, const std::vector<int>& coordinates, const std::vector<double>& shifts) {
    Ring ring(extent);
    const std::size_t count = coordinates.size();
    std::vector<bool> has_group(usize(extent), false);
    for (int first = 0; first < extent; ++first) {
        if (has_group[usize(first)]) continue;
        const auto moved = [&](std::size_t i) {
            return (coordinates[i % count] + first - coordinates.front() + extent) % extent;
        };
        for (std::size_t i = 0; i < count; ++i) {
            const int from = moved(i);
            // Where groups do not fit beside each other, each node belongs to the first one.
            if (has_group[usize(from)]) continue;
            has_group[usize(from)] = true;
            for (std::size_t shift = 1; shift < count; ++shift) {
                if (shifts[shift] > 0) ring.send(from, moved(i + shift), shifts[shift]);
            }
        }
    }
    return ring.busiest();
}

double torus_seconds(const GroupTraffic& traffic) {
    const Network& network = traffic.network();
    const std::map<int, double> bytes = traffic.by_node();
    double most = 0;
    int below = 1;  // nodes of the dimensions before this one
    for (const int extent : network.extents) {
        const auto coordinate = [&](int of) { return of / below % extent; };
        std::vector<bool> there(usize(extent), false);
        for (const int rank : traffic.group()) {
            there[usize(coordinate(traffic.node_of(rank)))] = true;
        }
        std::vector<int> coordinates;
        std::vector<std::size_t> place(usize(extent), 0);
        for (int at = 0; at < extent; ++at) {
            if (!there[usize(at)]) continue;
            place[usize(at)] = coordinates.size();
            coordinates.push_back(at);
        }
        const std::size_t count = coordinates.size();
        const auto place_of = [&](int of) { return place[usize(coordinate(of))]; };
        std::vector<double> shifts(count, 0);
        for (const auto& [other, some] : bytes) {
            shifts[(place_of(other) + count - place_of(traffic.node())) % count] += some;
        }
        most = std::max(most, busiest(extent, coordinates, shifts));
        below *= extent;
    }
    return most / network.link;
}

double load_seconds(const GroupTraffic& traffic) {
    switch (traffic.network().shape) {
        case Network::Shape::tree:
            return tree_seconds(traffic);
        case Network::Shape::torus:
            return torus_seconds(traffic);
        case Network::Shape::dragonfly:
            return dragonfly_seconds(traffic);
        case Network::Shape::full:
            break;
    }
    return 0;
}

}  // namespace

bool links_are_known(const Machine& machine) {
    const Network& network = machine.network;
    return network.leaf > 0 || !network.extents.empty() || !network.blocks.empty();
}

double busiest_link_seconds(const Site& site, int rank, const std::vector<SizedMessage>& messages,
                            const std::vector<int>& group, bool paired) {
    const double load = load_seconds(GroupTraffic(site, rank, messages, group, paired));
    // The link is idle until the first message is there.
    const double factor = congestion(site.machine, under_way(site, rank, messages));
    return load > 0 ? site.machine.between.latency + factor * load : 0;
}

}  // namespace weft::core
