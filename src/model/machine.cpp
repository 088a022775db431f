#include "model/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "model/machine_checks.hpp"

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

/// Without contention.
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

double contention(const Machine& machine, int exchanging) {
    if (machine.contention.empty()) return 1;
    return interpolated(machine.contention, exchanging, [](double x) { return std::log(x); });
}

void check(const Checks& checks, const Network& network) {
    if (network.shape == Network::Shape::tree) {
        checks.within("network.taper", network.taper, 1e-3, 1, "a part of the injection,");
        checks.within("network.leaf", network.leaf, 0, 1 << 20, "nodes");
    }
    if (network.shape == Network::Shape::torus) {
        checks.within("network.dimensions", network.dimensions, 1, 6, "dimensions");
        checks.within("network.link", network.link, least_rate, most_rate, "bytes a second");
        if (network.extents.empty()) return;
        checks.within("the number of network.extents", static_cast<double>(network.extents.size()),
                      network.dimensions, network.dimensions, "as many as network.dimensions,");
        for (const int extent : network.extents) {
            checks.within("network.extents", extent, 1, 1024, "nodes along a dimension");
        }
    }
    if (network.shape == Network::Shape::dragonfly) {
        checks.ascends("network.blocks", network.blocks);
        for (const TablePoint& level : network.blocks) {
            checks.within("network.blocks", level.x, 1, 1 << 20, "a number of nodes");
            checks.within("network.blocks", level.y, least_rate, most_rate, "bytes a second");
        }
    }
}

void check_engines(const Checks& checks, const Machine& machine) {
    checks.lists("engines", machine.engines.contains(machine.other_engines), machine.other_engines);
    for (const auto& [name, rates] : machine.engines) {
        const std::string key = "engines." + name;
        checks.within(key + ".rate", rates.rate, least_rate, most_rate, "flops a second");
        checks.within(key + ".rough", rates.rough, 1e-3, 1, "a factor");
        checks.within(key + ".single", rates.single, 0.1, 100, "a factor");
    }
}

}  // namespace

Machine with_direct_links(Machine machine) {
    if (machine.devices && machine.devices->direct) {
        machine.inside = machine.devices->direct->inside;
        machine.between = machine.devices->direct->between;
    }
    return machine;
}

void check(const Checks& checks, const std::string& key, const Link& link) {
    checks.within(key + ".latency", link.latency, 0, 1, "seconds");
    checks.within(key + ".bandwidth", link.bandwidth, least_rate, most_rate, "bytes a second");
    if (link.overhead) {
        checks.within(key + ".overhead", *link.overhead, 0, link.latency,
                      "seconds that are no more than the latency,");
    }
    checks.ascends(key + ".by_size", link.by_size);
    checks.ascends(key + ".collective", link.collective);
    for (const TablePoint& point : link.collective) {
        checks.within(key + ".collective", point.x, 1, 1e15, "bytes");
        checks.within(key + ".collective", point.y, least_factor, most_factor, "a factor");
    }
    for (std::size_t i = 0; i < link.by_size.size(); ++i) {
        const TablePoint& point = link.by_size[i];
        checks.within(key + ".by_size", point.x, 0, 1e15, "bytes");
        checks.within(key + ".by_size", point.y, link.latency, 1e6,
                      "seconds that are no less than the latency,");
        if (i > 0 && point.y < link.by_size[i - 1].y) {
            checks.refuse(key + ".by_size", point.y,
                          "a larger message takes less time; correct the table");
        }
    }
}

void validate(const Machine& machine, std::string_view origin) {
    const Checks checks(origin);
    checks.within("ranks_per_node", machine.ranks_per_node, 1, 1 << 20, "a number of ranks");
    check(checks, "inside", machine.inside);
    check(checks, "between", machine.between);
    if (machine.injection) {
        checks.within("injection", *machine.injection, least_rate, most_rate, "bytes a second");
    }
    checks.ascends("contention", machine.contention);
    for (const TablePoint& point : machine.contention) {
        checks.within("contention", point.x, 1, 1 << 30, "a number of ranks");
        checks.within("contention", point.y, 1, most_factor, "a factor");
    }
    if (machine.collective_batch) {
        checks.within("collective_batch", *machine.collective_batch, 1, 1 << 30, "messages");
    }
    check(checks, machine.network);
    if (machine.network.shape == Network::Shape::tree && !machine.injection) {
        bad_request(fmt::format(
            "{}: network.taper is a part of the injection, which is not given; add injection",
            origin));
    }
    checks.within("memory.cache", machine.memory.cache, 0, 1e12, "bytes");
    checks.within("memory.copy_rate", machine.memory.copy_rate, least_rate, most_rate,
                  "bytes a second");
    checks.within("memory.pack_rate", machine.memory.pack_rate, least_rate, most_rate,
                  "bytes a second");
    if (machine.memory.cache_rate) {
        checks.within("memory.cache_rate", *machine.memory.cache_rate, least_rate, most_rate,
                      "bytes a second");
    }
    check_engines(checks, machine);
    if (machine.devices) check(checks, *machine.devices);
}

MessageTime message_time(const Machine& machine, bool same_node, double bytes, int exchanging,
                         int node_ranks, bool collective) {
    const Link& link = same_node ? machine.inside : machine.between;
    double transfer =
        link.by_size.empty() ? bytes / link.bandwidth : table_seconds(link, bytes) - link.latency;
    const double factor = collective ? collective_factor(link, bytes) : 1;
    if (!same_node) {
        if (machine.injection) {
            transfer = std::max(transfer, bytes * node_ranks / *machine.injection);
        }
        transfer *= contention(machine, exchanging);
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
