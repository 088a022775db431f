#include "program/tiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "exchange/transfers.hpp"
#include "program/layout_tasks.hpp"
#include "program/rules/rule.hpp"

namespace weft::core {

Tiling tiling_of(const Plan& plan) {
    Tiling tiling = *plan.choice.tile;
    if (plan.backward) {
        std::swap(tiling.pack_block_across, tiling.unpack_block_across);
        std::swap(tiling.pack_block, tiling.unpack_block);
        std::swap(tiling.polls_transforming, tiling.polls_finishing);
        std::swap(tiling.polls_packing, tiling.polls_unpacking);
    }
    return tiling;
}

namespace {

/// Some stages of a plan as a plan of its own, with layouts as they are.
Plan stages_of(const Plan& plan, std::size_t first, std::size_t last) {
    Plan result;
    result.problem = plan.problem;
    result.ranks = plan.ranks;
    result.choice = plan.choice;
    result.backward = plan.backward;
    const auto begin = static_cast<std::ptrdiff_t>(first);
    const auto end = static_cast<std::ptrdiff_t>(last) + 1;
    result.stages.assign(plan.stages.begin() + begin, plan.stages.begin() + end);
    result.at.assign(plan.at.begin() + begin, plan.at.begin() + end + 1);
    return result;
}

class TiledLowering {
  public:
    explicit TiledLowering(const Lowering& whole)
        : whole_(whole),
          plan_(whole.plan),
          draft_(whole.draft),
          pipeline_(*plan_.pipeline),
          fields_(by_fields() ? pipeline_.levels.front().count : 1),
          of_field_(pipeline_.levels.back().count) {}

    ValueId lower() {
        choose_values();
        for (int field = 0; field < fields_; ++field) {
            if (has_head()) lower_whole(0, pipeline_.first - 1, field, input_, before_);
            for (int tile = 0; tile < of_field_; ++tile) lower_tile(field, tile);
            if (!has_tail()) continue;
            lower_whole(pipeline_.last + 1, plan_.stages.size() - 1, field, after_, output_);
        }
        return output_;
    }

  private:
    [[nodiscard]] bool has_head() const { return pipeline_.first > 0; }
    [[nodiscard]] bool has_tail() const { return pipeline_.last + 1 < plan_.stages.size(); }
    [[nodiscard]] bool by_fields() const { return pipeline_.levels.size() == 2; }
    [[nodiscard]] ValueId value(std::size_t layout) const {
        return draft_.add(Value{plan_.at[layout].bytes(draft_.rank)});
    }

    /// The values that whole stages make and tiles read, or the other way round.
    void choose_values() {
        // Tiles (fields) that are made would take the place of others that are still to be read.
        if (plan_.problem.in_place && (!has_head() || by_fields())) copy_input();
        before_ = has_head() ? value(pipeline_.first) : input_;
        after_ = value(pipeline_.last + 1);
        output_ = has_tail() ? value(plan_.stages.size()) : after_;
    }
    void copy_input() {
        const Layout& layout = plan_.at.front();
        copy_.emplace(Layout{layout.where, dense(layout.format), layout.scalar});
        input_ = draft_.add(Value{copy_->bytes(draft_.rank)});
        whole_.copy(0, Purpose::reorder, copies_between(layout, *copy_, draft_.rank), 0, input_);
    }

    [[nodiscard]] Plan part(std::size_t first, std::size_t last) const {
        Plan result = stages_of(plan_, first, last);
        if (first == 0 && copy_) result.at.front() = *copy_;
        return result;
    }
    /// Layouts of that number on become tiles: those at the ends as they lie in the whole array.
    static void cut(Plan& part, const TileLevel& level, int number, std::size_t first,
                    std::size_t last) {
        const Tile tile{level.axis, level.extent, number};
        for (std::size_t i = first; i <= last; ++i) {
            const bool end = i == 0 || i + 1 == part.at.size();
            part.at[i] = end ? part.at[i].tile_within(tile) : part.at[i].tile(tile);
        }
    }
    void cut_field(Plan& part, int field) const {
        if (by_fields()) cut(part, pipeline_.levels.front(), field, 0, part.stages.size());
    }

    void lower_tile(int field, int number) const {
        Plan stages = part(pipeline_.first, pipeline_.last);
        cut_field(stages, field);
        cut(stages, pipeline_.levels.back(), number, pipeline_.first_tiled - pipeline_.first,
            pipeline_.last_tiled - pipeline_.first);
        Lowering tile = part_of(stages, pipeline_.first, before_, after_);
        const Tiling tiling = tiling_of(plan_);
        tile.sub_tiles =
            SubTiles{pipeline_.levels.back().axis, tiling.pack_block, tiling.pack_block_across,
                     tiling.unpack_block, tiling.unpack_block_across};
        tile.tile = field * of_field_ + number;
        lower_stages(tile);
    }
    /// Stages that no tiles go through, of one field or of all.
    void lower_whole(std::size_t first, std::size_t last, int field, ValueId from,
                     ValueId to) const {
        Plan stages = part(first, last);
        cut_field(stages, field);
        Lowering part = part_of(stages, first, from, to);
        lower_stages(part);
    }
    /// Stages of the plan, the first of which is number `first` of it, from one value to another.
    [[nodiscard]] Lowering part_of(const Plan& stages, std::size_t first, ValueId from,
                                   ValueId to) const {
        Lowering part{stages, whole_.nodes, draft_, false, whole_.why, static_cast<int>(first)};
        part.shares_ends = first == pipeline_.first || by_fields();
        part.keeps_first = part.shares_ends || first == 0;
        part.here = from;
        part.last = to;
        return part;
    }

    const Lowering& whole_;
    const Plan& plan_;
    Draft& draft_;
    const Pipeline& pipeline_;
    int fields_;
    int of_field_;  ///< tiles of each field
    ValueId input_ = 0;
    ValueId before_ = 0;
    ValueId after_ = 0;
    ValueId output_ = 0;
    std::optional<Layout> copy_;  ///< of the input, where that does not stay
};

/// The program of every tile names all messages of its own, at some 7 us and 400 bytes for each.
void check_messages(const Plan& plan, int rank) {
    constexpr Index most = Index{1} << 20;
    Index tiles = 1;
    for (const TileLevel& level : plan.pipeline->levels) tiles *= level.count;
    Index messages = 0;
    for (std::size_t stage = plan.pipeline->first; stage <= plan.pipeline->last; ++stage) {
        if (redistribution_at(plan, stage) == nullptr) continue;
        const auto all = sends(plan.at[stage].where, plan.at[stage + 1].where, rank);
        messages += static_cast<Index>(all.size());
    }
    if (messages <= most / tiles) return;
    bad_request(
        fmt::format("tile={}: {} messages of rank {} in each of {} tiles, more than {} together; "
                    "take a larger T, or cut more axes, so that each rank sends to fewer",
                    weft::to_string(*plan.choice.tile), messages, rank, tiles, most));
}

}  // namespace

void lower_tiles(Lowering& whole) {
    check_messages(whole.plan, whole.rank());
    whole.here = TiledLowering(whole).lower();
}

}  // namespace weft::core
