#include "base/topology.hpp"

#include <cstdlib>
#include <map>

namespace weft::core {

std::vector<int> Topology::sizes(const std::vector<int>& ranks) const {
    if (ranks.empty()) return {};
    if (node_of_.empty()) return {static_cast<int>(ranks.size())};
    std::map<int, int> counts;
    for (const int rank : ranks) ++counts[node_of_[static_cast<std::size_t>(rank)]];
    std::vector<int> result;
    result.reserve(counts.size());
    for (const auto& [node, count] : counts) result.push_back(count);
    return result;
}

int ranks_per_node_of_environment() {
    const char* text = std::getenv("WEFT_RANKS_PER_NODE");
    return text == nullptr ? 0 : std::atoi(text);
}

Topology assumed_topology(int ranks) {
    const int asked = ranks_per_node_of_environment();
    return Topology(ranks, asked > 0 ? asked : usual_ranks_per_node);
}

}  // namespace weft::core
