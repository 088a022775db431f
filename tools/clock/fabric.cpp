#include "clock/fabric.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "base/index.hpp"
#include "model/network_load.hpp"

namespace weft::core {

namespace {

/// Packets that come to a link within this time share it: computing with times is not exact.
constexpr double together = 1e-9;

}  // namespace

Fabric::Fabric(const Site& site)
    : site_(site), nodes_begin_(2 * site.ranks), network_begin_(nodes_begin_ + 2 * site.nodes()) {
    const Network& network = site.machine.network;
    int count = network_begin_;
    if (!links_are_known(site.machine)) {
        across_ = bisection(site.machine, site.nodes());
        count += 2;
    } else if (has_switches()) {
        count += 2 * (site.nodes() / network.leaf + 1);
    } else {
        count +=
            2 * static_cast<int>(network.extents.size()) *
            std::accumulate(network.extents.begin(), network.extents.end(), 1, std::multiplies<>());
    }
    links_.resize(usize(count));
}

std::optional<int> Fabric::apart() const {
    const int ranks = site_.machine.ranks_per_node;
    if (!links_are_known(site_.machine)) return ranks;
    if (has_switches()) return ranks * site_.machine.network.leaf;
    return std::nullopt;
}

Fabric::Next Fabric::enter(int packet, double now) {
    Flight& flight = packets[packet];
    while (flight.stage <= to_rank) {
        const Passage one = passage(flight);
        if (one.link < 0) continue;
        Link& link = links_[usize(one.link)];
        link.seconds += one.seconds;
        flight.next = std::exchange(link.first, packet);
        if (flight.next >= 0) return {};
        return {false, one.link, std::max(now + together, link.free)};
    }
    return {true};
}

int Fabric::start_batch(int number, double now) {
    Link& link = links_[usize(number)];
    const double seconds = std::exchange(link.seconds, 0);
    const int last = std::exchange(link.first, -1);
    link.free = now + seconds;
    // In the order in which they came.
    int first = -1;
    for (int packet = last; packet >= 0;) {
        Flight& flight = packets[packet];
        if (flight.stage == from_rank + 1) flight.set_off = link.free;
        flight.through = std::max(flight.through, link.free);
        const int next = std::exchange(flight.next, first);
        first = packet;
        packet = next;
    }
    return first;
}

Fabric::Passage Fabric::passage(Flight& flight) {
    switch (flight.stage++) {
        case from_rank:
            flight.node = node_of(flight.from);
            return by_rank(flight, flight.from, false);
        case from_node:
            return by_node(flight, flight.from, false);
        case from_switch:
            return by_switch(flight, flight.from, false);
        case through:
            return by_network(flight);
        case to_switch:
            return by_switch(flight, flight.stands_for_to, true);
        case to_node:
            return by_node(flight, flight.stands_for_to, true);
        default:
            return by_rank(flight, flight.stands_for_to, true);
    }
}

Fabric::Passage Fabric::by_rank(const Flight& flight, int rank, bool in) const {
    const double counts = in ? flight.for_receiver : 1;
    return {2 * rank + (in ? 1 : 0), (flight.transfer + flight.gap) * counts};
}

Fabric::Passage Fabric::by_node(const Flight& flight, int rank, bool in) const {
    if (!site_.machine.injection) return {};
    const double seconds = flight.bytes / *site_.machine.injection;
    const double counts = in ? flight.for_receiver : 1;
    return {nodes_begin_ + 2 * node_of(rank) + (in ? 1 : 0), seconds * counts};
}

Fabric::Passage Fabric::by_switch(const Flight& flight, int rank, bool in) const {
    if (!has_switches()) return {};
    const Network& network = site_.machine.network;
    const auto leaf = [&](int of) { return node_of(of) / network.leaf; };
    if (leaf(flight.from) == leaf(flight.to)) return {};
    const double seconds = flight.bytes / (network.leaf * network.taper * *site_.machine.injection);
    const double counts = in ? flight.for_receiver : 1;
    return {network_begin_ + 2 * leaf(rank) + (in ? 1 : 0), seconds * counts};
}

Fabric::Passage Fabric::by_network(Flight& flight) {
    const Network& network = site_.machine.network;
    if (across_) {
        const int half = site_.half_of(flight.from);
        if (half == site_.half_of(flight.to)) return {};
        return {network_begin_ + half, flight.bytes / *across_ * flight.in_middle};
    }
    if (!network.extents.empty()) return by_torus(flight);
    return network.blocks.empty() ? Passage{} : by_blocks(flight);
}

/// The dimensions one after the other, each the shorter way round.
Fabric::Passage Fabric::by_torus(Flight& flight) const {
    const Network& network = site_.machine.network;
    const int target = node_of(flight.to);
    const auto axes = static_cast<int>(network.extents.size());
    int below = 1;
    for (int axis = 0; axis < axes; ++axis) {
        const int extent = network.extents[usize(axis)];
        const int place = flight.node / below % extent;
        const int ahead = (target / below % extent - place + extent) % extent;
        if (ahead != 0) {
            const bool up = 2 * ahead <= extent;
            const int link = network_begin_ + 2 * (flight.node * axes + axis) + (up ? 1 : 0);
            flight.node += ((place + (up ? 1 : extent - 1)) % extent - place) * below;
            --flight.stage;  // There may be another one.
            return {link, flight.bytes / network.link};
        }
        below *= extent;
    }
    return {};
}

/// The link between the largest blocks that the nodes are in different ones of.
Fabric::Passage Fabric::by_blocks(const Flight& flight) {
    const Table& blocks = site_.machine.network.blocks;
    for (auto level = blocks.rbegin(); level != blocks.rend(); ++level) {
        const auto size = static_cast<int>(level->x);
        const auto from = usize(node_of(flight.from) / size);
        const auto to = usize(node_of(flight.to) / size);
        if (from == to) continue;
        const auto number = usize(blocks.rend() - level);
        const auto key = (number << 56U) | (from << 28U) | to;
        const auto [pair, is_new] = pairs_.emplace(key, static_cast<int>(links_.size()));
        if (is_new) links_.emplace_back();
        return {pair->second, flight.bytes / level->y};
    }
    return {};
}

}  // namespace weft::core
