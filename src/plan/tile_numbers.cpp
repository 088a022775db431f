#include "plan/tile_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "exchange/transfers.hpp"
#include "plan/choice.hpp"
#include "plan/problem.hpp"
#include "plan/tiling.hpp"

namespace weft::core {

namespace {

/// Tiles, their sub-tiles and polls have operations of their own in every rank's program, of some
/// hundred bytes each.
constexpr Index most = Index{1} << 20;

/// Parts of `extent` elements in `whole` ones.
Index parts_of(Index whole, Index extent) { return whole == 0 ? 0 : (whole - 1) / extent + 1; }

/// A product that says no more than that it is beyond `most`.
Index capped(Index a, Index b) {
    if (a == 0 || b == 0) return 0;
    return a > most || b > most || a * b > most ? most + 1 : a * b;
}

void check_tiles(Index fields, Index tiles, const Tiling& asked) {
    if (capped(fields, tiles) <= most) return;
    bad_request(fmt::format(
        "tile={}: {} tiles of a rank{}, more than {}; take a larger T{}", weft::to_string(asked),
        tiles, fields == 1 ? "" : fmt::format(" in each of {} parts of the batch", fields), most,
        fields == 1 ? "" : " or B"));
}

/// Sub-tiles of a transform at an end of the pipeline: elements along the slowest other axis that
/// it leaves alone, and along that of the tiles.
class SubTileNumbers {
  public:
    SubTileNumbers(const TransformStage* transform, const Layout& layout, int axis, Index extent)
        : extent_(std::max<Index>(extent, 1)) {
        if (transform == nullptr) return;
        const std::optional<int> free = sub_tile_axis(*transform, layout.format, axis);
        for (int one = 0; one < layout.where.axes(); ++one) {
            if (one != axis && one != free) line_ *= layout.where.largest_extent(one);
        }
        if (free) other_ = std::max<Index>(layout.where.largest_extent(*free), 1);
    }
    /// At most so many in each of so many tiles.
    void complete(Index tiles, std::optional<Index>& asked_other,
                  std::optional<Index>& asked_along) const {
        const bool open = !asked_other || !asked_along;
        // Planes that do not fit anyway are packed together: so runs are as long as tiles are wide.
        const bool fits = line_ <= sub_tile_elements;
        const Index lines = fits ? sub_tile_elements / std::max<Index>(line_, 1) : 1;
        if (!asked_other) asked_other = std::clamp<Index>(lines, 1, other_);
        Index& other = *asked_other;
        if (!asked_along) {
            asked_along = fits ? std::clamp<Index>(lines / other, 1, extent_) : extent_;
        }
        Index& along = *asked_along;
        if (!open) return;
        while (count(tiles, other, along) > most && (along < extent_ || other < other_)) {
            Index& enlarged = along < extent_ ? along : other;
            enlarged = std::min(2 * enlarged, along < extent_ ? extent_ : other_);
        }
    }
    [[nodiscard]] Index count(Index tiles, Index other, Index along) const {
        return capped(tiles, capped(parts_of(other_, other), parts_of(extent_, along)));
    }

  private:
    Index extent_;     ///< of a tile
    Index line_ = 1;   ///< elements of the axes that sub-tiles do not cut
    Index other_ = 1;  ///< of the other axis
};

Tiling complete_sub_tiles(const Plan& plan, int axis, Index tiles, const Tiling& asked,
                          Tiling tiling) {
    const Pipeline& pipeline = *plan.pipeline;
    const SubTileNumbers packed(transform_at(plan, pipeline.first), plan.at[pipeline.first], axis,
                                *tiling.tile_extent);
    const SubTileNumbers unpacked(transform_at(plan, pipeline.last), plan.at[pipeline.last + 1],
                                  axis, *tiling.tile_extent);
    packed.complete(tiles, tiling.pack_block_across, tiling.pack_block);
    unpacked.complete(tiles, tiling.unpack_block_across, tiling.unpack_block);
    if (packed.count(tiles, *tiling.pack_block_across, *tiling.pack_block) <= most &&
        unpacked.count(tiles, *tiling.unpack_block_across, *tiling.unpack_block) <= most) {
        return tiling;
    }
    bad_request(
        fmt::format("tile={}: more than {} sub-tiles of a rank in {} tiles; take larger Px, Pz, "
                    "Uy, Uz, or leave them out",
                    weft::to_string(asked), most, tiles));
}

/// Half the ranks of a group, but no more than there may be.
Tiling complete_polls(std::size_t ranks, Index tiles, const Tiling& asked, Tiling tiling) {
    const Index room = most / (static_cast<Index>(poll_numbers.size()) * tiles);
    const Index usual =
        tiling.progress == TileProgress::poll ? std::min(static_cast<Index>(ranks / 2), room) : 0;
    Index polls = 0;
    for (const TileNumber& phase : poll_numbers) {
        std::optional<Index>& number = tiling.*phase.value;
        if (!number) number = usual;
        polls = std::min(polls, most) + std::min(*number, most + 1);
    }
    if (capped(polls, tiles) <= most) return tiling;
    bad_request(
        fmt::format("tile={}: {} polls (Fy, Fp, Fu, Fx) in each of {} tiles of a rank, more than "
                    "{} together; take smaller F or a larger T",
                    weft::to_string(asked), polls, tiles, most));
}

}  // namespace

CompleteTiling complete_tiling(const Plan& plan, const Tiling& asked, int axis) {
    const Pipeline& pipeline = *plan.pipeline;
    const int batch = dims_of(plan.problem);
    Tiling tiling = asked;
    tiling.axis = axis == batch ? Decomposition::batch_axis : axis;
    const Index whole = std::max<Index>(plan.at[pipeline.last_tiled].where.largest_extent(axis), 1);
    constexpr Index default_tiles = 16;
    const Index extent =
        std::min(tiling.tile_extent.value_or(std::max<Index>(whole / default_tiles, 1)), whole);
    tiling.tile_extent = extent;
    if (!tiling.tiles_in_flight) tiling.tiles_in_flight = 2;
    const Index tiles = parts_of(whole, extent);
    Index fields = 1;
    const bool by_fields = tiling.fields_together && axis != batch;
    if (by_fields) {
        tiling.fields_together = std::min(*tiling.fields_together, plan.problem.batch);
        fields = parts_of(plan.at.front().where.largest_extent(batch), *tiling.fields_together);
    }
    check_tiles(fields, tiles, tiling);
    std::vector<TileLevel> levels;
    if (by_fields) levels.push_back({batch, *tiling.fields_together, static_cast<int>(fields)});
    levels.push_back({axis, extent, static_cast<int>(tiles)});
    bool fused = false;
    std::size_t ranks = 1;
    for (std::size_t stage = pipeline.first; stage <= pipeline.last; ++stage) {
        const RedistributionStage* redistribution = redistribution_at(plan, stage);
        if (redistribution == nullptr) continue;
        fused = fused || redistribution->pack == Pack::fused;
        const auto& before = plan.at[stage].where;
        ranks = std::max(ranks, group(before, plan.at[stage + 1].where, 0).ranks.size());
    }
    tiling = complete_polls(ranks, fields * tiles, asked, tiling);
    const bool given = tiling.pack_block_across || tiling.pack_block ||
                       tiling.unpack_block_across || tiling.unpack_block;
    if (fused && given) {
        bad_request(
            "tile: Px, Pz, Uy and Uz do not go with pack=fused, whose sub-tiles are the engine's; "
            "leave them out or take pack=sender or pack=receiver");
    }
    if (!fused) tiling = complete_sub_tiles(plan, axis, fields * tiles, asked, tiling);
    return {tiling, levels};
}

}  // namespace weft::core
