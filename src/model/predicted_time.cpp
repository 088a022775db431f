#include "model/predicted_time.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/engines.hpp"
#include "exchange/transfers.hpp"
#include "exchange/via.hpp"
#include "geometry/census.hpp"
#include "model/price.hpp"

namespace weft::core {

namespace {

/// Weights are whole numbers of these seconds: sums of them are exact, so that ways which mirror
/// each other weigh the same.
constexpr double quantum = 0x1p-40;

struct Elements {
    double real;     ///< bytes of an element before the halved axis is transformed
    double complex;  ///< and afterwards
};

Elements elements_of(const Problem& problem) {
    if (problem.kind == Kind::redistribute) {
        const auto bytes = static_cast<double>(problem.element_bytes);
        return {bytes, bytes};
    }
    const double complex = problem.precision == Precision::f64 ? 16 : 8;
    return {problem.kind == Kind::c2c ? complex : complex / 2, complex};
}

bool reads_regions(const Choice& choice) {
    const bool fuses = engine_traits(choice.engine).fuses;
    const Via via = parse_via(choice.via.empty() ? default_via(choice.pack, fuses) : choice.via);
    return via.how().packing == Packing::region;
}

std::vector<SizedMessage> messages(const std::vector<Transfer>& side, int rank, double element,
                                   const Site& site, bool regions) {
    std::vector<SizedMessage> result;
    for (const Transfer& transfer : side) {
        if (transfer.peer == rank) continue;
        if (regions && site.same_node(rank, transfer.peer)) continue;
        const double bytes = element * static_cast<double>(transfer.box.volume());
        if (!result.empty() && result.back().peer == transfer.peer) {
            result.back().bytes += bytes;
        } else {
            result.push_back({transfer.peer, bytes});
        }
    }
    return result;
}

double elements_in(const std::vector<Transfer>& side) {
    double sum = 0;
    for (const Transfer& transfer : side) sum += static_cast<double>(transfer.box.volume());
    return sum;
}

double rank_seconds(const Redistribution& redistribution, int rank, double element,
                    const Site& site, bool regions) {
    const Transfers all = transfers(redistribution.from, redistribution.to, rank);
    const auto exchanging = static_cast<int>(other_peers(all.sends, rank).size()) + 1;
    const auto side = [&](const std::vector<Transfer>& transfers) {
        return exchange_seconds(site, rank, messages(transfers, rank, element, site, regions),
                                exchanging);
    };
    const MemoryRates& memory = site.machine.memory;
    const double pass = element * (elements_in(all.sends) + elements_in(all.receives));
    return std::max(side(all.sends), side(all.receives)) +
           memory_seconds(memory, pass, memory.copy_rate);
}

}  // namespace

Objective predicted_time(const Machine& machine, const Problem& problem, const Choice& choice) {
    Objective objective;
    objective.name = "predicted-time";
    objective.asked_for = [](const Decomposition&) { return false; };
    objective.price = [machine, element = elements_of(problem),
                       regions = reads_regions(choice)](const Redistribution& redistribution) {
        const Site site{machine, redistribution.from.ranks()};
        const std::set<int> ranks = {0, site.ranks / 2, site.ranks - 1,
                                     fullest_rank(redistribution.from),
                                     fullest_rank(redistribution.to)};
        double seconds = 0;
        for (const int rank : ranks) {
            seconds = std::max(
                seconds, rank_seconds(redistribution, rank,
                                      redistribution.halved ? element.complex : element.real, site,
                                      regions));
        }
        Price price = counted(redistribution);
        price.weight = std::max(1.0, std::round(seconds / quantum));
        return price;
    };
    objective.before = [](const Price& a, const Price& b) { return a.weight < b.weight; };
    objective.better = [](const Price& a, const Price& b) {
        return std::pair{a.exchanges, a.volume} < std::pair{b.exchanges, b.volume};
    };
    return objective;
}

}  // namespace weft::core
