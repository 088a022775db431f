#include "program/move.hpp"

#include <algorithm>
#include <utility>

#include "exchange/matrix.hpp"
#include "exchange/via.hpp"
#include "program/group_blocks.hpp"
#include "program/layout_tasks.hpp"

namespace weft::core {

namespace {

void add_copies(std::vector<CopyTask>& copies, const Slices& from, const Slices& to,
                Index element_bytes) {
    for (std::size_t i = 0; i < from.size(); ++i) {
        copies.push_back(copy_task(from[i], to[i], element_bytes));
    }
}

/// The blocks of a stage that are sent (received), in that order.
std::vector<Block> travelling(const ScheduleStage& stage, bool before) {
    std::vector<Block> all;
    for (const Round& round : stage.rounds) {
        const auto& some = before ? round.sends : round.receives;
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

/// Puts the tasks of one move together, stage by stage.
class Mover {
  public:
    Mover(const Layout& from, const Layout& to, const RedistributionStage& move, Index chunk,
          int rank, bool within_one_array, bool in_parts = false)
        : from_(from),
          to_(to),
          via_(move.via),
          chunk_(chunk),
          bytes_(from.scalar.bytes()),
          rank_(rank),
          blocks_(from, to, move, rank),
          stages_(schedule(via_.order, via_.radix, blocks_.places(), blocks_.own())) {
        take_part_in_all(group(from.where, to.where, 0));
        const bool may_pack = core::packs(via_, move.pack);
        slot_ = slot();
        blank_ = blank_exchange();
        tasks_.unpacks = may_pack && !lies_ready(false);
        tasks_.packs = may_pack && !lies_ready(true);
        if (within_one_array && !tasks_.unpacks) tasks_.packs = true;
        tasks_.some = via_.some && tasks_.unpacks;
        if (within_one_array && tasks_.some) tasks_.packs = true;
        const bool copies_twice = tasks_.packs || tasks_.unpacks;
        if (copies_twice && !within_one_array && !in_parts && stages_.size() == 1 && keeps_much())
            keep_past();
    }

    MoveTasks tasks() {
        const std::vector<Block> first = held(stages_.front(), true);
        PlacedBlocks source = value(first, true, tasks_.packs);
        if (tasks_.packs) {
            for (const Block& block : first) {
                add_copies(tasks_.pack, blocks_.in_layout(block, true), source.at(block), bytes_);
            }
        }
        for (std::size_t i = 0; i < stages_.size(); ++i) {
            const bool last = i + 1 == stages_.size();
            const PlacedBlocks landing =
                value(held(stages_[i], false), false, !last || tasks_.unpacks);
            PlacedBlocks onward =
                last ? in_target() : value(held(stages_[i + 1], true), true, true);
            add_step(stages_[i], source, landing, onward, !last || tasks_.unpacks);
            source = std::move(onward);
        }
        return std::move(tasks_);
    }

    /// The same in parts, if it is so simple.
    [[nodiscard]] std::optional<PackedMove> packed() const {
        if (!tasks_.packs || !tasks_.unpacks || via_.some || stages_.size() != 1) return {};
        const std::vector<Block> all = held(stages_.front(), true);
        const std::vector<Block> arriving = travelling(stages_.front(), false);
        const PlacedBlocks source = value(all, true, true);
        const PlacedBlocks landing = value(arriving, false, true);
        const PlacedBlocks target = in_target();
        PackedMove result{source.elements(), landing.elements(), {}, {}, {}, {}, {}};
        for (const Block& block : all) {
            add_boxes(block, true, blocks_.in_layout(block, true), source.at(block), result.pack);
        }
        for (const Block& block : arriving) {
            add_boxes(block, false, landing.at(block), target.at(block), result.unpack);
        }
        for (const Block& block : stages_.front().kept) {
            add_boxes(block, false, source.at(block), target.at(block), result.kept);
        }
        const std::vector<Window> all_windows =
            windows(stages_.front(), source, landing, target, false);
        if (all_windows.size() != 1) return {};
        result.exchange = all_windows.front().exchange;
        return result;
    }

  private:
    void add_boxes(const Block& block, bool of_source, const Slices& from, const Slices& to,
                   std::vector<BoxCopy>& copies) const {
        const std::vector<Box>& boxes = blocks_.boxes(block, of_source);
        for (std::size_t i = 0; i < from.size(); ++i) {
            copies.push_back({boxes[i], copy_task(from[i], to[i], bytes_)});
        }
    }
    /// A rank beyond the process grids is a group of its own: it has as many stages and windows as
    /// the others, all of them empty.
    void take_part_in_all(const Group& largest) {
        const auto places = static_cast<int>(largest.ranks.size());
        if (places == blocks_.places()) return;
        const ScheduleStage own = stages_.front();
        stages_ = schedule(via_.order, via_.radix, places, 0);
        for (ScheduleStage& stage : stages_) {
            stage = {std::vector<Round>(stage.rounds.size()), own.kept};
        }
    }
    /// The elements of a slot where the transport wants slots.
    [[nodiscard]] Index slot() const {
        const Index unit = via_.how().slot_bytes;
        if (unit == 0) return 0;
        Index elements = std::max<Index>(largest_message(from_.where, to_.where), 1);
        while (elements * bytes_ % unit != 0) ++elements;
        return elements;
    }
    /// All blocks of a stage, in the order in which they lie: as they are sent (received), then
    /// what is kept.
    static std::vector<Block> held(const ScheduleStage& stage, bool before) {
        std::vector<Block> all = travelling(stage, before);
        all.insert(all.end(), stage.kept.begin(), stage.kept.end());
        return all;
    }
    /// What the only stage keeps is copied once, past the values between, and no more of the stage.
    void keep_past() {
        for (const Block& block : stages_.front().kept) {
            add_copies(tasks_.past, blocks_.in_layout(block, true), blocks_.in_layout(block, false),
                       bytes_);
        }
        stages_.front().kept.clear();
    }
    /// Whether it is worth a source that stays until the target is made, which can take one more
    /// buffer: a quarter of what the rank has or gets.
    [[nodiscard]] bool keeps_much() const {
        Index kept = 0;
        for (const Block& block : stages_.front().kept) {
            for (const Slice& slice : blocks_.in_layout(block, true)) kept += slice.count();
        }
        const auto elements = [&](const Distribution& where) {
            Index all = 0;
            for (const Box& box : where.boxes(rank_)) all += box.volume();
            return all;
        };
        return 4 * kept >= std::max<Index>({elements(from_.where), elements(to_.where), 1});
    }
    /// Whether the messages of a single stage are contiguous as they lie in the layout, in slots if
    /// need be; then what is kept takes a slot too, so that the array has room for all of them.
    [[nodiscard]] bool lies_ready(bool source) const {
        const auto ready = [&](const Block& block) {
            const Message message{0, blocks_.in_layout(block, source)};
            if (slot_ == 0) return contiguous(message);
            const int other = source ? block.target : block.source;
            return message.count() == slot_ && contiguous(message) &&
                   message.offset() == other * slot_;
        };
        const ScheduleStage& only = stages_.front();
        const std::vector<Block> some = travelling(only, source);
        return stages_.size() == 1 && std::all_of(some.begin(), some.end(), ready) &&
               (slot_ == 0 || std::all_of(only.kept.begin(), only.kept.end(), ready));
    }
    [[nodiscard]] PlacedBlocks value(const std::vector<Block>& some, bool source,
                                     bool packed) const {
        PlacedBlocks result(blocks_);
        if (!packed) {
            result.lie_in_layout(some, source);
        } else if (slot_ != 0) {
            result.lie_in_slots(some, source, slot_);
        } else {
            result.append(some);
        }
        return result;
    }
    [[nodiscard]] PlacedBlocks in_target() const {
        return value(held(stages_.back(), false), false, false);
    }

    void add_step(const ScheduleStage& stage, const PlacedBlocks& source,
                  const PlacedBlocks& landing, const PlacedBlocks& onward, bool goes_on) {
        MoveStep& step = tasks_.steps.emplace_back();
        step.source = source.elements();
        step.landing = landing.elements();
        for (const Block& block : stage.kept) {
            add_copies(step.kept, source.at(block), landing.at(block), bytes_);
            if (!goes_on) continue;
            add_copies(step.kept_onward, landing.at(block), onward.at(block), bytes_);
        }
        step.windows = windows(stage, source, landing, onward, goes_on);
    }

    /// The rounds of a stage, as many at a time as the method carries.
    [[nodiscard]] std::vector<Window> windows(const ScheduleStage& stage,
                                              const PlacedBlocks& source,
                                              const PlacedBlocks& landing,
                                              const PlacedBlocks& onward, bool goes_on) const {
        std::vector<Window> result;
        const Transport& how = via_.how();
        const auto rounds = stage.rounds.size();
        const std::size_t size = how.most_rounds != 0 ? static_cast<std::size_t>(how.most_rounds)
                                 : via_.window != 0   ? static_cast<std::size_t>(via_.window)
                                                      : std::max<std::size_t>(rounds, 1);
        for (std::size_t begin = 0; begin == 0 || begin < rounds; begin += size) {
            Window& window = result.emplace_back(Window{blank_, {}});
            for (std::size_t r = begin; r < std::min(begin + size, rounds); ++r) {
                add_round(stage.rounds[r], source, landing, window);
                if (goes_on) add_onward(stage.rounds[r], landing, onward, window);
            }
        }
        return result;
    }

    /// Of every window, without its messages.
    [[nodiscard]] ExchangeTask blank_exchange() const {
        ExchangeTask task = exchange_between(from_, to_, blocks_.group(), chunk_);
        task.transport = via_.transport;
        task.some = via_.some;
        task.slot = slot_;
        if (via_.how().carries == Carries::matrix) task.matrix = matrix_of(from_, to_, rank_);
        return task;
    }

    /// A rank that has nothing for another sends nothing, and both know it.
    void add_round(const Round& round, const PlacedBlocks& source, const PlacedBlocks& landing,
                   Window& window) const {
        const auto add = [&](std::vector<Message>& messages, int peer, const PlacedBlocks& value,
                             const std::vector<Block>& some) {
            if (peer == -1) return;
            Message message = value.message(blocks_.rank(peer), some);
            if (!message.slices.empty()) messages.push_back(std::move(message));
        };
        add(window.exchange.sends, round.to, source, round.sends);
        add(window.exchange.receives, round.from, landing, round.receives);
    }

    void add_onward(const Round& round, const PlacedBlocks& landing, const PlacedBlocks& onward,
                    Window& window) const {
        if (window.onward.size() == window.exchange.receives.size()) return;
        std::vector<CopyTask>& copies = window.onward.emplace_back();
        for (const Block& block : round.receives) {
            add_copies(copies, landing.at(block), onward.at(block), bytes_);
        }
    }

    const Layout& from_;
    const Layout& to_;
    Via via_;
    Index chunk_;
    Index bytes_;
    int rank_;
    GroupBlocks blocks_;
    std::vector<ScheduleStage> stages_;
    Index slot_ = 0;
    ExchangeTask blank_;
    MoveTasks tasks_;
};

}  // namespace

std::optional<PackedMove> packed_move(const Layout& from, const Layout& to,
                                      const RedistributionStage& move, Index chunk, int rank) {
    std::optional<PackedMove> result = Mover(from, to, move, chunk, rank, false, true).packed();
    if (result) {
        result->travel = move.pack == Pack::receiver ? from.format.order : to.format.order;
    }
    return result;
}

MoveTasks move_tasks(const Layout& from, const Layout& to, const RedistributionStage& move,
                     Index chunk, int rank, bool within_one_array) {
    return Mover(from, to, move, chunk, rank, within_one_array).tasks();
}

}  // namespace weft::core
