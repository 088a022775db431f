#include "model/fit.hpp"

#include <algorithm>
#include <cmath>

namespace weft::core {

Table ascending(Table table) {
    // Pools adjacent violators: each block has the mean of what it holds.
    struct Block {
        double sum;
        std::size_t count;
        [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
    };
    std::vector<Block> blocks;
    for (const TablePoint& point : table) {
        blocks.push_back({point.y, 1});
        while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() > blocks.back().mean()) {
            const Block last = blocks.back();
            blocks.pop_back();
            blocks.back() = {blocks.back().sum + last.sum, blocks.back().count + last.count};
        }
    }
    std::size_t next = 0;
    for (const Block& block : blocks) {
        for (std::size_t i = 0; i < block.count; ++i) table[next++].y = block.mean();
    }
    return table;
}

Link fitted_link(const Table& seconds) {
    Link link;
    link.by_size = ascending(seconds);
    const TablePoint& last = link.by_size.back();
    link.latency = link.by_size.front().y;
    // A network without any cost for bytes is beyond what a clock can tell.
    link.bandwidth = last.x / std::max(last.y - link.latency, 1e-3 * last.y);
    return link;
}

Table fitted_collective(const Table& collective, const Table& one_by_one) {
    Table factors;
    for (std::size_t i = 0; i < std::min(collective.size(), one_by_one.size()); ++i) {
        const double factor = collective[i].y / one_by_one[i].y;
        factors.push_back({collective[i].x, std::clamp(factor, least_factor, most_factor)});
    }
    return factors;
}

std::optional<Congestion> fitted_congestion(const Table& seconds, const Machine& machine,
                                            double bytes, int node_ranks) {
    const double latency = machine.between.latency;
    const double transfer = message_seconds(machine, false, bytes, 1, node_ranks) - latency;
    double products = 0;
    double squares = 0;
    for (const TablePoint& point : seconds) {
        const double factor = std::clamp((point.y - latency) / transfer, 1.0, most_factor);
        const double more = std::log(point.x / seconds.front().x);
        products += more * std::log(factor);
        squares += more * more;
    }
    if (products <= 0) return std::nullopt;
    return Congestion{seconds.front().x, std::min(products / squares, 1.0)};
}

MemoryRates fitted_memory(const Table& copies, double permuting_seconds) {
    const auto rate = [](const TablePoint& point) { return point.x / point.y; };
    double best = 0;
    for (const TablePoint& point : copies) best = std::max(best, rate(point));
    MemoryRates memory;
    memory.copy_rate = rate(copies.back());
    memory.pack_rate = copies.back().x / permuting_seconds;
    const double between = std::sqrt(best * memory.copy_rate);
    for (const TablePoint& point : copies) {
        if (rate(point) > between) memory.cache = point.x;
    }
    return memory;
}

}  // namespace weft::core
