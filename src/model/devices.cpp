#include "model/devices.hpp"

#include <algorithm>
#include <cmath>

#include "base/cost.hpp"

namespace weft::core {

namespace {

int quotient_up(int a, int b) { return (a + b - 1) / b; }

double memory_rate(const DeviceEngine& engine, LinesLie lie) {
    switch (lie) {
        case LinesLie::lines:
            return engine.lines;
        case LinesLie::lanes:
            return engine.lanes;
        case LinesLie::permuting:
            break;
    }
    return engine.permuting;
}

/// Times that lines go through memory.
double passes(const DeviceEngine& engine, Index length) {
    const auto n = static_cast<double>(length);
    if (n <= engine.longest) return 1;
    return std::ceil(std::log(n) / std::log(engine.longest) - 1e-9);
}

/// As described, or as what else is known of how far devices are from each other.
PeerLink peer_link(const Devices& devices) {
    if (devices.peer_link) return *devices.peer_link;
    if (devices.direct) return {0, devices.direct->inside.bandwidth};
    return {0, std::min(devices.host_link.to_device, devices.host_link.from_device)};
}

}  // namespace

int device_sharers(const Devices& devices, int node_ranks) {
    return std::max(1, quotient_up(node_ranks, devices.per_node));
}

int link_sharers(const Devices& devices, int node_ranks) {
    const int used = std::min(node_ranks, devices.per_node);
    return device_sharers(devices, node_ranks) * std::clamp(used, 1, devices.host_link.shared_by);
}

bool same_device(const Devices& devices, int node_ranks, int node_rank, int other) {
    const int sharers = device_sharers(devices, node_ranks);
    return node_rank / sharers == other / sharers;
}

bool shares_regions(const Devices& devices) {
    return devices.peer_link.has_value() || devices.per_node == 1;
}

const DeviceEngine& device_engine(const Devices& devices, std::string_view engine) {
    const auto found = devices.engines.find(std::string(engine));
    return found != devices.engines.end() ? found->second
                                          : devices.engines.at(devices.other_engines);
}

double pass_seconds(const DeviceEngine& engine, const LinePass& pass, bool single) {
    const double memory = passes(engine, pass.length) * pass.bytes / memory_rate(engine, pass.lie);
    const double arithmetic = pass.flops / (engine.rate * (single ? engine.single : 1));
    return std::max(memory, arithmetic) / (smooth(pass.length) ? 1 : engine.rough);
}

double peer_bytes_seconds(const Devices& devices, double bytes) {
    if (bytes <= 0) return 0;
    const PeerLink link = peer_link(devices);
    return link.latency + bytes / link.bandwidth;
}

double hop_bytes_seconds(const HostLink& link, double bytes, bool to_device, bool pinned) {
    const double rate = to_device ? link.to_device : link.from_device;
    return bytes / (pinned || !link.pageable ? rate : std::min(rate, *link.pageable));
}

bool goes_staged(Reach reach, const Devices& devices) {
    return reach == Reach::open ? !devices.direct : reach == Reach::host;
}

}  // namespace weft::core
