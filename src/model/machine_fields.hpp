// The keys of a machine's description: each is named once, for whoever reads, checks and writes it.
//
// Example: fields(to, link) calls to.figure("latency", link.latency, a_second), and so on. What
// reads sets the member, and refuses 3 seconds; what writes puts the member there. A usual figure
// may be missing, one that is given unless it is so is left out then.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "model/machine.hpp"

namespace weft::core {

/// What a figure may be; others are of no machine.
struct Range {
    double least;
    double most;
    std::string_view unit;
};
inline constexpr Range a_second{0, 1, "seconds"};
inline constexpr Range byte_rate{1e3, 1e16, "bytes a second"};
inline constexpr Range flop_rate{1e3, 1e16, "flops a second"};
inline constexpr Range part{1e-3, 1, "a factor"};
inline constexpr Range single_factor{0.1, 100, "a factor"};
inline constexpr Range message_bytes{0, 1e15, "bytes"};

template <class To>
void fields(To& to, Link& link) {
    to.figure("latency", link.latency, a_second);
    to.figure("bandwidth", link.bandwidth, byte_rate);
    to.figure("overhead", link.overhead,
              {0, link.latency, "seconds that are no more than the latency,"});
    to.table("by_size", link.by_size, message_bytes,
             {link.latency, 1e6, "seconds that are no less than the latency,"});
    to.no_shorter("by_size", link.by_size);
    to.table("collective", link.collective, {1, 1e15, "bytes"},
             {least_factor, most_factor, "a factor"});
}

template <class To>
void fields(To& to, Network& network) {
    to.choice("shape", network.shape, network_shapes, "there are full, tree, torus and dragonfly");
    if (network.shape == Network::Shape::tree) {
        to.figure("taper", network.taper, {1e-3, 1, "a part of the injection,"});
        to.unless(0, "leaf", network.leaf, {0, 1 << 20, "nodes"});
    }
    if (network.shape == Network::Shape::torus) {
        to.figure("dimensions", network.dimensions, {1, 6, "dimensions"});
        to.figure("link", network.link, byte_rate);
        const auto count = static_cast<double>(network.dimensions);
        to.list("extents", network.extents, {1, 1024, "nodes along a dimension"},
                {count, count, "as many as network.dimensions,"});
    }
    if (network.shape == Network::Shape::dragonfly) {
        to.require("blocks");
        to.table("blocks", network.blocks, {1, 1 << 20, "a number of nodes"}, byte_rate);
    }
}

template <class To>
void fields(To& to, MemoryRates& memory) {
    to.figure("cache", memory.cache, {0, 1e12, "bytes"});
    to.figure("copy_rate", memory.copy_rate, byte_rate);
    to.figure("pack_rate", memory.pack_rate, byte_rate);
    to.figure("cache_rate", memory.cache_rate, byte_rate);
}

template <class To>
void fields(To& to, EngineRates& rates) {
    to.figure("rate", rates.rate, flop_rate);
    to.usual("rough", rates.rough, part);
    to.usual("single", rates.single, single_factor);
    to.unless(std::string(), "instruction_set", rates.instruction_set);
}

template <class To>
void fields(To& to, HostLink& link) {
    to.figure("latency", link.latency, a_second);
    to.figure("to_device", link.to_device, byte_rate);
    to.figure("from_device", link.from_device, byte_rate);
    to.figure("pageable", link.pageable,
              {byte_rate.least, std::max(link.to_device, link.from_device),
               "bytes a second, no more than pinned memory has,"});
    to.unless(1, "shared_by", link.shared_by, {1, 1024, "a number of devices"});
}

template <class To>
void fields(To& to, PeerLink& link) {
    to.figure("latency", link.latency, a_second);
    to.figure("bandwidth", link.bandwidth, byte_rate);
}

template <class To>
void fields(To& to, DeviceEngine& engine) {
    to.figure("lines", engine.lines, byte_rate);
    to.figure("lanes", engine.lanes, byte_rate);
    to.figure("permuting", engine.permuting, byte_rate);
    to.figure("rate", engine.rate, flop_rate);
    to.usual("longest", engine.longest, {2, 1e15, "elements of a line"});
    to.usual("rough", engine.rough, part);
    to.usual("single", engine.single, single_factor);
}

template <class To>
void fields(To& to, DirectLinks& direct) {
    to.object("inside", direct.inside);
    to.object("between", direct.between);
}

/// Of devices, whose file has them in an object of their own.
struct CopyRates {
    double& copy_rate;
    double& pack_rate;
};
template <class To>
void fields(To& to, CopyRates& rates) {
    to.figure("copy_rate", rates.copy_rate, byte_rate);
    to.figure("pack_rate", rates.pack_rate, byte_rate);
}

template <class To>
void fields(To& to, Devices& devices) {
    to.figure("kind", devices.kind);
    to.figure("per_node", devices.per_node, {1, 1024, "devices"});
    to.figure("launch", devices.launch, a_second);
    to.object("host_link", devices.host_link);
    to.object("peer_link", devices.peer_link);
    CopyRates rates{devices.copy_rate, devices.pack_rate};
    to.object("memory", rates);
    to.engines(devices.engines, devices.other_engines);
    to.object("direct", devices.direct);
}

template <class To>
void fields(To& to, Congestion& congestion) {
    to.figure("messages", congestion.messages, {1, 1e15, "messages"});
    to.figure("exponent", congestion.exponent, {0, 1, "an exponent"});
}

template <class To>
void fields(To& to, Machine& machine) {
    to.figure("name", machine.name);
    to.usual("summary", machine.summary);
    to.figure("ranks_per_node", machine.ranks_per_node, {1, 1 << 20, "a number of ranks"});
    to.object("inside", machine.inside);
    to.object("between", machine.between);
    to.figure("injection", machine.injection, byte_rate);
    to.object("congestion", machine.congestion);
    to.figure("collective_batch", machine.collective_batch, {1, 1 << 30, "messages"});
    if (to.has("network")) to.object("network", machine.network);
    to.object("memory", machine.memory);
    to.engines(machine.engines, machine.other_engines);
    to.object("devices", machine.devices);
}

}  // namespace weft::core
