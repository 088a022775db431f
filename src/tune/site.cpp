#include "tune/site.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/index.hpp"
#include "base/text.hpp"

namespace weft::core {

namespace {

/// The nodes of all ranks, numbered in the order in which ranks meet them.
std::vector<int> numbered_nodes(const Topology& nodes, int ranks) {
    std::map<int, int> numbers;
    std::vector<int> result;
    result.reserve(usize(ranks));
    for (int rank = 0; rank < ranks; ++rank) {
        const int next = static_cast<int>(numbers.size());
        result.push_back(numbers.emplace(nodes.node_of(rank), next).first->second);
    }
    return result;
}

}  // namespace

std::string placement_of(const Topology& nodes, int ranks) {
    const std::vector<int> node = numbered_nodes(nodes, ranks);
    const int most = nodes.most_on_a_node(ranks);
    const int count = node.empty() ? 1 : *std::max_element(node.begin(), node.end()) + 1;
    bool block = true;
    bool cyclic = true;
    for (int rank = 0; rank < ranks; ++rank) {
        const int here = node[usize(rank)];
        block = block && here == rank / most;
        cyclic = cyclic && here == rank % count;
    }
    if (block) return "block";
    if (cyclic) return "cyclic";
    return fmt::format("mixed-{:x}", hash(join(node, ",")));
}

void place(TuningSite& site, const Topology& nodes, int ranks) {
    site.nodes = std::max(static_cast<int>(nodes.sizes(all_below(ranks)).size()), 1);
    site.ranks_per_node = nodes.most_on_a_node(ranks);
    site.placement = placement_of(nodes, ranks);
}

std::string to_string(const TuningSite& site) {
    return fmt::format("{}, {}, {}, nodes={}, ranks_per_node={}, placement={}, threads={}, weft={}",
                       site.processor, site.instruction_set, site.mpi, site.nodes,
                       site.ranks_per_node, site.placement, site.threads, site.weft);
}

std::string difference(const TuningSite& there, const TuningSite& here) {
    std::vector<std::string> differing;
    const auto compare = [&](const char* name, const auto& of_there, const auto& of_here) {
        if (of_there == of_here) return;
        differing.push_back(fmt::format("{} {} instead of {}", name, of_there, of_here));
    };
    compare("processor", there.processor, here.processor);
    compare("instruction set", there.instruction_set, here.instruction_set);
    compare("MPI", there.mpi, here.mpi);
    compare("nodes", there.nodes, here.nodes);
    compare("ranks per node", there.ranks_per_node, here.ranks_per_node);
    compare("placement", there.placement, here.placement);
    compare("threads", there.threads, here.threads);
    compare("weft", there.weft, here.weft);
    return fmt::format("{}", fmt::join(differing, ", "));
}

}  // namespace weft::core
