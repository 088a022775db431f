#include "geometry/census.hpp"

#include <algorithm>

#include "base/index.hpp"

namespace weft::core {

namespace {

Index elements(const std::vector<Box>& boxes) {
    Index count = 0;
    for (const Box& box : boxes) count += box.volume();
    return count;
}

}  // namespace

Index owners(const Distribution& distribution) {
    if (const BoxesByRank* list = distribution.list()) {
        Index count = 0;
        for (int rank = 0; rank < list->ranks(); ++rank) {
            count += elements(list->boxes(rank)) > 0 ? 1 : 0;
        }
        return count;
    }
    Index count = 1;
    for (int axis = 0; axis < distribution.axes(); ++axis) {
        count *= distribution.partition(axis).in_use();
    }
    return count;
}

int fullest_rank(const Distribution& distribution) {
    int fullest = 0;
    if (const BoxesByRank* list = distribution.list()) {
        Index most = 0;
        for (int rank = 0; rank < list->ranks(); ++rank) {
            const Index count = elements(list->boxes(rank));
            if (count > most) fullest = rank;
            most = std::max(most, count);
        }
        return fullest;
    }
    Box element = whole(distribution.shape());
    for (int axis = 0; axis < distribution.axes(); ++axis) {
        const auto a = usize(axis);
        if (distribution.partition(axis).even()) {
            element.lo[a] = element.hi[a] - 1;
        } else {
            element.hi[a] = 1;
        }
    }
    distribution.overlaps(element, [&](int rank, const Box&) { fullest = rank; });
    return fullest;
}

}  // namespace weft::core
