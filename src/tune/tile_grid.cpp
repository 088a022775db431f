#include "tune/tile_grid.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/index.hpp"
#include "base/mapped.hpp"
#include "exchange/transfers.hpp"
#include "plan/choice.hpp"
#include "plan/tiling.hpp"
#include "tune/scale.hpp"

namespace weft::core {

namespace {

/// Whether a number of a grid is that one of a tiling: F is all those of polls.
bool is(const std::string& name, const TileNumber& one) {
    return name == one.name || (name == "F" && one.name.front() == 'F');
}

Index get(const Tiling& tiling, const std::string& name) {
    for (const TileNumber& one : tile_numbers) {
        if (is(name, one)) return (tiling.*one.value).value_or(0);
    }
    return 0;
}

void set(Tiling& tiling, const std::string& name, Index value) {
    for (const TileNumber& one : tile_numbers) {
        if (is(name, one)) tiling.*one.value = value;
    }
}

/// The ranks that exchange tiles with one another.
Index group_size(const Plan& plan) {
    Index size = 1;
    for (std::size_t stage = plan.pipeline->first; stage <= plan.pipeline->last; ++stage) {
        if (redistribution_at(plan, stage) == nullptr) continue;
        const auto& ranks = group(plan.at[stage].where, plan.at[stage + 1].where, 0).ranks;
        size = std::max(size, static_cast<Index>(ranks.size()));
    }
    return size;
}

/// Elements along the slowest axis but that of the tiles that a transform leaves alone.
Index across(const Plan& plan, std::size_t stage, std::size_t layout, int axis) {
    const TransformStage* transform = transform_at(plan, stage);
    if (transform == nullptr) return 1;
    const std::optional<int> free = sub_tile_axis(*transform, plan.at[layout].format, axis);
    return free ? std::max<Index>(plan.at[layout].where.largest_extent(*free), 1) : 1;
}

}  // namespace

TileGrid::TileGrid(const Plan& plan, const Tiling& asked, TileNumbers numbers)
    : tiling_(*plan.choice.tile) {
    const Pipeline& pipeline = *plan.pipeline;
    const int axis = pipeline.levels.back().axis;
    whole_ = std::max<Index>(plan.at[pipeline.last_tiled].where.largest_extent(axis), 1);
    constexpr Index most_in_flight = 4;
    if (numbers == TileNumbers::few) {
        // Sub-tiles follow the tiles.
        tiling_.pack_block = asked.pack_block;
        tiling_.pack_block_across = asked.pack_block_across;
        tiling_.unpack_block = asked.unpack_block;
        tiling_.unpack_block_across = asked.unpack_block_across;
    }
    add("T", asked.tile_extent.has_value(), log_scale(1, whole_));
    add("W", asked.tiles_in_flight.has_value(), linear_scale(0, std::min(most_in_flight, whole_)));
    if (numbers == TileNumbers::all) add_sub_tiles(plan, asked);
    if (tiling_.progress != TileProgress::poll) return;
    const std::vector<Index> polls = log_scale(0, std::max<Index>(2 * group_size(plan), 8));
    const auto given = [&](const TileNumber& one) { return (asked.*one.value).has_value(); };
    if (numbers == TileNumbers::all) {
        for (const TileNumber& one : poll_numbers) add(std::string(one.name), given(one), polls);
    } else {
        add("F", std::any_of(poll_numbers.begin(), poll_numbers.end(), given), polls);
    }
}

void TileGrid::add(const std::string& name, bool asked, std::vector<Index> scale) {
    if (!asked && scale.size() > 1) numbers_.push_back({name, std::move(scale)});
}

void TileGrid::add_sub_tiles(const Plan& plan, const Tiling& asked) {
    // Fused transforms have the engine's own sub-tiles, and the plan no numbers of them.
    if (!tiling_.pack_block && !tiling_.unpack_block) return;
    const Pipeline& pipeline = *plan.pipeline;
    const int axis = pipeline.levels.back().axis;
    const Index packed = across(plan, pipeline.first, pipeline.first, axis);
    const Index unpacked = across(plan, pipeline.last, pipeline.last + 1, axis);
    add("Px", asked.pack_block_across.has_value(), log_scale(1, packed));
    add("Pz", asked.pack_block.has_value(), log_scale(1, whole_));
    add("Uy", asked.unpack_block_across.has_value(), log_scale(1, unpacked));
    add("Uz", asked.unpack_block.has_value(), log_scale(1, whole_));
}

std::vector<int> TileGrid::steps() const {
    return mapped(numbers_,
                  [](const Number& number) { return static_cast<int>(number.scale.size()); });
}

Position TileGrid::start() const {
    return mapped(numbers_, [&](const Number& number) {
        return nearest_step(number.scale, get(tiling_, number.name));
    });
}

Tiling TileGrid::at(const Position& position) const {
    Tiling tiling = tiling_;
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
        set(tiling, numbers_[i].name, numbers_[i].scale[usize(position[i])]);
    }
    return tiling;
}

std::vector<Position> TileGrid::beside(const Position& position) const {
    std::vector<Position> result = {position};
    for (std::size_t i = 0; i < std::min<std::size_t>(numbers_.size(), 2); ++i) {
        const std::vector<Position> so_far = result;
        for (const Position& one : so_far) {
            for (const int step : {-1, 1}) {
                Position other = one;
                other[i] += step;
                const auto last = static_cast<int>(numbers_[i].scale.size()) - 1;
                if (other[i] >= 0 && other[i] <= last) result.push_back(std::move(other));
            }
        }
    }
    return result;
}

std::vector<Position> TileGrid::along_first(const Position& position) const {
    std::vector<Position> result;
    if (numbers_.empty()) return result;
    for (int step = 0; step < static_cast<int>(numbers_.front().scale.size()); ++step) {
        result.push_back(position);
        result.back().front() = step;
    }
    return result;
}

bool TileGrid::feasible(const Position& position) const {
    const Tiling tiling = at(position);
    const Index extent = *tiling.tile_extent;
    const Index tiles = (whole_ + extent - 1) / extent;
    const bool sub_tiles_fit =
        tiling.pack_block.value_or(0) <= extent && tiling.unpack_block.value_or(0) <= extent;
    // W = 0 waits for each tile; with W tiles in flight one more is computed.
    return sub_tiles_fit && *tiling.tiles_in_flight < std::max<Index>(tiles, 2);
}

}  // namespace weft::core
