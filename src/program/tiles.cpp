// The stages that tiles go through, lowered tile by tile.
#include <fmt/format.h>

#include <optional>

#include "base/text.hpp"
#include "exchange/transfers.hpp"
#include "program/layout_tasks.hpp"
#include "program/rules/rule.hpp"

namespace weft::core {

namespace {

/// Where tiles along an axis lie in a box of a rank: element i along the axis in bytes
/// [i * unit, (i + 1) * unit) behind each multiple of `period`.
struct TilePlaces {
    Index unit = 0;
    Index period = 0;
    bool operator==(const TilePlaces&) const = default;
};

/// None if a tile has no such places: its bytes do not lie together, or the rank has several boxes.
std::optional<TilePlaces> tile_places(const Layout& layout, int axis, int rank) {
    const std::vector<StoredBox> boxes = layout.stored(rank);
    if (boxes.size() != 1) return {};
    const auto& [box, offset, strides] = boxes.front();
    const Index unit = strides[usize(axis)];
    const Index period = unit * box.extent(axis);
    Index inside = 1;  // elements from the first of those with one place along the axis to the last
    for (int other = 0; other < layout.where.axes(); ++other) {
        const Index stride = strides[usize(other)];
        if (other == axis || box.extent(other) == 1) continue;
        if (stride < unit) inside += (box.extent(other) - 1) * stride;
        if (stride >= unit && stride % period != 0) return {};
    }
    if (inside > unit) return {};
    return TilePlaces{unit * layout.scalar.bytes(), period * layout.scalar.bytes()};
}

/// Whether no tile that the stages of the tiles make lies where another one lies before them.
///
/// Example: 8 x 6 x 4 elements on 2 ranks, tiles of 2 along axis 2. A rank has x, y, z of 4 x 6 x 4
/// before the tiles and y, x, z of 3 x 8 x 4 behind them. On both sides tile 0 is the elements 0 and
/// 1 of each four, so the second array may be made over the first.
bool tiles_keep_places(const Plan& plan, int rank) {
    const Pipeline& pipeline = *plan.pipeline;
    const std::size_t behind = pipeline.last + 1;
    // A redistribution alone may send from the one array while it receives in the other.
    if (pipeline.levels.size() != 1 || pipeline.first == pipeline.last) return false;
    if (pipeline.first_tiled != pipeline.first || pipeline.last_tiled != behind) return false;
    const int axis = pipeline.levels.front().axis;
    const Layout& before = plan.at[pipeline.first];
    if (before.count(rank) == 0 || plan.at[behind].count(rank) == 0) return true;
    const auto places = tile_places(before, axis, rank);
    return places && places == tile_places(plan.at[behind], axis, rank);
}

class TiledLowering {
  public:
    TiledLowering(const Lowering& whole, const TileCounts& some)
        : whole_(whole),
          plan_(whole.plan),
          draft_(whole.draft),
          pipeline_(*plan_.pipeline),
          all_(all_tiles(plan_)),
          some_(some) {}

    ValueId lower() {
        choose_values();
        const std::size_t behind = pipeline_.last + 1;
        for (int i = 0; i < some_.fields; ++i) {
            const int field = numbered(i, some_.fields, all_.fields);
            if (has_head()) lower_part(part(0, pipeline_.first, field), 0, input_, before_);
            for (int tile = 0; tile < some_.tiles; ++tile) {
                lower_tile(field, numbered(tile, some_.tiles, all_.tiles), i * some_.tiles + tile);
            }
            if (!has_tail()) continue;
            lower_part(part(behind, plan_.stages.size(), field), behind, after_, output_);
        }
        return output_;
    }

  private:
    /// The number of part i of some, of which the last one is the last of all.
    static int numbered(int i, int some, int all) { return i + 1 == some ? all - 1 : i; }
    [[nodiscard]] bool has_head() const { return pipeline_.first > 0; }
    [[nodiscard]] bool has_tail() const { return pipeline_.last + 1 < plan_.stages.size(); }
    [[nodiscard]] bool by_fields() const { return pipeline_.levels.size() == 2; }
    [[nodiscard]] ValueId value(std::size_t layout) const {
        return draft_.add(Value{plan_.at[layout].bytes(draft_.rank)});
    }

    /// The values that whole stages make and tiles read, or the other way round.
    void choose_values() {
        const bool keep_places = tiles_keep_places(plan_, draft_.rank);
        // Fields that are made, or tiles, would take the place of others that are still to be read.
        const bool one_array = !has_head() && !has_tail() && !keep_places;
        if (plan_.problem.in_place && (one_array || by_fields())) copy_input();
        before_ = has_head() ? value(pipeline_.first) : input_;
        after_ = value(pipeline_.last + 1);
        output_ = has_tail() ? value(plan_.stages.size()) : after_;
        if (!keep_places) return;
        draft_.values[usize(after_)].over = before_;
        draft_.values[usize(after_)].over_in_parts = true;
    }
    void copy_input() {
        const Layout& layout = plan_.at.front();
        copy_.emplace(Layout{layout.where, dense(layout.format), layout.scalar});
        input_ = draft_.add(Value{copy_->bytes(draft_.rank)});
        whole_.copy(0, Purpose::reorder, copies_between(layout, *copy_, draft_.rank), input_value,
                    input_);
    }

    /// Stages `first` to `end` of the plan, of one field or of all, as a plan of its own with
    /// layouts as they are.
    [[nodiscard]] Plan part(std::size_t first, std::size_t end, int field) const {
        Plan result;
        result.problem = plan_.problem;
        result.ranks = plan_.ranks;
        result.choice = plan_.choice;
        result.placements = plan_.placements;
        result.backward = plan_.backward;
        const auto begin = static_cast<std::ptrdiff_t>(first);
        const auto behind = static_cast<std::ptrdiff_t>(end);
        result.stages.assign(plan_.stages.begin() + begin, plan_.stages.begin() + behind);
        result.at.assign(plan_.at.begin() + begin, plan_.at.begin() + behind + 1);
        if (first == 0 && copy_) result.at.front() = *copy_;
        if (by_fields()) cut(result, pipeline_.levels.front(), field, 0, end - first);
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

    /// `name`: of that tile in the program.
    void lower_tile(int field, int number, int name) const {
        Plan stages = part(pipeline_.first, pipeline_.last + 1, field);
        cut(stages, pipeline_.levels.back(), number, pipeline_.first_tiled - pipeline_.first,
            pipeline_.last_tiled - pipeline_.first);
        lower_part(stages, pipeline_.first, before_, after_, name);
    }
    /// Stages of the plan, the first of which is number `first` of it, from one value to another.
    void lower_part(const Plan& stages, std::size_t first, ValueId from, ValueId to,
                    std::optional<int> tile = {}) const {
        Lowering part{stages, whole_.environment, draft_, whole_.mode, static_cast<int>(first)};
        part.mode.outlines = false;
        part.shares_ends = first == pipeline_.first || by_fields();
        part.keeps_first = part.shares_ends || (first == 0 && whole_.keeps_first);
        part.tile = tile;
        part.here = from;
        part.last = to;
        lower_stages(part);
    }

    const Lowering& whole_;
    const Plan& plan_;
    Draft& draft_;
    const Pipeline& pipeline_;
    TileCounts all_;
    TileCounts some_;  ///< that are lowered
    ValueId input_ = input_value;
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

void lower_tiles(Lowering& whole, const TileCounts& some) {
    check_messages(whole.plan, whole.rank());
    whole.here = TiledLowering(whole, some).lower();
}

}  // namespace weft::core
