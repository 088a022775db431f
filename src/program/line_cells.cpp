#include "program/line_cells.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/index.hpp"
#include "base/mapped.hpp"
#include "base/text.hpp"
#include "program/real_parts.hpp"

namespace weft::core {

namespace {

using Parts = std::vector<const PlacedBox*>;

/// A loop around the lines of a cell: `extent` steps of so many indices of an axis.
struct CellLoop {
    int axis = 0;
    Index extent = 1;
    Index step = 0;
};

/// The tasks of lines, cell by cell.
class LineCells {
  public:
    LineCells(const Lines& lines, std::optional<int> repeat, Box box, PartLimit& limit, FusedOp& op)
        : lines_(lines), repeat_(repeat), cell_(std::move(box)), limit_(limit), op_(op) {}

    /// Of the cells within the spans chosen so far.
    void add(const Sides& sides) {
        if (spans_.size() == lines_.around.size()) {
            limit_.count(segment_count(sides.from) + segment_count(sides.to));
            return add_task(sides);
        }
        const int axis = lines_.around[spans_.size()];
        const auto a = usize(axis);
        const Box whole = cell_;
        for (const auto& [span, within] : cut(sides, axis, whole)) {
            cell_.lo[a] = span.begin;
            cell_.hi[a] = span.begin + span.extent;
            spans_.push_back(span);
            add(within);
            spans_.pop_back();
        }
        cell_ = whole;
    }

  private:
    void add_task(const Sides& sides) const {
        const std::vector<CellLoop> loops = this->loops();
        FusedLines result{.line = lines_.line,
                          .caches = lines_.caches,
                          .from = segments(sides.from, loops),
                          .to = segments(sides.to, loops)};
        for (const CellLoop& loop : loops) result.loops.push_back(loop.extent);
        if (!spans_.empty()) result.lanes = spans_.back().extent;
        int lanes = spans_.empty() ? lines_.axis : lines_.around.back();
        while (joins_lanes(result)) {
            lanes = loops[result.loops.size() - 1].axis;
            result.lanes *= result.loops.back();
            result.loops.pop_back();
            for (auto* side : {&result.from, &result.to}) {
                for (Segments& one : *side) one.strides.pop_back();
            }
        }
        result.reads_beyond = have_room(sides.from, lanes, result.lanes);
        result.writes_beyond = have_room(sides.to, lanes, result.lanes);
        if (lines_.complex) result = on_real_parts(std::move(result));
        op_.work.emplace_back(std::move(result));
    }
    /// Whether the steps of the last loop, not the operation's, are lanes that follow those there
    /// are, on both sides.
    static bool joins_lanes(const FusedLines& lines) {
        const auto follows = [&](const Segments& one) {
            return one.strides.back() == lines.lanes * one.first.lane_step;
        };
        return lines.loops.size() > 1 && lines.loops.back() > 1 &&
               std::all_of(lines.from.begin(), lines.from.end(), follows) &&
               std::all_of(lines.to.begin(), lines.to.end(), follows);
    }
    [[nodiscard]] std::vector<CellLoop> loops() const {
        std::vector<CellLoop> result = {{lines_.axis, 1, 0}};
        if (repeat_) {
            const Index extent = cell_.extent(*repeat_);
            result.front() = {*repeat_, extent, extent > 1 ? 1 : 0};
        }
        for (std::size_t i = 0; i < spans_.size(); ++i) {
            const auto& [begin, extent, count] = spans_[i];
            if (count > 1) result.push_back({lines_.around[i], count, extent});
        }
        // The last of the inner loops counts the lanes.
        for (std::size_t i = 0; i + 1 < spans_.size(); ++i) {
            const Index extent = spans_[i].extent;
            if (extent > 1) result.push_back({lines_.around[i], extent, 1});
        }
        return result;
    }
    [[nodiscard]] std::vector<Segments> segments(const Parts& parts,
                                                 const std::vector<CellLoop>& loops) const {
        std::vector<Segments> result;
        std::vector<Index> strides(loops.size());
        for (const PlacedBox* part : parts) {
            const BlockedBox& where = part->where;
            for (std::size_t k = 0; k < loops.size(); ++k) {
                const auto& [axis, extent, step] = loops[k];
                const Index first = cell_.lo[usize(axis)];
                strides[k] = where.distance(axis, first + step) - where.distance(axis, first);
            }
            Index offset = where.stored.offset;
            for (int axis = 0; axis < cell_.axes(); ++axis) {
                if (axis != lines_.axis) offset += where.distance(axis, cell_.lo[usize(axis)]);
            }
            // A line that goes along the blocks of a part has a segment in each of them.
            const Index extent = where.block_extent(lines_.axis);
            for (Index first = where.lo(lines_.axis); first < where.hi(lines_.axis);
                 first += extent) {
                const LineSegment segment = this->segment(where, first, extent);
                const bool alike = !result.empty() && result.back().strides == strides &&
                                   result.back().segment(result.back().begins.size()) == segment;
                if (!alike) result.push_back({segment, strides, {}});
                result.back().begins.push_back(
                    {part->place, offset + where.distance(lines_.axis, first)});
            }
        }
        return result;
    }
    [[nodiscard]] LineSegment segment(const BlockedBox& where, Index first, Index extent) const {
        return {.first = first,
                .extent = extent,
                .step = extent > 1 ? where.stride(lines_.axis) : 1,
                .lane_step = spans_.empty() ? 0 : where.stride(lines_.around.back())};
    }
    /// Of a line.
    [[nodiscard]] std::size_t segment_count(const Parts& parts) const {
        Index count = 0;
        for (const PlacedBox* part : parts) {
            const BlockedBox& where = part->where;
            const Index extent = where.hi(lines_.axis) - where.lo(lines_.axis);
            count += where.cuts(lines_.axis) ? extent / where.blocks->extent : 1;
        }
        return usize(count);
    }
    /// Whether all can be read (written) up to the end of a last tile of lanes, which are so many
    /// and go along the axis and faster ones.
    [[nodiscard]] bool have_room(const Parts& parts, int axis, Index lanes) const {
        if (spans_.empty()) return false;
        const Index tile = tile_bytes / Scalar{lines_.line.precision, true}.bytes();
        return std::all_of(parts.begin(), parts.end(), [&](const PlacedBox* part) {
            const BlockedBox& where = part->where;
            const Index first = where.since_block(axis, cell_.lo[usize(axis)]);
            const Index since = first * where.stride(axis);
            const bool ends_there = first + cell_.extent(axis) == where.block_extent(axis);
            const Index end = (since + lanes + tile - 1) / tile * tile;
            const auto is_within = [&](Index stride) { return lanes <= stride && stride < end; };
            const std::vector<Index>& strides = where.stored.strides;
            return part->padded && where.stride(lines_.around.back()) == 1 && since % tile == 0 &&
                   (ends_there || lanes % tile == 0) &&
                   std::none_of(strides.begin(), strides.end(), is_within);
        });
    }

    const Lines& lines_;
    std::optional<int> repeat_;
    Box cell_;  ///< the first of equal cells
    PartLimit& limit_;
    FusedOp& op_;
    std::vector<Span> spans_{};  ///< one for each of the first axes around lines
};

}  // namespace

std::vector<std::pair<Span, Sides>> cut(const Sides& sides, int axis, const Box& box) {
    AxisCuts cuts(axis, box.lo[usize(axis)], box.hi[usize(axis)]);
    for (const auto* side : {&sides.from, &sides.to}) {
        for (const PlacedBox* part : *side) cuts.add(part->where);
    }
    std::vector<std::pair<Span, Sides>> result;
    for (const Span& span : cuts.spans()) result.emplace_back(span, Sides{});
    const auto deal = [&](Parts Sides::*side) {
        const auto before = [](const auto& one, Index index) { return one.first.begin < index; };
        for (const PlacedBox* part : sides.*side) {
            auto one = std::lower_bound(result.begin(), result.end(), part->where.lo(axis), before);
            for (; one != result.end() && one->first.begin < part->where.hi(axis); ++one) {
                (one->second.*side).push_back(part);
            }
        }
    };
    deal(&Sides::from);
    deal(&Sides::to);
    return result;
}

std::vector<int> lanes_last(std::vector<int> axes, const Sides& sides) {
    const auto value = [&](int axis) {
        const auto adjacent = [&](const Parts& side) {
            return std::any_of(side.begin(), side.end(), [&](const PlacedBox* part) {
                return part->where.stride(axis) == 1;
            });
        };
        const Index extent = sides.to.front()->where.block_extent(axis);
        const int value = (adjacent(sides.to) ? 2 : 0) + (adjacent(sides.from) ? 1 : 0);
        return std::pair(extent > 1 ? value : -1, extent);
    };
    const std::vector<std::pair<int, Index>> values = mapped(axes, value);
    if (axes.empty()) return axes;
    const auto lanes =
        axes.begin() + (std::max_element(values.begin(), values.end()) - values.begin());
    std::rotate(lanes, lanes + 1, axes.end());
    return axes;
}

void PartLimit::count(std::size_t parts) {
    count_ += parts;
    if (count_ <= most_) return;
    bad_request(
        fmt::format("a transform of rank {} beside a redistribution without packing would name "
                    "more than {} parts of lines: the rank's boxes meet boxes of others in too "
                    "many ways; pack messages instead, via=alltoallv; pack=sender",
                    rank_, most_));
}

void add_lines(const Lines& lines, std::optional<int> repeat, const Box& box, const Sides& sides,
               PartLimit& limit, FusedOp& op) {
    LineCells(lines, repeat, box, limit, op).add(sides);
}

}  // namespace weft::core
