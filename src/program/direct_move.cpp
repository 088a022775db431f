#include "program/direct_move.hpp"

#include <algorithm>

#include "exchange/transfers.hpp"
#include "weft/error.hpp"

namespace weft::core {

DirectMove::DirectMove(const Plan& plan, std::size_t stage, int rank)
    : from_(plan.at[stage]), to_(plan.at[stage + 1]), chunk_(plan.choice.chunk), rank_(rank) {
    for (const Transfer& transfer : transfers(from_.where, to_.where, rank).sends) {
        const bool known = !readers_.empty() && readers_.back() == transfer.peer;
        if (!known && transfer.peer != rank) readers_.push_back(transfer.peer);
    }
}

StoredBox DirectMove::part(int rank, const Box& box) const {
    for (StoredBox& stored : to_.stored(rank)) {
        if (intersect(stored.box, box) != box) continue;
        for (int axis = 0; axis < box.axes(); ++axis) {
            const auto a = static_cast<std::size_t>(axis);
            stored.offset += (box.lo[a] - stored.box.lo[a]) * stored.strides[a];
        }
        stored.box = box;
        return stored;
    }
    throw Error(ErrorCode::system, "internal: a part is in none of its reader's boxes");
}

std::vector<PlacedBox> DirectMove::written(int first_place) const {
    std::vector<PlacedBox> result;
    for (const Transfer& transfer : transfers(from_.where, to_.where, rank_).sends) {
        int place = target_place;
        if (transfer.peer != rank_) {
            const auto found = std::lower_bound(readers_.begin(), readers_.end(), transfer.peer);
            place = first_place + static_cast<int>(found - readers_.begin());
        }
        result.push_back({part(transfer.peer, transfer.box), place, false});
    }
    return result;
}

ExchangeTask DirectMove::offers() const {
    ExchangeTask task;
    task.transport = "shared";
    task.window = output_window;
    task.group = group(from_.where, to_.where, rank_);
    task.element_bytes = from_.scalar.bytes();
    task.chunk = chunk_;
    const auto add = [&](std::vector<Message>& messages, const Transfer& transfer, int owner) {
        if (transfer.peer == rank_) return;
        if (messages.empty() || messages.back().peer != transfer.peer) {
            messages.push_back({transfer.peer, {}});
        }
        messages.back().slices.push_back(
            slice_of(transfer.box, part(owner, transfer.box), to_.format.order));
    };
    const Transfers all = transfers(from_.where, to_.where, rank_);
    for (const Transfer& transfer : all.receives) add(task.sends, transfer, rank_);
    for (const Transfer& transfer : all.sends) add(task.receives, transfer, transfer.peer);
    return task;
}

}  // namespace weft::core
