#include "geometry/distribution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "base/index.hpp"
#include "base/text.hpp"

namespace weft::core {

Box Tile::of(Box box) const {
    const auto a = usize(axis);
    cut(box.lo[a], box.hi[a]);
    return box;
}

Distribution::Distribution(std::vector<Index> shape, int ranks, ProcessGrid grid,
                           std::vector<std::vector<int>> cuts, const Split& split)
    : shape_(std::move(shape)),
      ranks_(ranks),
      grid_(std::move(grid)),
      cuts_(std::move(cuts)),
      split_(split) {
    if (grid_.size() > ranks_) {
        bad_request(fmt::format("a process grid of {} = {} ranks does not fit on {} ranks",
                                join(grid_.factors, "x"), grid_.size(), ranks_));
    }
    drop_unit_factors();
    if (grid_.factors.empty()) split_ = split.rule;
    count_grid();
}

Distribution::Distribution(BoxList boxes)
    : Distribution(std::make_shared<const BoxList>(std::move(boxes))) {}

Distribution::Distribution(std::shared_ptr<const BoxesByRank> boxes)
    : shape_(boxes->shape()),
      ranks_(boxes->ranks()),
      cuts_(boxes->shape().size()),
      list_(std::move(boxes)) {}

void Distribution::drop_unit_factors() {
    for (std::size_t f = grid_.factors.size(); f-- > 0;) {
        if (grid_.factors[f] != 1) continue;
        grid_.factors.erase(grid_.factors.begin() + static_cast<std::ptrdiff_t>(f));
        for (auto& factors : cuts_) {
            std::erase(factors, static_cast<int>(f));
            for (int& other : factors) other -= other > static_cast<int>(f) ? 1 : 0;
        }
    }
}

void Distribution::count_grid() {
    grid_size_ = grid_.size();
    apart_.resize(grid_.factors.size());
    Index apart = 1;
    for (std::size_t f = apart_.size(); f-- > 0;) {
        apart_[f] = apart;
        apart *= grid_.factors[f];
    }
}

Index Distribution::part(int axis, int rank) const {
    Index part = 0;
    for (const int f : cuts_[usize(axis)]) {
        const auto factor = usize(f);
        part = part * grid_.factors[factor] + rank / apart_[factor] % grid_.factors[factor];
    }
    return part;
}

Distribution Distribution::tile(const Tile& tile) const {
    Distribution result = *this;
    result.tiles_.push_back(tile);
    return result;
}

Distribution Distribution::first_tiles(int count) const {
    Distribution result = *this;
    result.tiles_.resize(usize(count));
    return result;
}

Box Distribution::tiled(Box box, int first) const {
    for (auto i = usize(first); i < tiles_.size(); ++i) {
        box = tiles_[i].of(std::move(box));
    }
    return box;
}

Index Distribution::tiled_extent(int axis, Index extent) const {
    for (const Tile& tile : tiles_) {
        if (tile.axis == axis) extent = std::min(extent, tile.extent);
    }
    return extent;
}

Index Distribution::extent(int axis, int rank) const {
    Index most = 0;
    for (const Box& box : boxes(rank)) most = std::max(most, box.extent(axis));
    return most;
}

Index Distribution::largest_extent(int axis) const {
    if (!list_) return partition(axis).largest();
    Index most = 0;
    for (int rank = 0; rank < ranks_; ++rank) {
        for (const Box& box : list_->boxes(rank)) most = std::max(most, box.extent(axis));
    }
    return most;
}

void Distribution::for_each_box(int rank, VisitBox visit) const {
    if (list_ && tiles_.empty()) return list_->for_each_box(rank, visit);
    const std::size_t n = shape_.size();
    std::array<Index, most_axes> lo{};
    std::array<Index, most_axes> hi{};
    const auto visit_some = [&] {
        for (std::size_t a = 0; a < n; ++a) {
            if (lo[a] >= hi[a]) return;
        }
        visit(lo.data(), hi.data());
    };
    if (!list_) {
        for (std::size_t a = 0; a < n; ++a) {
            std::tie(lo[a], hi[a]) = interval(static_cast<int>(a), rank);
        }
        return visit_some();
    }
    list_->for_each_box(rank, [&](const Index* whole_lo, const Index* whole_hi) {
        std::copy_n(whole_lo, n, lo.begin());
        std::copy_n(whole_hi, n, hi.begin());
        for (const Tile& tile : tiles_) {
            const auto a = usize(tile.axis);
            tile.cut(lo[a], hi[a]);
        }
        visit_some();
    });
}

std::vector<Box> Distribution::boxes(int rank) const {
    return boxes_of(*this, rank, shape_.size());
}

bool Distribution::local(int axis) const {
    return list_ ? list_->local(axis) : partition(axis).parts == 1;
}

bool Distribution::operator==(const Distribution& other) const {
    if (tiles_ != other.tiles_) return false;
    if (list_ && other.list_) return list_ == other.list_ || *list_ == *other.list_;
    return !list_ == !other.list_ && shape_ == other.shape_ && ranks_ == other.ranks_ &&
           cuts_like(other) && cuts_ == other.cuts_;
}

bool same_boxes(const Distribution& a, const Distribution& b) {
    if (a.shape() != b.shape() || a.ranks() != b.ranks()) return false;
    for (int rank = 0; rank < a.ranks(); ++rank) {
        if (a.boxes(rank) != b.boxes(rank)) return false;
    }
    return true;
}

Box Distribution::box(int rank) const {
    Box result = whole(shape_);
    box(rank, result);
    return result;
}

void Distribution::box(int rank, Box& result) const {
    for (int axis = 0; axis < axes(); ++axis) {
        const auto a = usize(axis);
        std::tie(result.lo[a], result.hi[a]) = interval(axis, rank);
    }
}

std::pair<Index, Index> Distribution::interval(int axis, int rank) const {
    auto [lo, hi] = whole_interval(axis, rank);
    for (const Tile& tile : tiles_) {
        if (tile.axis == axis) tile.cut(lo, hi);
    }
    return {lo, hi};
}

std::pair<Index, Index> Distribution::whole_interval(int axis, int rank) const {
    const auto a = usize(axis);
    if (rank >= grid_size_) return {0, 0};
    if (cuts_[a].empty()) return {0, shape_[a]};  // nothing to divide
    return partition(axis).interval(part(axis, rank));
}

Box Distribution::place(int rank) const {
    if (!list_ && rank < grid_size_) return box(rank);
    Box result = whole(shape_);
    bool behind = false;
    for (int axis = 0; axis < axes(); ++axis) {
        const auto a = usize(axis);
        if (local(axis)) continue;
        const bool slowest = std::find(cuts_[a].begin(), cuts_[a].end(), 0) != cuts_[a].end();
        if (list_ || slowest) {
            result.lo[a] = result.hi[a];
            behind = true;
        } else {
            std::tie(result.lo[a], result.hi[a]) = partition(axis).interval(part(axis, rank));
        }
    }
    if (!behind) result.lo.front() = result.hi.front();
    return result;
}

Index Distribution::largest() const {
    if (list_) return list_->largest();
    Index n = 1;
    for (int axis = 0; axis < axes(); ++axis) {
        n *= tiled_extent(axis, partition(axis).largest());
    }
    return n;
}

bool Distribution::idle(int used) const {
    if (list_) return list_->idle(used);
    if (grid_size_ < used) return true;
    for (int axis = 0; axis < axes(); ++axis) {
        if (partition(axis).idle()) return true;
    }
    return false;
}

Distribution Distribution::reshaped(std::vector<Index> shape) const {
    if (shape == shape_) return *this;
    Distribution result = *this;
    if (list_) result.list_ = list_->reshaped(shape);
    result.shape_ = std::move(shape);
    return result;
}

std::string to_string(const Distribution& distribution, int dims) {
    if (const BoxesByRank* boxes = distribution.list()) return boxes->name();
    std::vector<std::string> parts;
    std::string first_axis;
    for (int axis = 0; axis < distribution.axes(); ++axis) {
        if (distribution.local(axis)) continue;
        first_axis = axis_digits({axis}, dims);
        parts.push_back(fmt::format("{}:{}", first_axis, distribution.partition(axis).parts));
    }
    if (parts.empty()) return distribution.ranks() == 1 ? "all" : "single";
    const char* word = distribution.split().word();
    if (parts.size() == 1) return fmt::format("{}slab({})", word, first_axis);
    return fmt::format("{}{}({})", word, parts.size() == 2 ? "pencil" : "grid",
                       fmt::join(parts, ","));
}

}  // namespace weft::core
