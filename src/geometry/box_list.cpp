#include "geometry/box_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.hpp"

namespace weft::core {

namespace {

bool meet(const Box& a, const Box& b) {
    for (std::size_t i = 0; i < a.lo.size(); ++i) {
        if (std::max(a.lo[i], b.lo[i]) >= std::min(a.hi[i], b.hi[i])) return false;
    }
    return true;
}

void include(Box& bounds, const Box& box) {
    for (std::size_t i = 0; i < bounds.lo.size(); ++i) {
        bounds.lo[i] = std::min(bounds.lo[i], box.lo[i]);
        bounds.hi[i] = std::max(bounds.hi[i], box.hi[i]);
    }
}

}  // namespace

BoxList::BoxList(std::vector<Index> shape, std::vector<std::vector<Box>> boxes)
    : BoxesByRank(std::move(shape), static_cast<int>(boxes.size())), boxes_(std::move(boxes)) {
    check_inside();
    for (auto& own : boxes_) std::erase_if(own, [](const Box& box) { return box.empty(); });
    index();
    check_disjoint();
    check_complete();
}

BoxList::BoxList(std::vector<Index> shape, std::vector<std::vector<Box>> boxes, Checked /*tag*/)
    : BoxesByRank(std::move(shape), static_cast<int>(boxes.size())), boxes_(std::move(boxes)) {
    index();
}

void BoxList::index() {
    local_.assign(shape().size(), true);
    for (int rank = 0; rank < ranks(); ++rank) {
        Index count = 0;
        for (const Box& box : own(rank)) {
            entries_.push_back({box, rank});
            count += box.volume();
            for (std::size_t a = 0; a < shape().size(); ++a) {
                if (box.hi[a] - box.lo[a] != shape()[a]) local_[a] = false;
            }
        }
        largest_ = std::max(largest_, count);
    }
    if (!entries_.empty()) grow(0, entries_.size());
}

std::size_t BoxList::grow(std::size_t begin, std::size_t end) {
    constexpr std::size_t most_in_leaf = 4;
    const std::size_t self = nodes_.size();
    nodes_.push_back({entries_[begin].box, begin, end, 0, 0});
    for (std::size_t i = begin; i < end; ++i) include(nodes_[self].bounds, entries_[i].box);
    if (end - begin <= most_in_leaf) return self;
    const auto at = [this](std::size_t i) {
        return entries_.begin() + static_cast<std::ptrdiff_t>(i);
    };
    // Halves by the middles along the axis where they differ most: where all boxes span an axis,
    // it tells none apart.
    std::size_t axis = 0;
    Index most = -1;
    for (std::size_t a = 0; a < shape().size(); ++a) {
        const auto [least, greatest] =
            std::minmax_element(at(begin), at(end), [a](const Entry& x, const Entry& y) {
                return x.box.lo[a] + x.box.hi[a] < y.box.lo[a] + y.box.hi[a];
            });
        const Index spread =
            greatest->box.lo[a] + greatest->box.hi[a] - least->box.lo[a] - least->box.hi[a];
        if (spread <= most) continue;
        most = spread;
        axis = a;
    }
    const std::size_t middle = begin + (end - begin) / 2;
    std::nth_element(at(begin), at(middle), at(end), [axis](const Entry& a, const Entry& b) {
        return a.box.lo[axis] + a.box.hi[axis] < b.box.lo[axis] + b.box.hi[axis];
    });
    const std::size_t left = grow(begin, middle);
    const std::size_t right = grow(middle, end);
    nodes_[self].left = left;
    nodes_[self].right = right;
    return self;
}

void BoxList::find(std::size_t node, const Box& wanted,
                   const std::function<void(const Entry&)>& visit) const {
    const Node& here = nodes_[node];
    if (!meet(here.bounds, wanted)) return;
    if (here.left != 0) {
        find(here.left, wanted, visit);
        find(here.right, wanted, visit);
        return;
    }
    for (std::size_t i = here.begin; i < here.end; ++i) {
        if (meet(entries_[i].box, wanted)) visit(entries_[i]);
    }
}

void BoxList::overlaps(const Box& wanted, const std::function<void(int, const Box&)>& visit) const {
    if (wanted.empty() || nodes_.empty()) return;
    find(0, wanted, [&](const Entry& entry) { visit(entry.rank, intersect(entry.box, wanted)); });
}

bool BoxList::idle(int used) const {
    return std::any_of(boxes_.begin(), boxes_.begin() + used,
                       [](const auto& own) { return own.empty(); });
}

void BoxList::check_inside() const {
    for (int rank = 0; rank < ranks(); ++rank) {
        for (const Box& box : own(rank)) {
            for (std::size_t a = 0; a < shape().size(); ++a) {
                if (box.lo[a] >= 0 && box.hi[a] <= shape()[a]) continue;
                bad_request(
                    fmt::format("box {} of rank {} is not inside the array {}: axis {} has "
                                "the indices 0 to {}",
                                to_string(box), rank, join(shape(), "x"), a, shape()[a] - 1));
            }
        }
    }
}

void BoxList::check_disjoint() const {
    for (const Entry& entry : entries_) {
        find(0, entry.box, [&](const Entry& other) {
            if (&other == &entry) return;
            const auto [first, second] = std::minmax(entry.rank, other.rank);
            const Box& a = entry.rank == first ? entry.box : other.box;
            const Box& b = entry.rank == first ? other.box : entry.box;
            bad_request(
                fmt::format("box {} of rank {} and box {} of rank {} overlap in {}; every "
                            "element must belong to one box",
                            to_string(a), first, to_string(b), second, to_string(intersect(a, b))));
        });
    }
}

void BoxList::check_complete() const {
    Index covered = 0;
    for (const Entry& entry : entries_) covered += entry.box.volume();
    const Box all = whole(shape());
    if (covered == all.volume()) return;
    bad_request(
        fmt::format("the boxes cover {} of the {} elements of the array {}; no rank owns {}",
                    covered, all.volume(), join(shape(), "x"), to_string(uncovered(all))));
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
    std::vector<std::vector<Box>> boxes = boxes_;
    for (auto& own : boxes) {
        for (Box& box : own) {
            for (std::size_t a = 0; a < shape.size(); ++a) {
                if (local_[a]) box.hi[a] = shape[a];
            }
        }
    }
    return std::make_shared<const BoxList>(BoxList(std::move(shape), std::move(boxes), Checked{}));
}

std::string BoxList::name() const {
    std::string text;
    for (const auto& own : boxes_) {
        for (const Box& box : own) text += to_string(box);
        text += '|';
    }
    return fmt::format("boxes#{:016x}", hash(text));
}

}  // namespace weft::core
