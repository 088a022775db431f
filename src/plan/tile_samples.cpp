#include "plan/tile_samples.hpp"

#include <algorithm>

#include "plan/tiling.hpp"

namespace weft::core {

namespace {

/// More than twice `more` are many.
CountSamples samples_of(int all, Index few, Index more) {
    if (all <= 2 * more) return {all, all, all};
    return {all, static_cast<int>(few), static_cast<int>(more)};
}

/// Whether all ranks have as many tiles along the axis, and each has full ones but for its last.
bool alike_on_all_ranks(const Plan& plan, int axis) {
    const Pipeline& pipeline = *plan.pipeline;
    for (std::size_t i = pipeline.first_tiled; i <= pipeline.last_tiled; ++i) {
        const Distribution& where = plan.at[i].where;
        if (where.list() != nullptr) return false;
        const Partition cut = where.partition(axis);
        if (cut.parts > 1 && !cut.even()) return false;
    }
    return true;
}

}  // namespace

TileCounts all_tiles(const Plan& plan) {
    if (!plan.pipeline) return {};
    const std::vector<TileLevel>& levels = plan.pipeline->levels;
    return {levels.size() == 2 ? levels.front().count : 1, levels.back().count};
}

TileSamples tile_samples(const Plan& plan) {
    if (!plan.pipeline) return {};
    const TileCounts all = all_tiles(plan);
    Index exchanges = 0;
    for (std::size_t stage = plan.pipeline->first; stage <= plan.pipeline->last; ++stage) {
        if (redistribution_at(plan, stage) != nullptr) ++exchanges;
    }
    // Where all may be in flight, each further one is as well.
    const Index most = Index{all.fields} * all.tiles;
    const Index in_flight = *tiling_of(plan).tiles_in_flight;
    const Index within = in_flight < most ? std::max<Index>(in_flight, 1) : 1;
    const Index few = within * exchanges + 2 * (within + 1);
    const Index more = few + 2 * (within + 1);
    const auto samples = [&](int count, const TileLevel& level) {
        if (!alike_on_all_ranks(plan, level.axis)) return CountSamples{count, count, count};
        return samples_of(count, few, more);
    };
    const std::vector<TileLevel>& levels = plan.pipeline->levels;
    return {samples(all.fields, levels.front()), samples(all.tiles, levels.back())};
}

}  // namespace weft::core
