// The volume of a redistribution by its definition, to compare with.
#pragma once

#include "geometry/distribution.hpp"

namespace weft::core::test {

/// The elements that leave their rank for another one, counted box by box.
inline Index volume_by_boxes(const Distribution& from, const Distribution& to) {
    Index leaving = 0;
    for (int rank = 0; rank < from.ranks(); ++rank) {
        for (const Box& mine : from.boxes(rank)) {
            for (int peer = 0; peer < to.ranks(); ++peer) {
                if (peer == rank) continue;
                for (const Box& then : to.boxes(peer)) leaving += intersect(mine, then).volume();
            }
        }
    }
    return leaving;
}

}  // namespace weft::core::test
