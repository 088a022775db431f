#include "program/packed_exchange.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "exchange/matrix.hpp"
#include "program/layout_tasks.hpp"

namespace weft::core {

namespace {

/// Works a rank's part out: the constructor what is packed, exchange() the messages.
class ExchangeMaker {
  public:
    ExchangeMaker(const Plan& plan, std::size_t stage, int rank, ExchangeUse use)
        : from_(plan.at[stage]),
          to_(plan.at[stage + 1]),
          redistribution_(*redistribution_at(plan, stage)),
          chunk_(plan.choice.chunk),
          rank_(rank),
          use_(use),
          // Elements travel in the order of axes of the side that does not pack.
          made_{GroupBlocks(from_, to_,
                            (redistribution_.pack == Pack::receiver ? from_ : to_).format.order,
                            rank)},
          slot_(slot()) {
        const bool may_pack = packs(redistribution_.via, redistribution_.pack);
        made_.unpacks = may_pack && !lies_ready(HeldBlocks::Lie::behind);
        made_.packs = may_pack && !lies_ready(HeldBlocks::Lie::before);
        made_.on_arrival = made_.unpacks && redistribution_.via.some;
        if (use == ExchangeUse::in_one_array && (!made_.unpacks || made_.on_arrival)) {
            made_.packs = true;
        }
        made_.keeps_past = keeps_past();
    }

    [[nodiscard]] bool goes_in_parts() const {
        if (!made_.packs || !made_.unpacks || made_.on_arrival || !has_one_stage()) return false;
        return most_rounds() == 0 || rounds().front().rounds.size() <= most_rounds();
    }

    PackedExchange exchange() {
        std::vector<ScheduleStage> all = rounds();
        for (ScheduleStage& rounds : all) {
            const bool packs = made_.packs || &rounds != &all.front();
            const bool unpacks = made_.unpacks || &rounds != &all.back();
            ExchangeStage& stage = made_.stages.emplace_back();
            stage.source = packs ? packed(rounds, true) : HeldBlocks{HeldBlocks::Lie::before};
            stage.landing = unpacks ? packed(rounds, false) : HeldBlocks{HeldBlocks::Lie::behind};
            stage.kept = std::move(rounds.kept);
            add_batches(rounds.rounds, stage);
        }
        return std::move(made_);
    }

  private:
    /// A rank beyond the process grids is a group of its own: it takes part in as many stages and
    /// batches as the others, all of them empty.
    [[nodiscard]] int scheduled_ranks() const {
        if (made_.blocks.group_ranks() > 1) return made_.blocks.group_ranks();
        return static_cast<int>(group(from_.where, to_.where, 0).ranks.size());
    }
    [[nodiscard]] std::vector<ScheduleStage> rounds() const {
        const int ranks = scheduled_ranks();
        std::vector<ScheduleStage> result =
            schedule(redistribution_.via.order, redistribution_.via.radix, ranks,
                     made_.blocks.own_group_rank());
        if (ranks == made_.blocks.group_ranks()) return result;
        for (ScheduleStage& stage : result) stage = {std::vector<Round>(stage.rounds.size()), {}};
        return result;
    }
    [[nodiscard]] bool has_one_stage() const {
        return redistribution_.via.order != Order::kway ||
               redistribution_.via.radix >= scheduled_ranks();
    }
    /// The most rounds of a batch; 0: all rounds are one batch.
    [[nodiscard]] std::size_t most_rounds() const {
        const int most = redistribution_.via.how().most_rounds;
        return static_cast<std::size_t>(most != 0 ? most : redistribution_.via.window);
    }
    /// The elements of a slot; 0: the transport takes messages anywhere.
    [[nodiscard]] Index slot() const {
        const Index unit = redistribution_.via.how().slot_bytes;
        if (unit == 0) return 0;
        Index elements = std::max<Index>(largest_message(from_.where, to_.where), 1);
        while (elements * from_.scalar.bytes() % unit != 0) ++elements;
        return elements;
    }
    /// Whether the messages of a single stage are contiguous as they lie in the array, in slots if
    /// need be. In slots the block that stays takes one too, so that the array has room for all.
    [[nodiscard]] bool lies_ready(HeldBlocks::Lie array) const {
        if (!has_one_stage()) return false;
        const int own = made_.blocks.own_group_rank();
        for (int other = 0; other < made_.blocks.group_ranks(); ++other) {
            if (slot_ == 0 && other == own) continue;
            const bool sent = array == HeldBlocks::Lie::before;
            const Block block = sent ? Block{own, other} : Block{other, own};
            const Message message{0, made_.blocks.slices(block, {array})};
            if (!contiguous(message)) return false;
            if (slot_ == 0) continue;
            if (message.count() != slot_ || message.offset() != other * slot_) return false;
        }
        return true;
    }
    /// The array before then lives until the array behind is made, which can take one more buffer:
    /// this pays if a quarter of what the rank has or gets stays with it.
    [[nodiscard]] bool keeps_past() const {
        const bool copies_twice = made_.packs || made_.unpacks;
        if (!copies_twice || use_ != ExchangeUse::whole || !has_one_stage()) return false;
        const int own = made_.blocks.own_group_rank();
        const auto most = std::max<Index>({from_.count(rank_), to_.count(rank_), 1});
        return 4 * made_.blocks.elements({own, own}) >= most;
    }

    /// The blocks that a stage sends (receives) lie end to end in the order of the rounds, or in
    /// slots by the other end's group rank. Blocks that stay lie behind them: they have no slots.
    [[nodiscard]] HeldBlocks packed(const ScheduleStage& rounds, bool sent) const {
        HeldBlocks held;
        Index end = slot_ * made_.blocks.group_ranks();
        for (const Round& round : rounds.rounds) {
            for (const Block& block : sent ? round.sends : round.receives) {
                if (slot_ != 0) {
                    made_.blocks.place(block, slot_ * (sent ? block.target : block.source), held);
                } else {
                    end += made_.blocks.place(block, end, held);
                }
            }
        }
        if (!made_.keeps_past && (sent || use_ != ExchangeUse::in_parts)) {
            for (const Block& block : rounds.kept) end += made_.blocks.place(block, end, held);
        }
        held.bytes = end * from_.scalar.bytes();
        return held;
    }

    void add_batches(std::vector<Round>& rounds, ExchangeStage& stage) const {
        ExchangeTask blank = exchange_between(from_, to_, made_.blocks.group(), chunk_);
        blank.transport = redistribution_.via.transport;
        blank.some = redistribution_.via.some;
        blank.slot = slot_;
        if (redistribution_.via.how().carries == Carries::matrix) {
            blank.matrix = matrix_of(from_, to_, rank_);
        }
        const std::size_t all = rounds.size();
        const std::size_t size = most_rounds() != 0 ? most_rounds() : std::max<std::size_t>(all, 1);
        for (std::size_t begin = 0; begin == 0 || begin < all; begin += size) {
            RoundBatch& batch = stage.batches.emplace_back(RoundBatch{blank, {}});
            for (std::size_t r = begin; r < std::min(begin + size, all); ++r) {
                Round& round = rounds[r];
                add_message(round.to, round.sends, stage.source, batch.exchange.sends);
                if (add_message(round.from, round.receives, stage.landing,
                                batch.exchange.receives)) {
                    batch.arriving.push_back(std::move(round.receives));
                }
            }
        }
    }
    /// Adds no message and returns false if the blocks are empty: both ends know it.
    bool add_message(int peer, const std::vector<Block>& blocks, const HeldBlocks& held,
                     std::vector<Message>& messages) const {
        Message message;
        for (const Block& block : blocks) {
            std::vector<Slice> more = made_.blocks.slices(block, held);
            std::move(more.begin(), more.end(), std::back_inserter(message.slices));
        }
        if (message.slices.empty()) return false;
        message.peer = made_.blocks.group().ranks[static_cast<std::size_t>(peer)];
        messages.push_back(std::move(message));
        return true;
    }

    const Layout& from_;
    const Layout& to_;
    const RedistributionStage& redistribution_;
    Index chunk_;
    int rank_;
    ExchangeUse use_;
    PackedExchange made_;
    Index slot_;
};

}  // namespace

PackedExchange packed_exchange(const Plan& plan, std::size_t stage, int rank, ExchangeUse use) {
    return ExchangeMaker(plan, stage, rank, use).exchange();
}

bool goes_in_parts(const Plan& plan, std::size_t stage, int rank) {
    return ExchangeMaker(plan, stage, rank, ExchangeUse::in_parts).goes_in_parts();
}

}  // namespace weft::core
