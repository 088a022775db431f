#include "model/machine.hpp"

#include <algorithm>
#include <cmath>

namespace weft::core {

namespace {

/// Through the points, with x put through `scale`; constant before the first and behind the last.
template <class Scale>
double interpolated(const Table& table, double x, const Scale& scale) {
    if (x <= table.front().x) return table.front().y;
    if (x >= table.back().x) return table.back().y;
    const auto above = std::upper_bound(table.begin(), table.end(), x,
                                        [](double v, const TablePoint& p) { return v < p.x; });
    const auto below = above - 1;
    const double part = (scale(x) - scale(below->x)) / (scale(above->x) - scale(below->x));
    return below->y + part * (above->y - below->y);
}

/// Without congestion.
double table_seconds(const Link& link, double bytes) {
    const TablePoint& last = link.by_size.back();
    const double beyond = std::max(0.0, bytes - last.x) / link.bandwidth;
    return interpolated(link.by_size, bytes, [](double x) { return x; }) + beyond;
}

double collective_factor(const Link& link, double bytes) {
    if (link.collective.empty()) return 1;
    return interpolated(link.collective, std::max(1.0, bytes),
                        [](double x) { return std::log(x); });
}

}  // namespace

Machine with_direct_links(Machine machine) {
    if (machine.devices && machine.devices->direct) {
        machine.inside = machine.devices->direct->inside;
        machine.between = machine.devices->direct->between;
    }
    return machine;
}

double congestion(const Machine& machine, double messages) {
    if (!machine.congestion) return 1;
    const auto [begin, exponent] = *machine.congestion;
    return messages > begin ? std::pow(messages / begin, exponent) : 1;
}

MessageTime message_time(const Machine& machine, bool same_node, double bytes, double under_way,
                         int node_ranks, bool collective) {
    const Link& link = same_node ? machine.inside : machine.between;
    double transfer =
        link.by_size.empty() ? bytes / link.bandwidth : table_seconds(link, bytes) - link.latency;
    const double factor = collective ? collective_factor(link, bytes) : 1;
    if (!same_node) {
        if (machine.injection) {
            transfer = std::max(transfer, bytes * node_ranks / *machine.injection);
        }
        transfer *= congestion(machine, under_way);
    }
    return {factor * link.latency, factor * transfer};
}

std::optional<double> bisection(const Machine& machine, int nodes) {
    const Network& network = machine.network;
    const double n = nodes;
    switch (network.shape) {
        case Network::Shape::full:
            break;
        case Network::Shape::tree:
            return n / 2 * network.taper * *machine.injection;
        case Network::Shape::torus:
            // The last dimension is cut, where halves of a ring meet twice.
            if (!network.extents.empty()) return 2 * n / network.extents.back() * network.link;
            return 2 * std::pow(n, (network.dimensions - 1.0) / network.dimensions) * network.link;
        case Network::Shape::dragonfly:
            // Of the largest blocks that are at least two, each one of a half is linked to each
            // one of the other half.
            for (auto level = network.blocks.rbegin(); level != network.blocks.rend(); ++level) {
                const double blocks = std::ceil(n / level->x);
                if (blocks >= 2) return std::floor(blocks / 2) * std::ceil(blocks / 2) * level->y;
            }
            break;
    }
    return std::nullopt;
}

const EngineRates& engine_rates(const Machine& machine, std::string_view engine) {
    const auto found = machine.engines.find(std::string(engine));
    return found != machine.engines.end() ? found->second
                                          : machine.engines.at(machine.other_engines);
}

CoreRates core_rates(const Machine& machine, std::string_view engine) {
    return {engine_rates(machine, engine), machine.memory};
}

}  // namespace weft::core
