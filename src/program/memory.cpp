#include "program/memory.hpp"

#include <algorithm>
#include <numeric>

#include "program/lower.hpp"

namespace weft::core {

Index Memory::all_region_bytes() const {
    return std::accumulate(region_bytes.begin(), region_bytes.end(), Index{0});
}

Memory memory_of(const Program& forward, const Program& backward) {
    Memory result{std::max(forward.workspace_bytes(), backward.workspace_bytes()),
                  forward.region_bytes()};
    const std::vector<Index> other = backward.region_bytes();
    result.region_bytes.resize(std::max(result.region_bytes.size(), other.size()));
    for (std::size_t i = 0; i < other.size(); ++i) {
        result.region_bytes[i] = std::max(result.region_bytes[i], other[i]);
    }
    return result;
}

Memory memory_of(const Plan& plan, int rank, const Environment& environment) {
    return memory_of(outline(plan, rank, environment),
                     outline(reverse(plan), rank, environment.reversed()));
}

}  // namespace weft::core
