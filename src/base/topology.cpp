#include "base/topology.hpp"

#include <algorithm>

#include "base/index.hpp"
#include "base/mapped.hpp"
#include "base/variables.hpp"

namespace weft::core {

std::vector<int> Topology::sizes(const std::vector<int>& ranks) const {
    if (ranks.empty()) return {};
    if (node_of_.empty()) return {static_cast<int>(ranks.size())};
    std::vector<int> nodes = mapped(ranks, [&](int rank) { return node_of_[usize(rank)]; });
    std::sort(nodes.begin(), nodes.end());
    std::vector<int> result;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (i == 0 || nodes[i] != nodes[i - 1]) result.push_back(0);
        ++result.back();
    }
    return result;
}

int Topology::most_on_a_node(int ranks) const {
    const std::vector<int> nodes = sizes(all_below(ranks));
    return nodes.empty() ? 1 : *std::max_element(nodes.begin(), nodes.end());
}

int Topology::adjacent_on_a_node(int ranks) const {
    if (node_of_.empty()) return std::max(ranks, 1);
    int most = 1;
    for (int rank = 1, run = 1; rank < ranks; ++rank) {
        run = same_node(rank - 1, rank) ? run + 1 : 1;
        most = std::max(most, run);
    }
    return most;
}

Topology assumed_topology(int ranks) {
    const int asked = ranks_per_node_of_environment();
    return Topology(ranks, asked > 0 ? asked : usual_ranks_per_node);
}

}  // namespace weft::core
