#include "geometry/blocks.hpp"

#include <algorithm>

#include "base/index.hpp"

namespace weft::core {

Slice BlockedBox::slice(const std::vector<int>& order) const {
    Slice result = slice_of(stored.box, stored, order);
    if (!blocks) return result;
    const auto cut = usize(std::find(order.begin(), order.end(), blocks->axis) - order.begin());
    Run& run = result.runs[cut];
    const Run around{run.extent / blocks->extent, blocks->step};
    run.extent = blocks->extent;
    result.runs.insert(result.runs.begin(), around);
    return result;
}

bool BlockedBox::join(const BlockedBox& other) {
    if (blocks != other.blocks) return false;
    std::optional<int> along;
    for (int axis = 0; axis < stored.box.axes(); ++axis) {
        if (lo(axis) == other.lo(axis) && hi(axis) == other.hi(axis)) {
            if (hi(axis) - lo(axis) > 1 && stride(axis) != other.stride(axis)) return false;
        } else if (along || hi(axis) != other.lo(axis) || cuts(axis)) {
            return false;
        } else {
            along = axis;
        }
    }
    if (!along) return false;
    // An axis of one index has no stride yet.
    const auto a = usize(*along);
    const Index extent = hi(*along) - lo(*along);
    const Index distance = other.stored.offset - stored.offset;
    const Index stride = extent > 1 ? this->stride(*along) : distance;
    const bool goes_on = other.hi(*along) - other.lo(*along) == 1 || other.stride(*along) == stride;
    if (distance < 0 || distance != extent * stride || !goes_on) return false;
    stored.strides[a] = stride;
    stored.box.hi[a] = other.hi(*along);
    return true;
}

}  // namespace weft::core
