#include "program/fused.hpp"

namespace weft::core {

void FusedEnds::add(std::vector<PlacedBox> FusedEnds::*side, int buffer,
                    const std::vector<RegionPart>& parts, int rank) {
    std::vector<PlacedBox>& boxes = this->*side;
    const auto own = static_cast<int>(places.size());
    places.push_back({buffer});
    for (const RegionPart& part : parts) {
        const bool other = part.of_peer && part.peer != rank;
        if (other && places.back().rank != part.peer) places.push_back({buffer, part.peer});
        const int place = other ? static_cast<int>(places.size()) - 1 : own;
        boxes.push_back({part.where, place, part.padded, part.own});
        // Blocks that lie side by side are none.
        std::optional<Blocks>& blocks = boxes.back().where.blocks;
        if (blocks && blocks->step == blocks->extent * boxes.back().where.stride(blocks->axis))
            blocks.reset();
        while (boxes.size() > 1) {
            PlacedBox& before = boxes[boxes.size() - 2];
            const PlacedBox& last = boxes.back();
            if (before.place != last.place || before.own != last.own ||
                !before.where.join(last.where))
                break;
            before.padded = before.padded && last.padded;
            boxes.pop_back();
        }
    }
}

}  // namespace weft::core
