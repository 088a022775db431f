#include "exchange/packed_exchange.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "base/index.hpp"
#include "exchange/exchange_task.hpp"
#include "exchange/group_transfers.hpp"
#include "exchange/matrix.hpp"
#include "exchange/schedule.hpp"

namespace weft::core {

namespace {

/// The slices of the blocks in a value, by the block's distance; those of a block travel one after
/// the other. Blocks without elements are left out.
struct PlacedBlocks {
    std::unordered_map<int, std::vector<Slice>> slices;
    Index elements = 0;  ///< of a value that holds packed blocks
};
using Places = std::shared_ptr<const PlacedBlocks>;

/// Works a rank's part out: the constructor what is packed, exchange() the rest.
class ExchangeMaker {
  public:
    ExchangeMaker(const PackedMessages& messages, int rank, ExchangeUse use)
        : from_(messages.from),
          to_(messages.to),
          via_(messages.via),
          chunk_(messages.chunk),
          halved_(messages.halved),
          rank_(rank),
          use_(use),
          group_(group(from_.where, to_.where, rank)),
          ranks_(static_cast<int>(group_.ranks.size())),
          own_(static_cast<int>(std::lower_bound(group_.ranks.begin(), group_.ranks.end(), rank) -
                                group_.ranks.begin())),
          sent_(sends(from_.where, to_.where, rank), from_, group_, rank),
          received_(receives(from_.where, to_.where, rank), to_, group_, rank),
          stages_(scheduled()),
          slot_(slot()) {
        // Elements travel in the order of axes of the side that does not pack.
        made_.order = (messages.pack == Pack::receiver ? from_ : to_).format.order;
        const bool may_pack = packs(via_, messages.pack);
        made_.unpacks = may_pack && !lies_ready(received_);
        made_.packs = may_pack && !lies_ready(sent_);
        made_.on_arrival = made_.unpacks && on_arrival();
        if (use == ExchangeUse::in_one_array && (!made_.unpacks || made_.on_arrival)) {
            made_.packs = true;
        }
    }

    [[nodiscard]] bool goes_in_parts() const {
        if (!made_.packs || !made_.unpacks || made_.on_arrival || stages_.size() > 1) return false;
        const int rounds = stages_.front().rounds;
        return rounds <= batch_rounds().value_or(rounds);
    }

    PackedExchange exchange() {
        const Places before = in_array(sent_, true);
        const Places behind = in_array(received_, false);
        ScheduleStage& first = stages_.front();
        if (keeps_past()) {
            made_.keep_past = copies(first.kept, *before, *behind);
            first.kept.clear();
        }
        Places source = before;
        if (made_.packs) {
            source = packed(first.sends, first.kept);
            for (const Passage& one : first.sends) {
                add_copies(one.block, *before, *source, made_.pack);
            }
            for (const Block& block : first.kept) add_copies(block, *before, *source, made_.pack);
        }
        for (std::size_t i = 0; i < stages_.size(); ++i) {
            const ScheduleStage& stage = stages_[i];
            const bool last = i + 1 == stages_.size();
            const bool in_parts = use_ == ExchangeUse::in_parts;
            const Places next = last ? behind : packed(stages_[i + 1].sends, stages_[i + 1].kept);
            const Places landing =
                last && !made_.unpacks
                    ? next
                    : packed(stage.receives, in_parts ? std::vector<Block>{} : stage.kept);
            ExchangeStage& to = made_.stages.emplace_back();
            to.source_bytes = source->elements * from_.scalar.bytes();
            to.landing_bytes = landing->elements * from_.scalar.bytes();
            if (!in_parts) to.keep = copies(stage.kept, *source, *landing);
            if (landing != next) {
                to.unpack_kept = copies(stage.kept, in_parts ? *source : *landing, *next);
            }
            to.batches = batches(stage, *source, *landing, *next);
            source = next;
        }
        return std::move(made_);
    }

  private:
    /// A rank beyond the process grids is a group of its own: it takes part in as many stages and
    /// batches as the others, all of them empty.
    [[nodiscard]] std::vector<ScheduleStage> scheduled() const {
        const int ranks =
            ranks_ > 1 ? ranks_ : static_cast<int>(group(from_.where, to_.where, 0).ranks.size());
        std::vector<ScheduleStage> result =
            schedule(via_.order, via_.radix, ranks, own_, sent_.peers(), received_.peers());
        if (ranks == ranks_) return result;
        for (ScheduleStage& stage : result) stage = {stage.rounds, {}, {}, {}};
        return result;
    }
    [[nodiscard]] bool on_arrival() const { return via_.on_arrival && !halved_; }
    /// The most rounds of a batch; nothing: all rounds are one batch.
    [[nodiscard]] std::optional<int> batch_rounds() const {
        const std::optional<int> most = via_.how().most_rounds;
        return most ? most : via_.round_batch;
    }
    /// The elements of a slot, if the transport takes messages in slots only.
    [[nodiscard]] std::optional<Index> slot() const {
        const std::optional<Index> unit = via_.how().slot_bytes;
        if (!unit) return {};
        Index elements = std::max<Index>(largest_message(from_.where, to_.where), 1);
        const Index bytes = from_.scalar.bytes() / (halved_ ? 2 : 1);
        while (elements * bytes % *unit != 0) ++elements;
        return elements;
    }
    /// Whether the messages of a single stage are contiguous as they lie in an array, in slots if
    /// need be. In slots the block that stays takes one too, so that the array has room for all.
    [[nodiscard]] bool lies_ready(const GroupTransfers& side) const {
        if (stages_.size() > 1) return false;
        if (slot_ && side.peers().size() < group_.ranks.size()) return false;
        return std::all_of(side.peers().begin(), side.peers().end(), [&](int peer) {
            if (!slot_ && peer == own_) return true;
            const Message message{0, side.in_array(peer, made_.order)};
            if (!contiguous(message)) return false;
            return !slot_ || (message.count() == *slot_ && message.offset() == peer * *slot_);
        });
    }
    /// The array before then lives until the array behind is made, which can take one more buffer:
    /// this pays if a quarter of what the rank has or gets stays with it.
    [[nodiscard]] bool keeps_past() const {
        const bool copies_twice = made_.packs || made_.unpacks;
        if (!copies_twice || use_ != ExchangeUse::whole || stages_.size() > 1) return false;
        const auto most = std::max<Index>({from_.count(rank_), to_.count(rank_), 1});
        return 4 * elements({own_, own_}) >= most;
    }

    [[nodiscard]] bool passes_through(const Block& block) const {
        return block.source != own_ && block.target != own_;
    }
    /// Of a block that starts or ends at this rank.
    [[nodiscard]] std::span<const Transfer> transfers(const Block& block) const {
        if (passes_through(block)) return {};
        return block.source == own_ ? sent_.with(block.target) : received_.with(block.source);
    }
    [[nodiscard]] Index elements(const Block& block) const {
        if (passes_through(block)) {
            return common_elements(from_.where, to_.where, group_.ranks[usize(block.source)],
                                   group_.ranks[usize(block.target)]);
        }
        Index count = 0;
        for (const Transfer& one : transfers(block)) count += one.box.volume();
        return count;
    }

    [[nodiscard]] Places in_array(const GroupTransfers& side, bool sent) const {
        auto places = std::make_shared<PlacedBlocks>();
        for (const int peer : side.peers()) {
            const Block block = sent ? Block{own_, peer} : Block{peer, own_};
            places->slices.emplace(distance(block, ranks_), side.in_array(peer, made_.order));
        }
        return places;
    }
    /// The blocks that a stage sends (receives) lie end to end in the order of the rounds, or in
    /// slots by the other end's group rank. Blocks that stay lie behind them: they have no slots.
    [[nodiscard]] Places packed(const std::vector<Passage>& passages,
                                const std::vector<Block>& kept) const {
        auto places = std::make_shared<PlacedBlocks>();
        places->elements = slot_.value_or(0) * ranks_;
        for (const Passage& one : passages) {
            if (slot_) {
                place(one.block, *slot_ * one.peer, *places);
            } else {
                places->elements += place(one.block, places->elements, *places);
            }
        }
        for (const Block& block : kept) {
            places->elements += place(block, places->elements, *places);
        }
        return places;
    }
    /// Places a packed block, unless it is empty; returns its elements. One that only passes
    /// through this rank is a single slice.
    Index place(const Block& block, Index offset, PlacedBlocks& places) const {
        const Index count = elements(block);
        if (count == 0) return 0;
        std::vector<Slice>& slices = places.slices[distance(block, ranks_)];
        if (passes_through(block)) slices.push_back({offset, {{count, 1}}});
        for (const Transfer& one : transfers(block)) {
            const StoredBox packed{one.box, offset, strides({made_.order}, one.box)};
            slices.push_back(slice_of(one.box, packed, made_.order));
            offset += one.box.volume();
        }
        return count;
    }

    [[nodiscard]] const std::vector<Slice>& slices(const Block& block,
                                                   const PlacedBlocks& places) const {
        static const std::vector<Slice> none;
        const auto found = places.slices.find(distance(block, ranks_));
        return found != places.slices.end() ? found->second : none;
    }
    void add_copies(const Block& block, const PlacedBlocks& from, const PlacedBlocks& to,
                    BlockCopies& copies) const {
        auto target = slices(block, to).begin();
        for (const Slice& source : slices(block, from)) {
            copies.tasks.push_back(copy_task(source, *target++, from_.scalar.bytes()));
        }
        if (use_ != ExchangeUse::in_parts) return;
        for (const Transfer& one : transfers(block)) copies.boxes.push_back(one.box);
    }
    [[nodiscard]] BlockCopies copies(const std::vector<Block>& blocks, const PlacedBlocks& from,
                                     const PlacedBlocks& to) const {
        BlockCopies result;
        for (const Block& block : blocks) add_copies(block, from, to, result);
        return result;
    }

    /// The messages of a stage, and the copies from where they land to what is next, if that is
    /// another value. There are no messages of empty blocks: both ends know it.
    [[nodiscard]] std::vector<RoundBatch> batches(const ScheduleStage& stage,
                                                  const PlacedBlocks& source,
                                                  const PlacedBlocks& landing,
                                                  const PlacedBlocks& next) const {
        const int size = std::max(batch_rounds().value_or(stage.rounds), 1);
        const int count = std::max(stage.rounds / size + (stage.rounds % size != 0 ? 1 : 0), 1);
        std::vector<RoundBatch> result(usize(count), {blank()});
        const auto batch = [&](const Passage& one) -> RoundBatch& {
            return result[usize(one.round / size)];
        };
        const auto add = [&](const Passage& one, const PlacedBlocks& places,
                             std::vector<Message>& messages) {
            const std::vector<Slice>& more = slices(one.block, places);
            if (more.empty()) return false;
            const int peer = group_.ranks[usize(one.peer)];
            std::vector<Slice>& all = slices_of(messages, peer);
            all.insert(all.end(), more.begin(), more.end());
            return true;
        };
        for (const Passage& one : stage.sends) add(one, source, batch(one).exchange.sends);
        for (const Passage& one : stage.receives) {
            auto& [exchange, unpack] = batch(one);
            if (!add(one, landing, exchange.receives) || &landing == &next) continue;
            unpack.resize(exchange.receives.size());
            add_copies(one.block, landing, next, unpack.back());
        }
        return result;
    }
    /// An exchange without messages.
    [[nodiscard]] ExchangeTask blank() const {
        ExchangeTask exchange = exchange_between(from_, to_, group_, chunk_);
        exchange.transport = via_.transport;
        exchange.on_arrival = on_arrival();
        exchange.slot = slot_;
        if (via_.how().carries == Carries::matrix) {
            exchange.matrix = matrix_of(from_, to_, rank_);
        }
        return exchange;
    }

    const Layout& from_;
    const Layout& to_;
    const Via& via_;
    Index chunk_;
    bool halved_;
    int rank_;
    ExchangeUse use_;
    Group group_;
    int ranks_;  ///< of the group
    int own_;    ///< this rank's group rank
    GroupTransfers sent_;
    GroupTransfers received_;
    std::vector<ScheduleStage> stages_;
    std::optional<Index> slot_;
    PackedExchange made_;
};

}  // namespace

PackedExchange packed_exchange(const PackedMessages& messages, int rank, ExchangeUse use) {
    return ExchangeMaker(messages, rank, use).exchange();
}

bool goes_in_parts(const PackedMessages& messages, int rank) {
    return ExchangeMaker(messages, rank, ExchangeUse::in_parts).goes_in_parts();
}

}  // namespace weft::core
