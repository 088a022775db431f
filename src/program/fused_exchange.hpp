// A redistribution without packing, as one rank sees it: what the step before it writes for others
// to read or to be sent to them, and what the step behind it reads in their memory or of what has
// landed.
//
// By regions both sides of a node's ranks meet in the writer's region. By messages the writer's
// value is sent as it lies, and lands as the reader reads it. Directly, either the step behind it
// reads in the input arrays of others, or the step before it writes in their output arrays.
#pragma once

#include <optional>
#include <vector>

#include "base/topology.hpp"
#include "exchange/region_parts.hpp"
#include "plan/plan.hpp"

namespace weft::core {

struct FusedExchange {
    std::optional<RegionId> region{};  ///< where others' and own parts lie in place; none: nowhere
    bool sends = false;                ///< whether there are messages; the same on every rank
    Index written_bytes = 0;           ///< of the region, or of what is sent, or of both
    Index landed_bytes = 0;
    std::vector<RegionPart> written{};  ///< by the step before it; of boxes before it
    std::vector<RegionPart> kept{};     ///< as well, but where messages land
    std::vector<RegionPart> read{};  ///< in regions or arrays, its own ones first; of boxes behind
    std::vector<RegionPart> landed{};
    RegionTask uses{};        ///< of the region
    ExchangeTask messages{};  ///< a slice for each peer
};

/// `outline`: only what the first four members say.
FusedExchange fused_exchange(const Plan& plan, std::size_t stage, int rank, const Topology& nodes,
                             bool outline);

}  // namespace weft::core
