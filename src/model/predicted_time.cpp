#include "model/predicted_time.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "exchange/transfers.hpp"
#include "exchange/via.hpp"
#include "geometry/census.hpp"
#include "model/exchanged_side.hpp"
#include "model/price.hpp"
#include "model/region_seconds.hpp"
#include "plan/choice.hpp"
#include "plan/methods.hpp"
#include "plan/placement.hpp"

namespace weft::core {

namespace {

struct Elements {
    double real;     ///< bytes of an element before the r2c axis is transformed
    double complex;  ///< and afterwards
};

Elements elements_of(const Problem& problem) {
    if (problem.kind == Kind::redistribute) {
        const auto bytes = static_cast<double>(problem.element_bytes);
        return {bytes, bytes};
    }
    const double complex = problem.precision == Precision::f64 ? 16 : 8;
    if (problem.kind == Kind::c2c) return {complex, complex};
    return {complex / 2, problem.kind == Kind::r2r ? complex / 2 : complex};
}

Via method_of(const Choice& choice) {
    if (!choice.via.empty()) return parse_via(choice.via);
    return parse_via(default_via(choice.pack, Placements(choice).first().fuses()));
}

/// Whether ranks of a node read each other's regions on the devices.
bool reads_regions(const Placements& placements, const Machine& machine) {
    return !placements.mixed() && !goes_staged(placements.first().reach, *machine.devices) &&
           shares_regions(*machine.devices);
}

/// With the memory of a device in the place of the host's.
Machine as_device(Machine machine, const Placements& placements, bool staged) {
    const Devices& devices = *machine.devices;
    const double sharers = device_sharers(devices, placements.device_ranks(machine.ranks_per_node));
    machine.memory = {0, devices.copy_rate / sharers, devices.pack_rate / sharers, {}};
    return staged ? machine : with_direct_links(std::move(machine));
}

/// Where a rank has its arrays: in the host's memory or in a device's.
struct PricedMemory {
    Machine machine;      ///< with the memory and the links of that place
    double awaits;        ///< seconds until ranks of a node know that a region may be read
    double counter = 0;   ///< seconds for each counter of a rank besides
    bool staged = false;  ///< by the host's memory, from a device and to one
    bool on_device = false;
};

PricedMemory host_place(const Machine& machine) {
    return {machine, machine.inside.latency, counter_line_seconds(machine)};
}

PricedMemory device_place(const Machine& machine, const Placements& placements) {
    const bool staged = goes_staged(placements.first().reach, *machine.devices);
    // The host waits for the device on either side of the counters.
    const double awaits = machine.inside.latency + 2 * machine.devices->launch;
    return {as_device(machine, placements, staged), awaits, 0, staged, true};
}

/// Prices redistributions; what the objective keeps.
struct Pricing {
    Placements placements;
    Elements elements;
    bool regions;     ///< ranks of a node read each other's memory
    bool collective;  ///< messages go in MPI's collective calls
    PricedMemory usual;
    /// Of ranks that compute on the host beside others on a device.
    std::optional<PricedMemory> beside{};

    [[nodiscard]] const PricedMemory& place_of(int rank) const {
        return beside && placements.beside_device(rank) ? *beside : usual;
    }

    [[nodiscard]] Side side(const Site& site, const Distribution& mine, const Distribution& theirs,
                            int rank, double element) const {
        const bool counted = mine.list() == nullptr && theirs.list() == nullptr;
        return (counted ? counted_side : listed_side)(site, mine, theirs, rank, element, regions);
    }

    [[nodiscard]] double rank_seconds(const Redistribution& redistribution, int rank) const {
        const PricedMemory& here = place_of(rank);
        const Machine& machine = here.machine;
        const Site site{machine, redistribution.from.ranks()};
        const double element = redistribution.complex ? elements.complex : elements.real;
        double messages = 0;
        double pass = 0;
        double peers = 0;  // of the node
        double far = 0;
        double hops = 0;
        std::array<double, 2> links{};
        for (const bool sends : {true, false}) {
            const Distribution& mine = sends ? redistribution.from : redistribution.to;
            const Distribution& theirs = sends ? redistribution.to : redistribution.from;
            const Side one = side(site, mine, theirs, rank, element);
            messages = std::max(messages, exchange_seconds(site, rank, one.messages, collective));
            links[sends ? 0 : 1] = bisection_seconds(site, rank, one.messages);
            peers = std::max(peers, one.node_peers);
            if (regions && here.on_device && !sends) far = one.far;
            double own = 0;
            for (const Box& box : mine.boxes(rank)) own += static_cast<double>(box.volume());
            pass += element * own;
            if (here.staged) hops += hop_seconds(site, element * own, !sends);
        }
        messages = std::max(messages, links_seconds(links[0], links[1]));
        if (!regions) {
            return messages + hops + copy_seconds(machine.memory, pass, machine.memory.copy_rate);
        }
        const double waits = peers > 0 ? here.awaits + 3 * peers * here.counter : 0;
        // What others of the node have written, by even parts: ways that differ by the axes that
        // they cut unevenly stay equal, and so free ends are the same with every engine.
        double share = element / site.ranks;
        for (const Index extent : redistribution.to.shape()) share *= static_cast<double>(extent);
        const double of_others = share * peers / (peers + 1);
        const double memory =
            here.on_device ? std::max(pass_seconds(machine.memory, pass), far_seconds(site, far))
                           : pass_seconds(machine.memory, pass) +
                                 far_cache_seconds(machine, of_others, 2 * share);
        return std::max(messages, waits) + hops + memory;
    }

    /// Of what is read of other devices of the node.
    [[nodiscard]] double far_seconds(const Site& site, double bytes) const {
        if (bytes <= 0) return 0;
        const Devices& devices = *site.machine.devices;
        return peer_bytes_seconds(devices,
                                  device_sharers(devices, device_ranks_of_node(site)) * bytes);
    }

    /// Of all that a rank has, since nearly all of it is sent.
    [[nodiscard]] double hop_seconds(const Site& site, double bytes, bool to_device) const {
        const Devices& devices = *site.machine.devices;
        return devices.host_link.latency +
               link_sharers(devices, device_ranks_of_node(site)) *
                   hop_bytes_seconds(devices.host_link, bytes, to_device, true);
    }

    [[nodiscard]] int device_ranks_of_node(const Site& site) const {
        return placements.device_ranks(std::min(site.ranks, site.machine.ranks_per_node));
    }

    /// Of the slowest of a few ranks: at both ends, where nodes meet, and between; of either kind
    /// where some compute on devices. (Where a process grid is transposed, the first rank and the
    /// last have nothing to send.)
    [[nodiscard]] double seconds(const Redistribution& redistribution) const {
        const int ranks = redistribution.from.ranks();
        const int node = std::min(ranks, usual.machine.ranks_per_node);
        std::set<int> some;
        for (const int rank : {0, ranks / 3, ranks - 1, node - 1}) {
            const std::vector<int> kinds = placements.of_each_kind(rank, ranks);
            some.insert(kinds.begin(), kinds.end());
            some.insert(rank);
        }
        for (const Distribution* each : {&redistribution.from, &redistribution.to}) {
            if (each->list() == nullptr) some.insert(fullest_rank(*each));
        }
        double slowest = 0;
        for (const int rank : some) slowest = std::max(slowest, rank_seconds(redistribution, rank));
        return slowest;
    }
};

/// Steps of a 64th at most: less is no reason to prefer a way. Sums of such numbers are exact, so
/// ways that mirror each other weigh the same.
double rounded(double seconds) {
    constexpr double least = 0x1p-40;
    int exponent = 0;
    const double mantissa = std::frexp(std::max(seconds, least), &exponent);
    return std::ldexp(std::round(mantissa * 128), exponent - 7);
}

}  // namespace

Objective predicted_time(const Machine& machine, const Problem& problem, const Choice& choice) {
    const Via via = method_of(choice);
    // What is exchanged lies in the host's memory if the device's is bounded.
    const Placements placements(choice);
    const bool on_device = placements.first().values == MemorySpace::device;
    const bool regions = via.how().packing == Packing::region;
    const bool described = on_device && machine.devices.has_value();
    Pricing priced{placements, elements_of(problem), regions && !on_device,
                   transport(message_transport(via)).collective,
                   described ? device_place(machine, placements) : host_place(machine)};
    if (described) {
        priced.regions = regions && reads_regions(placements, machine);
        if (placements.mixed()) priced.beside = host_place(machine);
    }
    const auto pricing = std::make_shared<const Pricing>(std::move(priced));
    Objective objective;
    objective.name = "predicted-time";
    objective.balanced = true;
    objective.price = [pricing](const Redistribution& redistribution) {
        Price price = counted(redistribution);
        price.weight = rounded(pricing->seconds(redistribution));
        return price;
    };
    objective.before = [](const Price& a, const Price& b) { return a.weight < b.weight; };
    objective.better = [](const Price& a, const Price& b) {
        if (a.exchanges != b.exchanges) return a.exchanges < b.exchanges;
        return a.volume < b.volume - b.volume / 64;
    };
    return objective;
}

}  // namespace weft::core
