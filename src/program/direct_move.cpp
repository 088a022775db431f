#include "program/direct_move.hpp"

#include <algorithm>
#include <utility>

#include "program/layout_tasks.hpp"
#include "weft/error.hpp"

namespace weft::core {

DirectMove::DirectMove(const Plan& plan, std::size_t stage, int rank, bool input)
    : from_(plan.at[stage]), to_(plan.at[stage + 1]), rank_(rank), input_(input) {
    Transfers all = transfers(from_.where, to_.where, rank);
    taken_ = std::move(input ? all.receives : all.sends);
    given_ = std::move(input ? all.sends : all.receives);
    owners_ = other_peers(taken_, rank);
}

StoredBox DirectMove::part(int rank, const Box& box) const {
    for (StoredBox& stored : (input_ ? from_ : to_).stored(rank)) {
        if (intersect(stored.box, box) != box) continue;
        for (int axis = 0; axis < box.axes(); ++axis) {
            const auto a = static_cast<std::size_t>(axis);
            stored.offset += (box.lo[a] - stored.box.lo[a]) * stored.strides[a];
        }
        stored.box = box;
        return stored;
    }
    throw Error(ErrorCode::system, "internal: a part is in none of its owner's boxes");
}

std::vector<PlacedBox> DirectMove::parts(int first_place) const {
    std::vector<PlacedBox> result;
    for (const Transfer& transfer : taken_) {
        int place = input_ ? source_place : target_place;
        if (transfer.peer != rank_) {
            const auto found = std::lower_bound(owners_.begin(), owners_.end(), transfer.peer);
            place = first_place + static_cast<int>(found - owners_.begin());
        }
        result.push_back({{part(transfer.peer, transfer.box)}, place, false, transfer.own});
    }
    return result;
}

RegionTask DirectMove::offer() const {
    RegionTask task;
    task.region.kind = input_ ? RegionKind::input : RegionKind::output;
    task.access = input_ ? RegionAccess::read : RegionAccess::write;
    task.element_bytes = from_.scalar.bytes();
    const auto add = [&](std::vector<PeerPart>& parts, const Transfer& transfer, int owner) {
        if (transfer.peer == rank_) return;
        slices_of(parts, transfer.peer)
            .push_back(slice_of(transfer.box, part(owner, transfer.box), to_.format.order));
    };
    for (const Transfer& transfer : given_) add(task.offered, transfer, rank_);
    for (const Transfer& transfer : taken_) add(task.used, transfer, transfer.peer);
    return task;
}

}  // namespace weft::core
