#include "program/lower_fused.hpp"

#include "program/direct_move.hpp"
#include "program/fused.hpp"

namespace weft::core {

namespace {

/// Awaits what was published last before operation `end`; returns the number of that publication.
std::size_t append_await(std::vector<Operation>& operations, std::size_t end) {
    std::size_t publish = end - 1;
    while (!std::holds_alternative<PublishOp>(operations[publish].what)) --publish;
    append(operations, operations[publish].stage, AwaitOp{publish});
    return publish;
}

void append_passes(std::vector<Operation>& operations, int stage,
                   const std::vector<FusedOp>& passes,
                   const std::array<int, first_peer_place>& buffers) {
    for (FusedOp pass : passes) {
        for (Place& place : pass.places) {
            place.buffer = buffers[static_cast<std::size_t>(place.buffer)];
        }
        append(operations, stage, pass);
    }
}

/// Between the places of a move and this rank's layout beside it.
void append_copies_of(std::vector<Operation>& operations, int stage,
                      const std::vector<PlacedCopies>& all, const std::vector<int>& peers, bool in,
                      const std::array<int, first_peer_place>& buffers) {
    for (const auto& [number, some] : all) {
        const bool own = number < first_peer_place;
        const auto place = static_cast<std::size_t>(own ? number : source_place);
        const int from = in ? buffers[source_place] : buffers[place];
        const int to = in ? buffers[place] : buffers[target_place];
        const int peer = own ? -1 : peers[static_cast<std::size_t>(number - first_peer_place)];
        append_copies(operations, stage, in ? Purpose::pack : Purpose::unpack, some, from, to,
                      peer);
    }
}

std::vector<int> peers_of(const std::optional<FusedMove>& before) {
    return before ? before->peers() : std::vector<int>{};
}

}  // namespace

FusedLowering::FusedLowering(const Plan& plan, const Topology& nodes, int rank, Chain& chain)
    : plan_(plan), topology_(nodes), rank_(rank), chain_(chain) {}

bool FusedLowering::moves_at(int stage) const {
    return stage >= 0 && is_fused(plan_, static_cast<std::size_t>(stage));
}

std::optional<FusedMove> FusedLowering::move_at(int stage) const {
    if (!moves_at(stage)) return std::nullopt;
    return FusedMove(plan_, static_cast<std::size_t>(stage), rank_, topology_);
}

bool FusedLowering::reads_from_move(int stage) const {
    const TransformStage* transform = transform_at(plan_, static_cast<std::size_t>(stage));
    return transform != nullptr && transform->reads != Access::layout;
}

bool FusedLowering::writes_to_move(int stage) const {
    const TransformStage* transform = transform_at(plan_, static_cast<std::size_t>(stage));
    return transform != nullptr && transform->writes != Access::layout;
}

bool FusedLowering::is_direct(int stage) const {
    const RedistributionStage* move = redistribution_at(plan_, static_cast<std::size_t>(stage));
    return move != nullptr && move->carrier == Carrier::direct;
}

std::vector<FusedOp> FusedLowering::passes(int stage, const FusedEnds& ends,
                                           const std::vector<int>& peers,
                                           const std::vector<int>& readers) const {
    return fused_transform(plan_, static_cast<std::size_t>(stage), rank_, ends, peers, readers);
}

void FusedLowering::need_scratch(int stage) {
    chain_.need_scratch(fused_scratch_bytes(plan_, static_cast<std::size_t>(stage), rank_) *
                        plan_.choice.threads);
}

void FusedLowering::add_transform(int stage) {
    need_scratch(stage);
    if (is_direct_in(stage - 1)) return add_behind_direct(stage);
    const std::optional<FusedMove> before = move_at(stage - 1);
    if (is_direct_out(stage + 1)) return add_before_direct(stage, before);
    const std::optional<FusedMove> next = move_at(stage + 1);
    const Index bytes = plan_.at[static_cast<std::size_t>(stage) + 1].bytes(rank_);
    add_between(before, next, stage + 1, bytes,
                [=, this](std::vector<Operation>& operations, const Buffers& buffers) {
                    FusedEnds ends;
                    if (before) ends.from = before->read();
                    if (next) ends.to = next->written();
                    append_passes(operations, stage, passes(stage, ends, peers_of(before), {}),
                                  buffers);
                });
}

// The arrays are offered at once, and reclaimed at the program's end.
void FusedLowering::add_behind_direct(int stage) {
    const DirectMove move(plan_, static_cast<std::size_t>(stage) - 1, rank_, true);
    const std::optional<FusedMove> next = move_at(stage + 1);
    const Index bytes = plan_.at[static_cast<std::size_t>(stage) + 1].bytes(rank_);
    add_between(std::nullopt, next, stage + 1, bytes,
                [=, this](std::vector<Operation>& operations, const Buffers& buffers) {
                    FusedEnds ends;
                    ends.from = move.parts(first_peer_place);
                    if (next) ends.to = next->written();
                    const std::size_t offer = operations.size();
                    append(operations, stage - 1, PublishOp{move.offer(), buffers[source_place]});
                    append(operations, stage - 1, AwaitOp{offer});
                    append_passes(operations, stage, passes(stage, ends, move.owners(), {}),
                                  buffers);
                    append(operations, stage - 1, ReleaseOp{offer});
                });
}

// The arrays are offered when nothing is read or kept there any longer, and reclaimed once all
// have written.
void FusedLowering::add_before_direct(int stage, const std::optional<FusedMove>& before) {
    const DirectMove move(plan_, static_cast<std::size_t>(stage) + 1, rank_, false);
    StepNeeds needs;
    needs.output = true;
    chain_.add(plan_.at.back().bytes(rank_), needs,
               [=, this](std::vector<Operation>& operations, const Places& places) {
                   const bool reads = before.has_value();
                   const std::vector<int> peers = peers_of(before);
                   FusedEnds ends;
                   if (before) ends.from = before->read();
                   ends.to = move.parts(first_peer_place + static_cast<int>(peers.size()));
                   const std::size_t offer = operations.size();
                   append(operations, stage + 1, PublishOp{move.offer(), places.to});
                   const std::size_t publish = reads ? append_await(operations, offer) : 0;
                   append(operations, stage + 1, AwaitOp{offer});
                   Buffers buffers{};
                   buffers.fill(-1);
                   buffers[source_place] = places.from;
                   buffers[target_place] = places.to;
                   buffers[scratch_place] = places.scratch;
                   append_passes(operations, stage, passes(stage, ends, peers, move.owners()),
                                 buffers);
                   if (reads) append(operations, operations[publish].stage, ReleaseOp{publish});
                   append(operations, stage + 1, ReleaseOp{offer});
                   append(operations, stage + 1, ReclaimOp{places.to});
               });
}

void FusedLowering::add_move(int stage) {
    if (is_direct_in(stage) || is_direct_out(stage)) return;
    const FusedMove move = *move_at(stage);
    if (!writes_to_move(stage - 1)) {
        add_between(std::nullopt, move, stage, 0,
                    [=](std::vector<Operation>& operations, const Buffers& buffers) {
                        append_copies_of(operations, stage, move.copies_in(), {}, true, buffers);
                    });
    }
    if (!reads_from_move(stage + 1)) {
        const Index bytes = plan_.at[static_cast<std::size_t>(stage) + 1].bytes(rank_);
        add_between(move, std::nullopt, stage, bytes,
                    [=](std::vector<Operation>& operations, const Buffers& buffers) {
                        append_copies_of(operations, stage, move.copies_out(), move.peers(), false,
                                         buffers);
                    });
    }
}

void FusedLowering::add_between(const std::optional<FusedMove>& before,
                                const std::optional<FusedMove>& next, int next_stage, Index bytes,
                                const Work& work) {
    const bool reads = before && before->region();
    const bool arrived = before && before->sends();
    const bool publishes = next && next->region();
    const bool sends = next && next->sends();
    StepNeeds needs;
    if (next) {
        needs.region = next->region();
        bytes = next->written_bytes();
    }
    if (sends) {
        // What stays with this rank is written to where the messages will land: both values are
        // made by one step, and lie apart from what it reads.
        chain_.add(bytes, needs, [](std::vector<Operation>&, const Places&) {});
        needs = {};
        needs.reads_second = true;
        bytes = next->landed_bytes();
    }
    chain_.add(bytes, needs, [=](std::vector<Operation>& operations, const Places& places) {
        const std::array<int, 4> newest = {places.to, places.from, places.second, places.third};
        std::size_t ago = 0;
        Buffers buffers{};
        buffers.fill(-1);
        buffers[scratch_place] = places.scratch;
        if (sends) buffers[landing_place] = newest[ago++];
        buffers[target_place] = newest[ago++];
        if (arrived) buffers[arrived_place] = newest[ago++];
        if (reads || !before) buffers[source_place] = newest[ago];
        const std::size_t publish = reads ? append_await(operations, operations.size()) : 0;
        if (publishes) append(operations, next_stage, ReclaimOp{buffers[target_place]});
        work(operations, buffers);
        if (publishes) {
            append(operations, next_stage, PublishOp{next->reading(), buffers[target_place]});
        }
        if (reads) append(operations, operations[publish].stage, ReleaseOp{publish});
        if (!sends) return;
        const std::size_t sent = operations.size();
        append(operations, next_stage,
               StartOp{next->messages(), buffers[target_place], buffers[landing_place]});
        append(operations, next_stage, FinishOp{sent});
    });
}

}  // namespace weft::core
