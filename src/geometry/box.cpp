#include "weft/box.hpp"

#include <algorithm>
#include <utility>

namespace weft {

std::vector<Index> Box::extents() const {
    std::vector<Index> result(lo.size());
    for (std::size_t a = 0; a < lo.size(); ++a) result[a] = hi[a] - lo[a];
    return result;
}

Index Box::volume() const {
    Index n = 1;
    for (std::size_t a = 0; a < lo.size(); ++a) n *= hi[a] - lo[a];
    return n;
}

Box whole(const std::vector<Index>& shape) { return {std::vector<Index>(shape.size(), 0), shape}; }

Box intersect(const Box& a, const Box& b) {
    Box common = a;
    for (std::size_t i = 0; i < a.lo.size(); ++i) {
        common.lo[i] = std::max(a.lo[i], b.lo[i]);
        common.hi[i] = std::max(common.lo[i], std::min(a.hi[i], b.hi[i]));
    }
    return common;
}

std::string to_string(const Box& box) {
    std::string text = "[";
    // A box that is not well formed is printed too, where it is refused.
    for (std::size_t a = 0; a < std::min(box.lo.size(), box.hi.size()); ++a) {
        if (a != 0) text += ',';
        text += std::to_string(box.lo[a]) + ':' + std::to_string(box.hi[a]);
    }
    return text + ']';
}

OwnBoxes::OwnBoxes(ByRank boxes)
    : boxes_(boxes.empty() ? nullptr : std::make_shared<const ByRank>(std::move(boxes))) {}

const OwnBoxes::ByRank& OwnBoxes::by_rank() const {
    static const ByRank none;
    return boxes_ ? *boxes_ : none;
}

}  // namespace weft
