#include "program/shared.hpp"

#include <algorithm>

#include "exchange/transfers.hpp"
#include "exchange/via.hpp"
#include "program/move.hpp"

namespace weft::core {

namespace {

/// Which of the plan's moves by shared memory that stage is.
int shared_before(const Plan& plan, std::size_t stage) {
    int count = 0;
    for (std::size_t i = 0; i < stage; ++i) count += is_shared(plan, i) ? 1 : 0;
    return count;
}

/// Copies between the stored boxes of a rank and blocks, which are parts of them.
template <class Copy>
void for_common(const std::vector<StoredBox>& boxes, const std::vector<StoredBox>& blocks,
                const Copy& copy) {
    for (const StoredBox& block : blocks) {
        for (const StoredBox& box : boxes) {
            const Box common = intersect(box.box, block.box);
            if (!common.empty()) copy(common, box, block);
        }
    }
}

}  // namespace

SharedMove::SharedMove(const Plan& plan, std::size_t stage, int rank)
    : from_(plan.at[stage]),
      to_(plan.at[stage + 1]),
      chunk_(plan.choice.chunk),
      rank_(rank),
      window_(shared_before(plan, stage) % windows_in_turn),
      layout_(from_, to_, entry_axis(plan, stage + 1)) {
    for (const Transfer& transfer : transfers(from_.where, to_.where, rank).receives) {
        const bool known = !peers_.empty() && peers_.back() == transfer.peer;
        if (!known && transfer.peer != rank) peers_.push_back(transfer.peer);
    }
}

std::vector<PlacedBox> SharedMove::written() const {
    std::vector<PlacedBox> result;
    for (const WindowBlock& block : layout_.blocks(rank_)) {
        result.push_back({block.stored, target_place, layout_.padded(block.stored)});
    }
    return result;
}

std::vector<PlacedBox> SharedMove::read() const {
    std::vector<PlacedBox> result;
    const auto add = [&](int source, int place) {
        for (const StoredBox& stored : layout_.blocks(source, rank_)) {
            result.push_back({stored, place, layout_.padded(stored)});
        }
    };
    add(rank_, source_place);
    int place = first_peer_place;
    for (const int peer : peers_) add(peer, place++);
    return result;
}

std::vector<CopyTask> SharedMove::copies_in() const {
    std::vector<StoredBox> blocks;
    for (WindowBlock& block : layout_.blocks(rank_)) blocks.push_back(std::move(block.stored));
    std::vector<CopyTask> result;
    const std::vector<int>& order = to_.format.order;
    for_common(
        from_.stored(rank_), blocks,
        [&](const Box& common, const StoredBox& box, const StoredBox& block) {
            result.push_back(copy_task(slice_of(common, box, order), slice_of(common, block, order),
                                       from_.scalar.bytes()));
        });
    return result;
}

std::vector<std::pair<int, std::vector<CopyTask>>> SharedMove::copies_out() const {
    std::vector<std::pair<int, std::vector<CopyTask>>> result;
    const std::vector<StoredBox> boxes = to_.stored(rank_);
    const std::vector<int>& order = to_.format.order;
    const auto add = [&](int source, int peer) {
        std::vector<CopyTask> copies;
        for_common(
            boxes, layout_.blocks(source, rank_),
            [&](const Box& common, const StoredBox& box, const StoredBox& block) {
                copies.push_back(copy_task(slice_of(common, block, order),
                                           slice_of(common, box, order), from_.scalar.bytes()));
            });
        result.emplace_back(peer, std::move(copies));
    };
    add(rank_, -1);
    for (const int peer : peers_) add(peer, peer);
    return result;
}

ExchangeTask SharedMove::task() const {
    ExchangeTask task;
    task.transport = "shared";
    task.window = window_;
    task.group = group(from_.where, to_.where, rank_);
    task.element_bytes = from_.scalar.bytes();
    task.chunk = chunk_;
    task.largest = std::max(from_.largest_span(), to_.largest_span());
    const auto slice = [&](const StoredBox& block) {
        return slice_of(block.box, block, to_.format.order);
    };
    for (const WindowBlock& block : layout_.blocks(rank_)) {
        if (block.reader == rank_) continue;
        if (task.sends.empty() || task.sends.back().peer != block.reader) {
            task.sends.push_back({block.reader, {}});
        }
        task.sends.back().slices.push_back(slice(block.stored));
    }
    for (const int peer : peers_) {
        Message& message = task.receives.emplace_back(Message{peer, {}});
        for (const StoredBox& block : layout_.blocks(peer, rank_)) {
            message.slices.push_back(slice(block));
        }
    }
    return task;
}

}  // namespace weft::core
