#include "geometry/row_shares.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/index.hpp"

namespace weft::core {

RowShares::RowShares(std::vector<Index> shape, int ranks, const std::vector<int>& axes,
                     const Partition& shares, std::string name)
    : BoxesByRank(std::move(shape), ranks), shares_(shares), name_(std::move(name)) {
    for (const int axis : axes) {
        const auto a = usize(axis);
        if (this->shape()[a] > 1) axes_.push_back(a);
    }
    inner_.assign(axes_.size(), 1);
    // Only several whole lines are one box.
    const Index line = extent(axes_.size() - 1);
    one_box_a_line_ = shares_.largest() < 2 * line;
    if (shares_.largest() > line) most_boxes_ = 2 * axes_.size() - 1;
    for (std::size_t i = axes_.size() - 1; i-- > 0;) inner_[i] = inner_[i + 1] * extent(i + 1);
}

void RowShares::for_each_box(int rank, VisitBox visit) const {
    if (rank >= shares_.parts) return;
    const auto [begin, end] = shares_.interval(rank);
    boxes_between(begin, end, visit);
}

/// The outermost axis along which those from `row` to `end` have all rows of an index.
std::size_t RowShares::axis_along(Index row, Index end) const {
    const std::size_t last = axes_.size() - 1;
    const Index line = extent(last);
    if (end - row < line || row % line != 0) return last;
    std::size_t along = 0;
    while (end - row < inner_[along] || row % inner_[along] != 0) ++along;
    return along;
}

void RowShares::boxes_between(Index begin, Index end, VisitBox visit) const {
    std::array<Index, most_axes> lo{};
    std::array<Index, most_axes> hi{};
    std::copy(shape().begin(), shape().end(), hi.begin());
    for (Index row = begin; row < end;) {
        const std::size_t along = axis_along(row, end);
        Index rest = row / inner_[along];
        Index& first = lo[axes_[along]];
        first = along == 0 ? rest : rest % extent(along);
        const Index count = std::min(extent(along) - first, (end - row) / inner_[along]);
        hi[axes_[along]] = first + count;
        for (std::size_t i = along; i-- > 0;) {
            rest /= extent(i + 1);
            lo[axes_[i]] = i == 0 ? rest : rest % extent(i);
            hi[axes_[i]] = lo[axes_[i]] + 1;
        }
        for (std::size_t i = along + 1; i < axes_.size(); ++i) {
            lo[axes_[i]] = 0;
            hi[axes_[i]] = extent(i);
        }
        visit(lo.data(), hi.data());
        row += count * inner_[along];
    }
}

bool RowShares::local(int axis) const {
    // Some share that is not empty is shorter than a line.
    const auto a = usize(axis);
    return std::count(axes_.begin(), axes_.end(), a) == 0;
}

Index RowShares::largest() const {
    return shares_.largest() * (whole(shape()).volume() / shares_.n);
}

bool RowShares::idle(int used) const { return used > shares_.parts || shares_.idle(used); }

Index RowShares::first_row(const Box& box) const {
    Index row = 0;
    for (std::size_t i = 0; i < axes_.size(); ++i) row += box.lo[axes_[i]] * inner_[i];
    return row;
}

/// The first row in the box that is not before the given one; the number of all rows if there is
/// none.
Index RowShares::row_in(const Box& box, Index row) const {
    if (row >= shares_.n) return shares_.n;
    std::array<Index, most_axes> at{};
    std::size_t i = 0;
    for (; i < axes_.size(); ++i) {
        at[i] = row / inner_[i] % extent(i);
        if (at[i] < box.lo[axes_[i]] || at[i] >= box.hi[axes_[i]]) break;
    }
    if (i == axes_.size()) return row;
    if (at[i] >= box.hi[axes_[i]]) {
        // Behind the box along that axis: on to the next index of an outer one.
        do {
            if (i == 0) return shares_.n;
            --i;
        } while (++at[i] == box.hi[axes_[i]]);
        ++i;
    }
    for (; i < axes_.size(); ++i) at[i] = box.lo[axes_[i]];
    Index found = 0;
    for (std::size_t k = 0; k < axes_.size(); ++k) found += at[k] * inner_[k];
    return found;
}

void RowShares::overlaps_by_line(const Box& wanted,
                                 const std::function<void(int, const Box&)>& visit) const {
    Box common = wanted;
    const std::size_t last = axes_.back();
    const Index length = shape()[last];
    const Partition shares = shares_;  // what is the same in every step is worked out once
    const auto visit_line = [&](Index line) {
        const Index first = line * length;
        const Index end = first + wanted.hi[last];
        Index index = first + wanted.lo[last];
        for (Index rank = shares.owner(index); index < end; ++rank) {
            const Index stop = std::min(end, shares.end(rank));
            if (index == stop) continue;
            common.lo[last] = index - first;
            common.hi[last] = stop - first;
            visit(static_cast<int>(rank), common);
            index = stop;
        }
    };
    // Line by line of those that meet the box: the last of the other axes first.
    std::vector<Index> at;
    for (std::size_t i = 0; i + 1 < axes_.size(); ++i) at.push_back(wanted.lo[axes_[i]]);
    for (bool more = true; more;) {
        Index line = 0;
        for (std::size_t i = 0; i < at.size(); ++i) {
            line = line * shape()[axes_[i]] + at[i];
            common.lo[axes_[i]] = at[i];
            common.hi[axes_[i]] = at[i] + 1;
        }
        visit_line(line);
        std::size_t i = at.size();
        while (i > 0 && ++at[i - 1] == wanted.hi[axes_[i - 1]]) {
            at[i - 1] = wanted.lo[axes_[i - 1]];
            --i;
        }
        more = i > 0;
    }
}

void RowShares::overlaps(const Box& wanted,
                         const std::function<void(int, const Box&)>& visit) const {
    if (wanted.empty()) return;
    if (one_box_a_line_) return overlaps_by_line(wanted, visit);
    Box common = wanted;
    const Partition shares = shares_;  // what is the same in every step is worked out once
    for (Index row = first_row(wanted); row < shares.n;) {
        const auto rank = static_cast<int>(shares.owner(row));
        const auto [begin, end] = shares.interval(rank);
        boxes_between(begin, end, [&](const Index* lo, const Index* hi) {
            for (const std::size_t axis : axes_) {
                common.lo[axis] = std::max(wanted.lo[axis], lo[axis]);
                common.hi[axis] = std::min(wanted.hi[axis], hi[axis]);
                if (common.lo[axis] >= common.hi[axis]) return;
            }
            visit(rank, common);
        });
        row = row_in(wanted, end);
    }
}

std::shared_ptr<const BoxesByRank> RowShares::reshaped(std::vector<Index> shape) const {
    const std::vector<int> axes(axes_.begin(), axes_.end());
    return std::make_shared<const RowShares>(std::move(shape), ranks(), axes, shares_, name_);
}

bool RowShares::is_made_like(const BoxesByRank& other) const {
    const auto* rows = dynamic_cast<const RowShares*>(&other);
    return rows != nullptr && axes_ == rows->axes_ && shares_ == rows->shares_;
}

}  // namespace weft::core
