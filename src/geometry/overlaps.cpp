// Which parts of a distribution meet a box.
#include <algorithm>
#include <functional>
#include <utility>

#include "base/index.hpp"
#include "geometry/distribution.hpp"

namespace weft::core {

Box Distribution::tiled_part(int rank, const Box& part) const {
    if (list_) {
        Box owner = part;
        for (const Box& box : list_->boxes(rank)) {
            if (intersect(box, part) == part) owner = box;
        }
        return intersect(tiled(std::move(owner)), part);
    }
    Box result = part;
    for (const Tile& tile : tiles_) {
        const auto a = usize(tile.axis);
        const auto [lo, hi] = interval(tile.axis, rank);
        result.lo[a] = std::max(part.lo[a], lo);
        result.hi[a] = std::max(result.lo[a], std::min(part.hi[a], hi));
    }
    return result;
}

void Distribution::overlaps(const Box& wanted,
                            const std::function<void(int, const Box&)>& visit) const {
    if (tiles_.empty()) return whole_overlaps(wanted, visit);
    whole_overlaps(wanted, [&](int rank, const Box& common) {
        const Box part = tiled_part(rank, common);
        if (!part.empty()) visit(rank, part);
    });
}

void Distribution::whole_overlaps(const Box& wanted,
                                  const std::function<void(int, const Box&)>& visit) const {
    if (wanted.empty()) return;
    if (list_) return list_->overlaps(wanted, visit);
    std::vector<int> coordinates(grid_.factors.size(), 0);
    Box common = wanted;
    // Axis by axis, every part that meets the box; a part's number in mixed radix gives the
    // coordinates of the factors that cut the axis.
    const std::function<void(int)> descend = [&](int axis) {
        if (axis == axes()) {
            visit(grid_.rank(coordinates), common);
            return;
        }
        const auto a = usize(axis);
        const Partition cut = partition(axis);
        const Index last = cut.owner(wanted.hi[a] - 1);
        for (Index part = cut.owner(wanted.lo[a]); part <= last; ++part) {
            common.lo[a] = std::max(wanted.lo[a], cut.begin(part));
            common.hi[a] = std::min(wanted.hi[a], cut.end(part));
            if (common.lo[a] >= common.hi[a]) continue;
            Index digits = part;
            for (auto f = cuts_[a].rbegin(); f != cuts_[a].rend(); ++f) {
                const auto factor = usize(*f);
                coordinates[factor] = static_cast<int>(digits % grid_.factors[factor]);
                digits /= grid_.factors[factor];
            }
            descend(axis + 1);
        }
    };
    descend(0);
}

}  // namespace weft::core
