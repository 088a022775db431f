#include "plan/tile_samples.hpp"

#include <algorithm>

#include "plan/tiling.hpp"

namespace weft::core {

namespace {

/// `most`: more than that are many.
CountSamples samples_of(int all, int few, int more) {
    return all > 2 * more ? CountSamples{all, few, more} : CountSamples{all, all, all};
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
    const auto few = static_cast<int>(std::min<Index>(within * exchanges + 2 * (within + 1), most));
    const auto step = static_cast<int>(std::min<Index>(2 * (within + 1), most));
    return {samples_of(all.fields, few, few + step), samples_of(all.tiles, few, few + step)};
}

}  // namespace weft::core
