#include "program/line_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.hpp"

namespace weft::core {

namespace {

std::size_t position(int axis) { return static_cast<std::size_t>(axis); }

std::vector<const PlacedBox*> pointers(const std::vector<PlacedBox>& parts) {
    std::vector<const PlacedBox*> result;
    result.reserve(parts.size());
    for (const PlacedBox& part : parts) result.push_back(&part);
    return result;
}

template <class T>
void make_unique(std::vector<T>& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
}

/// Blocks along an axis: between `begin` and `end` one of so many indices after the other.
struct Grating {
    Index begin = 0;
    Index end = 0;
    Index extent = 1;
    /// The first edge behind that index.
    [[nodiscard]] Index next(Index index) const {
        return begin + ((index - begin) / extent + 1) * extent;
    }
    /// Whether both have their edges at the same indices.
    [[nodiscard]] bool agrees(const Grating& other) const {
        return extent == other.extent && (begin - other.begin) % extent == 0;
    }
    auto operator<=>(const Grating&) const = default;
};

/// The spans of an interval that lies within all of these gratings.
void append_spans(Index begin, Index end, const std::vector<Grating>& gratings,
                  std::vector<Span>& result) {
    const bool alike = std::all_of(gratings.begin(), gratings.end(), [&](const Grating& one) {
        return one.agrees(gratings.front());
    });
    while (begin < end) {
        Index next = end;
        for (const Grating& one : gratings) next = std::min(next, one.next(begin));
        Span span{begin, next - begin, 1};
        if (!gratings.empty() && alike && span.extent == gratings.front().extent) {
            span.count = (end - begin) / span.extent;
        }
        result.push_back(span);
        begin += span.extent * span.count;
    }
}

/// Numbers of the spans that an interval is made of.
std::pair<std::size_t, std::size_t> covered(const std::vector<Index>& begins, Index begin,
                                            Index end) {
    const auto first = std::lower_bound(begins.begin(), begins.end(), begin);
    const auto last = std::lower_bound(first, begins.end(), end);
    return {static_cast<std::size_t>(first - begins.begin()),
            static_cast<std::size_t>(last - begins.begin())};
}

}  // namespace

std::vector<Span> spans(int axis, Index begin, Index end,
                        const std::vector<const PlacedBox*>& parts) {
    std::vector<Index> edges = {begin, end};
    std::vector<Grating> gratings;
    for (const PlacedBox* part : parts) {
        const BlockedBox& where = part->where;
        for (const Index edge : {where.lo(axis), where.hi(axis)}) {
            if (edge > begin && edge < end && edge != edges.back()) edges.push_back(edge);
        }
        if (!where.cuts(axis)) continue;
        const Grating grating{where.lo(axis), where.hi(axis), where.blocks->extent};
        if (gratings.empty() || gratings.back() != grating) gratings.push_back(grating);
    }
    make_unique(edges);
    make_unique(gratings);
    std::vector<Span> result;
    std::vector<Grating> here;
    auto next = gratings.begin();
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        for (; next != gratings.end() && next->begin <= edges[i]; ++next) here.push_back(*next);
        std::erase_if(here, [&](const Grating& one) { return one.end <= edges[i]; });
        append_spans(edges[i], edges[i + 1], here, result);
    }
    return result;
}

Passes::Passes(int axis, const Box& region, const std::vector<PlacedBox>& from,
               const std::vector<PlacedBox>& to)
    : axis(axis) {
    std::vector<const PlacedBox*> parts = pointers(from);
    for (const PlacedBox& part : to) parts.push_back(&part);
    const auto a = position(axis);
    ends = {region.lo[a]};
    for (const Span& span : spans(axis, region.lo[a], region.hi[a], parts)) {
        for (Index i = 1; i <= span.count; ++i) ends.push_back(span.begin + i * span.extent);
    }
}

LineCells::LineCells(LinesBetween lines, Box region, const std::vector<int>& order,
                     const std::optional<Passes>& passes)
    : lines_(std::move(lines)), region_(std::move(region)), passes_(passes) {
    order_loops(order);
    for (std::vector<PlacedBox>* side : {&lines_.from, &lines_.to}) {
        std::stable_sort(side->begin(), side->end(), [&](const PlacedBox& a, const PlacedBox& b) {
            return a.where.lo(lines_.axis) < b.where.lo(lines_.axis);
        });
    }
    if (!passes_) {
        of_pass_.push_back({pointers(lines_.from), pointers(lines_.to)});
        return;
    }
    of_pass_.resize(passes_->count());
    const auto deal = [&](const std::vector<PlacedBox>& side, Parts Sides::*parts) {
        for (const PlacedBox& part : side) {
            const BlockedBox& where = part.where;
            const auto [first, last] =
                covered(passes_->ends, where.lo(passes_->axis), where.hi(passes_->axis));
            for (std::size_t pass = first; pass < std::min(last, of_pass_.size()); ++pass) {
                (of_pass_[pass].*parts).push_back(&part);
            }
        }
    };
    deal(lines_.from, &Sides::from);
    deal(lines_.to, &Sides::to);
}

// The repeated loop first, lanes of tiles last: the axis along which most sides are adjacent.
void LineCells::order_loops(const std::vector<int>& order) {
    for (const int axis : order) {
        const bool repeated = passes_ && passes_->axis == axis;
        if (axis != lines_.axis && !repeated) inner_.push_back(axis);
    }
    if (inner_.empty()) return;
    const auto adjacent_on = [](const std::vector<PlacedBox>& side, int axis) {
        return std::any_of(side.begin(), side.end(),
                           [&](const PlacedBox& part) { return part.where.stride(axis) == 1; });
    };
    std::vector<std::pair<int, Index>> value(order.size());
    for (const int axis : inner_) {
        const Index extent = lines_.to.front().where.block_extent(axis);
        const int adjacent =
            (adjacent_on(lines_.to, axis) ? 2 : 0) | (adjacent_on(lines_.from, axis) ? 1 : 0);
        value[position(axis)] = {extent > 1 ? adjacent : -1, extent};
    }
    const auto lanes = std::max_element(inner_.begin(), inner_.end(), [&](int a, int b) {
        return value[position(a)] < value[position(b)];
    });
    std::rotate(lanes, lanes + 1, inner_.end());
}

void PartLimit::count(std::size_t parts) {
    count_ += parts;
    if (count_ <= most_) return;
    bad_request(fmt::format(
        "a transform of rank {} beside a redistribution without packing would name more "
        "than {} parts of lines: its boxes meet those of others in too many ways; pack "
        "messages instead, via=alltoallv; pack=sender",
        rank_, most_));
}

void LineCells::add(std::size_t pass, PartLimit& limit, FusedOp& op) const {
    Cell cell{region_, {}};
    if (passes_) {
        cell.box.lo[position(passes_->axis)] = passes_->ends[pass];
        cell.box.hi[position(passes_->axis)] = passes_->ends[pass + 1];
    }
    add_cells(of_pass_[pass], cell, limit, op);
}

void LineCells::add_cells(const Sides& sides, Cell& cell, PartLimit& limit, FusedOp& op) const {
    if (cell.spans.size() == inner_.size()) {
        limit.count(sides.from.size() + sides.to.size());
        return add_lines(sides, cell, op);
    }
    const int axis = inner_[cell.spans.size()];
    const auto a = position(axis);
    Parts all = sides.from;
    all.insert(all.end(), sides.to.begin(), sides.to.end());
    const std::vector<Span> some = spans(axis, region_.lo[a], region_.hi[a], all);
    std::vector<Index> begins;
    begins.reserve(some.size());
    for (const Span& span : some) begins.push_back(span.begin);
    std::vector<Sides> within(some.size());
    const auto deal = [&](const Parts& side, Parts Sides::*parts) {
        for (const PlacedBox* part : side) {
            const auto [first, last] = covered(begins, part->where.lo(axis), part->where.hi(axis));
            for (std::size_t i = first; i < last; ++i) (within[i].*parts).push_back(part);
        }
    };
    deal(sides.from, &Sides::from);
    deal(sides.to, &Sides::to);
    for (std::size_t i = 0; i < some.size(); ++i) {
        cell.box.lo[a] = some[i].begin;
        cell.box.hi[a] = some[i].begin + some[i].extent;
        cell.spans.push_back(some[i]);
        add_cells(within[i], cell, limit, op);
        cell.spans.pop_back();
    }
}

void LineCells::add_lines(const Sides& sides, const Cell& cell, FusedOp& op) const {
    const std::vector<CellLoop> loops = this->loops(cell);
    FusedLines result{.line = lines_.line,
                      .caches = lines_.caches,
                      .reads_beyond = have_room(sides.from, cell.box),
                      .writes_beyond = have_room(sides.to, cell.box),
                      .from = segments(sides.from, cell, loops),
                      .to = segments(sides.to, cell, loops)};
    for (const CellLoop& loop : loops) result.loops.push_back(loop.extent);
    if (!inner_.empty()) result.lanes = cell.spans.back().extent;
    op.work.emplace_back(std::move(result));
}

std::vector<LineCells::CellLoop> LineCells::loops(const Cell& cell) const {
    std::vector<CellLoop> result = {{lines_.axis, 1, 0}};
    if (passes_) {
        const Index extent = cell.box.extent(passes_->axis);
        result.front() = {passes_->axis, extent, extent > 1 ? 1 : 0};
    }
    for (std::size_t i = 0; i < inner_.size(); ++i) {
        const Span& span = cell.spans[i];
        if (span.count > 1) result.push_back({inner_[i], span.count, span.extent});
    }
    // The last of the inner loops counts the lanes.
    for (std::size_t i = 0; i + 1 < inner_.size(); ++i) {
        const Span& span = cell.spans[i];
        if (span.extent > 1) result.push_back({inner_[i], span.extent, 1});
    }
    return result;
}

std::vector<Segments> LineCells::segments(const Parts& parts, const Cell& cell,
                                          const std::vector<CellLoop>& loops) const {
    std::vector<Segments> result;
    std::vector<Index> strides(loops.size());
    for (const PlacedBox* part : parts) {
        const BlockedBox& where = part->where;
        for (std::size_t k = 0; k < loops.size(); ++k) {
            const auto& [axis, extent, step] = loops[k];
            const Index first = cell.box.lo[position(axis)];
            strides[k] = where.distance(axis, first + step) - where.distance(axis, first);
        }
        const LineSegment segment = this->segment(where);
        const bool alike = !result.empty() && result.back().strides == strides &&
                           result.back().segment(result.back().begins.size()) == segment;
        if (!alike) result.push_back({segment, strides, {}});
        Index offset = where.stored.offset;
        for (int axis = 0; axis < cell.box.axes(); ++axis) {
            if (axis != lines_.axis) offset += where.distance(axis, cell.box.lo[position(axis)]);
        }
        result.back().begins.push_back({part->place, offset});
    }
    return result;
}

LineSegment LineCells::segment(const BlockedBox& where) const {
    const Index extent = where.hi(lines_.axis) - where.lo(lines_.axis);
    return {.first = where.lo(lines_.axis),
            .extent = extent,
            .step = extent > 1 ? where.stride(lines_.axis) : 1,
            .lane_step = inner_.empty() ? 0 : where.stride(inner_.back())};
}

bool LineCells::have_room(const Parts& parts, const Box& cell) const {
    if (inner_.empty()) return false;
    const int lanes = inner_.back();
    const Index tile = tile_bytes / Scalar{lines_.line.precision, true}.bytes();
    const Index begin = cell.lo[position(lanes)];
    return std::all_of(parts.begin(), parts.end(), [&](const PlacedBox* part) {
        const BlockedBox& where = part->where;
        const Index since = where.since_block(lanes, begin);
        const bool ends_there = since + cell.extent(lanes) == where.block_extent(lanes);
        return part->padded && where.stride(lanes) == 1 && since % tile == 0 &&
               (ends_there || cell.extent(lanes) % tile == 0);
    });
}

}  // namespace weft::core
