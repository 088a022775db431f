#include "geometry/box_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/index.hpp"
#include "base/text.hpp"

namespace weft::core {

BoxList::BoxList(std::vector<Index> shape, const std::vector<std::vector<Box>>& boxes, bool sparse)
    : BoxesByRank(std::move(shape), static_cast<int>(boxes.size())) {
    std::size_t count = 0;
    for (const auto& own : boxes) count += own.size();
    if (count > std::size_t{1} << 31) {
        bad_request(fmt::format("{} boxes are given, at most 2^31 are possible", count));
    }
    bounds_.reserve(2 * axes() * count);
    owner_.reserve(count);
    first_.reserve(boxes.size() + 1);
    for (int rank = 0; rank < ranks(); ++rank) {
        first_.push_back(static_cast<std::uint32_t>(owner_.size()));
        for (const Box& box : boxes[usize(rank)]) {
            check_inside(box, rank);
            if (!box.empty()) add(box, rank);
        }
    }
    first_.push_back(static_cast<std::uint32_t>(owner_.size()));
    measure();
    order_.resize(owner_.size());
    std::iota(order_.begin(), order_.end(), 0U);
    if (!order_.empty()) {
        grow(0, static_cast<std::uint32_t>(order_.size()));
        check_disjoint(0);
    }
    check_complete(sparse);
}

void BoxList::add(const Box& box, int rank) {
    bounds_.insert(bounds_.end(), box.lo.begin(), box.lo.end());
    bounds_.insert(bounds_.end(), box.hi.begin(), box.hi.end());
    owner_.push_back(rank);
}

bool BoxList::meet(const Index* a, const Index* b) const {
    const std::size_t n = axes();
    for (std::size_t i = 0; i < n; ++i) {
        if (std::max(a[i], b[i]) >= std::min(a[n + i], b[n + i])) return false;
    }
    return true;
}

Box BoxList::box(std::size_t number) const {
    const Index* bounds = at(bounds_, number);
    const auto n = static_cast<std::ptrdiff_t>(axes());
    return {{bounds, bounds + n}, {bounds + n, bounds + 2 * n}};
}

/// Which axes are local, and how many elements a rank has at most, and all ranks together.
void BoxList::measure() {
    const std::size_t n = axes();
    local_.assign(n, true);
    largest_ = covered_ = 0;
    for (std::size_t rank = 0; rank + 1 < first_.size(); ++rank) {
        Index count = 0;
        for (std::size_t i = first_[rank]; i < first_[rank + 1]; ++i) {
            const Index* bounds = at(bounds_, i);
            Index volume = 1;
            for (std::size_t a = 0; a < n; ++a) {
                const Index extent = bounds[n + a] - bounds[a];
                if (extent != shape()[a]) local_[a] = false;
                volume *= extent;
            }
            count += volume;
        }
        largest_ = std::max(largest_, count);
        covered_ += count;
    }
}

// Halves by the middles along the axis where they differ most: where all boxes span an axis, it
// tells none apart.
std::size_t BoxList::grow(std::uint32_t begin, std::uint32_t end) {
    constexpr std::uint32_t most_in_leaf = 8;
    const std::size_t n = axes();
    const std::size_t self = nodes_.size();
    nodes_.push_back({begin, end, 0});
    node_bounds_.resize(2 * n * nodes_.size());
    std::copy_n(at(bounds_, order_[begin]), 2 * n, at(node_bounds_, self));
    if (end - begin <= most_in_leaf) {
        Index* all = at(node_bounds_, self);
        for (std::uint32_t i = begin + 1; i < end; ++i) {
            const Index* one = at(bounds_, order_[i]);
            for (std::size_t a = 0; a < n; ++a) {
                all[a] = std::min(all[a], one[a]);
                all[n + a] = std::max(all[n + a], one[n + a]);
            }
        }
        return self;
    }
    const std::size_t axis = widest_axis(begin, end);
    const std::uint32_t half = begin + (end - begin) / 2;
    std::nth_element(
        order_.begin() + begin, order_.begin() + half, order_.begin() + end,
        [&](std::uint32_t a, std::uint32_t b) { return middle(a, axis) < middle(b, axis); });
    const std::size_t first = grow(begin, half);
    const std::size_t second = grow(half, end);
    nodes_[self].second = static_cast<std::uint32_t>(second);
    Index* all = at(node_bounds_, self);
    for (std::size_t a = 0; a < n; ++a) {
        all[a] = std::min(at(node_bounds_, first)[a], at(node_bounds_, second)[a]);
        all[n + a] = std::max(at(node_bounds_, first)[n + a], at(node_bounds_, second)[n + a]);
    }
    return self;
}

std::size_t BoxList::widest_axis(std::uint32_t begin, std::uint32_t end) const {
    std::size_t widest = 0;
    Index most = -1;
    for (std::size_t a = 0; a < axes(); ++a) {
        Index least = middle(order_[begin], a);
        Index greatest = least;
        for (std::uint32_t i = begin + 1; i < end; ++i) {
            const Index here = middle(order_[i], a);
            least = std::min(least, here);
            greatest = std::max(greatest, here);
        }
        if (greatest - least <= most) continue;
        most = greatest - least;
        widest = a;
    }
    return widest;
}

void BoxList::find(std::size_t node, const Index* wanted,
                   const std::function<void(std::uint32_t)>& visit) const {
    if (!meet(at(node_bounds_, node), wanted)) return;
    const Node& here = nodes_[node];
    if (here.second != 0) {
        find(node + 1, wanted, visit);
        find(here.second, wanted, visit);
        return;
    }
    for (std::uint32_t i = here.begin; i < here.end; ++i) {
        if (meet(at(bounds_, order_[i]), wanted)) visit(order_[i]);
    }
}

void BoxList::overlaps(const Box& wanted, const std::function<void(int, const Box&)>& visit) const {
    if (wanted.empty() || nodes_.empty()) return;
    std::vector<Index> bounds = wanted.lo;
    bounds.insert(bounds.end(), wanted.hi.begin(), wanted.hi.end());
    Box common = wanted;
    const std::size_t n = axes();
    find(0, bounds.data(), [&](std::uint32_t number) {
        const Index* one = at(bounds_, number);
        for (std::size_t a = 0; a < n; ++a) {
            common.lo[a] = std::max(one[a], wanted.lo[a]);
            common.hi[a] = std::min(one[n + a], wanted.hi[a]);
        }
        visit(owner_[number], common);
    });
}

bool BoxList::idle(int used) const {
    for (std::size_t rank = 0; rank < usize(used); ++rank) {
        if (first_[rank] == first_[rank + 1]) return true;
    }
    return false;
}

void BoxList::check_inside(const Box& box, int rank) const {
    for (std::size_t a = 0; a < axes(); ++a) {
        if (box.lo[a] >= 0 && box.hi[a] <= shape()[a]) continue;
        bad_request(
            fmt::format("box {} of rank {} is not inside the array {}: axis {} has "
                        "the indices 0 to {}",
                        to_string(box), rank, join(shape(), "x"), a, shape()[a] - 1));
    }
}

void BoxList::check_disjoint(std::size_t node) const {
    const Node& here = nodes_[node];
    if (here.second != 0) {
        check_disjoint(node + 1);
        check_disjoint(here.second);
        return check_disjoint(node + 1, here.second);
    }
    for (std::uint32_t i = here.begin; i < here.end; ++i) {
        for (std::uint32_t j = here.begin; j < i; ++j) check_apart(order_[j], order_[i]);
    }
}

void BoxList::check_disjoint(std::size_t a, std::size_t b) const {
    if (!meet(at(node_bounds_, a), at(node_bounds_, b))) return;
    const Node& first = nodes_[a];
    const Node& second = nodes_[b];
    // The larger of them is looked into, so that both become leaves.
    if (first.second != 0 &&
        (second.second == 0 || first.end - first.begin >= second.end - second.begin)) {
        check_disjoint(a + 1, b);
        return check_disjoint(first.second, b);
    }
    if (second.second != 0) {
        check_disjoint(a, b + 1);
        return check_disjoint(a, second.second);
    }
    for (std::uint32_t i = first.begin; i < first.end; ++i) {
        for (std::uint32_t j = second.begin; j < second.end; ++j) {
            check_apart(order_[i], order_[j]);
        }
    }
}

void BoxList::check_apart(std::uint32_t a, std::uint32_t b) const {
    if (!meet(at(bounds_, a), at(bounds_, b))) return;
    // Boxes are numbered by rank.
    const auto [first, second] = std::minmax(a, b);
    bad_request(
        fmt::format("box {} of rank {} and box {} of rank {} overlap in {}; every "
                    "element must belong to one box",
                    to_string(box(first)), owner_[first], to_string(box(second)), owner_[second],
                    to_string(intersect(box(first), box(second)))));
}

void BoxList::check_complete(bool sparse) const {
    const Box all = whole(shape());
    if (covered_ == all.volume()) return;
    if (sparse && covered_ > 0) return;
    if (sparse) {
        bad_request(fmt::format("no rank owns an element of the array {}; give at least one box",
                                join(shape(), "x")));
    }
    bad_request(
        fmt::format("the boxes cover {} of the {} elements of the array {}; no rank owns {}; to "
                    "leave elements out, say sparse",
                    covered_, all.volume(), join(shape(), "x"), to_string(uncovered(all))));
}

/// A part of the region, which is not covered as a whole, that meets no box. Boxes are disjoint.
Box BoxList::uncovered(const Box& region) const {
    std::vector<Box> inside;
    overlaps(region, [&](int, const Box& common) { inside.push_back(common); });
    if (inside.empty()) return region;
    // Cut at the side of a box: of all such cuts the middle one, along the first axis that has any.
    for (std::size_t a = 0; a < shape().size(); ++a) {
        std::vector<Index> cuts;
        for (const Box& box : inside) {
            if (box.lo[a] > region.lo[a]) cuts.push_back(box.lo[a]);
            if (box.hi[a] < region.hi[a]) cuts.push_back(box.hi[a]);
        }
        if (cuts.empty()) continue;
        std::sort(cuts.begin(), cuts.end());
        Box below = region;
        Box above = region;
        below.hi[a] = above.lo[a] = cuts[cuts.size() / 2];
        Index covered = 0;
        for (const Box& box : inside) covered += intersect(box, below).volume();
        return uncovered(covered < below.volume() ? below : above);
    }
    return region;
}

std::shared_ptr<const BoxesByRank> BoxList::reshaped(std::vector<Index> shape) const {
    auto result = std::make_shared<BoxList>(*this);
    const std::size_t n = axes();
    for (Bounds* all : {&result->bounds_, &result->node_bounds_}) {
        for (std::size_t i = 0; i < all->size(); i += 2 * n) {
            for (std::size_t a = 0; a < n; ++a) {
                if (local_[a]) (*all)[i + n + a] = shape[a];
            }
        }
    }
    result->set_shape(std::move(shape));
    result->measure();
    // An axis that boxes cut is cut in any shape.
    result->local_ = local_;
    return result;
}

bool BoxList::is_made_like(const BoxesByRank& other) const {
    const auto* list = dynamic_cast<const BoxList*>(&other);
    return list != nullptr && bounds_ == list->bounds_ && first_ == list->first_;
}

std::string BoxList::name() const {
    std::string text;
    for (int rank = 0; rank < ranks(); ++rank) {
        for (const Box& box : boxes(rank)) text += to_string(box);
        text += '|';
    }
    return fmt::format("boxes#{:016x}", hash(text));
}

}  // namespace weft::core
