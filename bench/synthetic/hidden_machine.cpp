#include "synthetic/hidden_machine.hpp"

#include <algorithm>
#include <cmath>

namespace weft::bench {

namespace {

struct Range {
    double low = 0;
    double high = 0;
};

constexpr Range latency_inside = {1e-7, 5e-6};
constexpr Range latency_between = {5e-7, 5e-5};
constexpr Range bandwidth_inside = {1e9, 5e10};
constexpr Range bandwidth_between = {1e8, 2.5e10};
constexpr Range congestion_of_all = {1, 3};
constexpr Range copy_rate = {1e9, 2e10};
constexpr Range permuting = {0.2, 1};
constexpr Range cache_bytes = {0.25 * (1 << 20), 16.0 * (1 << 20)};
constexpr Range in_cache = {1, 4};
constexpr Range engine_rate = {1e9, 4e10};
constexpr Range rough = {0.1, 1};
constexpr Range single = {1, 2.5};

double drawn(core::Random& random, const Range& range) {
    return range.low * std::pow(range.high / range.low, uniform(random));
}

nlohmann::ordered_json ends(const Range& range) { return {range.low, range.high}; }

}  // namespace

double uniform(core::Random& random) {
    constexpr int bits = 53;
    const auto most = std::uint64_t{1} << bits;
    const double step = static_cast<double>(random.next() >> (64 - bits)) + 0.5;
    return step / static_cast<double>(most);
}

double normal(core::Random& random) {
    constexpr double pi = 3.14159265358979323846;
    const double length = std::sqrt(-2 * std::log(uniform(random)));
    return length * std::cos(2 * pi * uniform(random));
}

core::Machine hidden_machine(const core::Machine& described, int ranks, int ranks_per_node,
                             core::Random& random) {
    core::Machine machine = described;
    machine.ranks_per_node = ranks_per_node;
    machine.inside = {drawn(random, latency_inside), drawn(random, bandwidth_inside)};
    machine.between = {drawn(random, latency_between), drawn(random, bandwidth_between)};
    const Range links = {1, static_cast<double>(std::max(ranks_per_node, 1))};
    machine.injection = drawn(random, links) * machine.between.bandwidth;
    const double of_all = drawn(random, congestion_of_all);
    const double messages = std::max(ranks, 3) * (std::max(ranks, 3) - 1.0);
    machine.congestion = {2, std::log(of_all) / std::log(messages / 2)};
    machine.network = {};
    machine.memory.copy_rate = drawn(random, copy_rate);
    machine.memory.pack_rate = machine.memory.copy_rate * drawn(random, permuting);
    machine.memory.cache = drawn(random, cache_bytes);
    machine.memory.cache_rate = machine.memory.pack_rate * drawn(random, in_cache);
    for (auto& [name, rates] : machine.engines) {
        rates.rate = drawn(random, engine_rate);
        rates.rough = drawn(random, rough);
        rates.single = drawn(random, single);
    }
    return machine;
}

nlohmann::ordered_json hidden_ranges() {
    nlohmann::ordered_json ranges;
    ranges["latency_inside_s"] = ends(latency_inside);
    ranges["latency_between_s"] = ends(latency_between);
    ranges["bandwidth_inside"] = ends(bandwidth_inside);
    ranges["bandwidth_between"] = ends(bandwidth_between);
    ranges["injection_over_bandwidth"] = {1, "ranks of a node"};
    ranges["congestion_of_all"] = ends(congestion_of_all);
    ranges["copy_rate"] = ends(copy_rate);
    ranges["pack_over_copy_rate"] = ends(permuting);
    ranges["cache_bytes"] = ends(cache_bytes);
    ranges["cache_over_pack_rate"] = ends(in_cache);
    ranges["engine_flops"] = ends(engine_rate);
    ranges["rough"] = ends(rough);
    ranges["single"] = ends(single);
    return ranges;
}

}  // namespace weft::bench
