#include "geometry/row_shares.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace weft::core {

RowShares::RowShares(std::vector<Index> shape, int ranks, int used, const std::vector<int>& axes,
                     CutRule rule, std::string name)
    : BoxesByRank(std::move(shape), ranks), shares_{1, used, rule}, name_(std::move(name)) {
    for (const int axis : axes) {
        const auto a = static_cast<std::size_t>(axis);
        if (this->shape()[a] > 1) axes_.push_back(a);
        shares_.n *= this->shape()[a];
    }
    length_ = this->shape()[axes_.back()];
}

void RowShares::for_each_box(int rank, VisitBox visit) const {
    if (rank >= shares_.parts) return;
    std::array<Index, most_axes> lo{};
    std::array<Index, most_axes> hi{};
    std::copy(shape().begin(), shape().end(), hi.begin());
    const auto [begin, end] = shares_.interval(rank);
    for (Index index = begin; index < end;) {
        const Index line = index / length_;
        const Index first = line * length_;
        const Index stop = std::min(end, first + length_);
        lo[axes_.back()] = index - first;
        hi[axes_.back()] = stop - first;
        Index rest = line;
        for (std::size_t i = axes_.size() - 1; i-- > 0;) {
            const std::size_t axis = axes_[i];
            lo[axis] = rest % shape()[axis];
            hi[axis] = lo[axis] + 1;
            rest /= shape()[axis];
        }
        visit(lo.data(), hi.data());
        index = stop;
    }
}

bool RowShares::local(int axis) const {
    // Some share is shorter than a line.
    const auto a = static_cast<std::size_t>(axis);
    return std::count(axes_.begin(), axes_.end(), a) == 0;
}

Index RowShares::largest() const {
    return shares_.largest() * (whole(shape()).volume() / shares_.n);
}

bool RowShares::idle(int used) const {
    if (used > shares_.parts) return true;
    // Balanced, the first of too many shares is empty; of blocks the last ones are.
    if (shares_.rule == CutRule::balanced) return shares_.n < shares_.parts;
    return shares_.begin(used - 1) >= shares_.n;
}

void RowShares::overlaps(const Box& wanted,
                         const std::function<void(int, const Box&)>& visit) const {
    if (wanted.empty()) return;
    Box common = wanted;
    const std::size_t last = axes_.back();
    const Partition shares = shares_;  // what is the same in every step is worked out once
    const auto visit_line = [&](Index line) {
        const Index first = line * length_;
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

std::shared_ptr<const BoxesByRank> RowShares::reshaped(std::vector<Index> shape) const {
    const std::vector<int> axes(axes_.begin(), axes_.end());
    return std::make_shared<const RowShares>(
        std::move(shape), ranks(), static_cast<int>(shares_.parts), axes, shares_.rule, name_);
}

bool RowShares::is_made_like(const BoxesByRank& other) const {
    const auto* rows = dynamic_cast<const RowShares*>(&other);
    return rows != nullptr && axes_ == rows->axes_ && shares_.parts == rows->shares_.parts &&
           shares_.rule == rows->shares_.rule;
}

}  // namespace weft::core
