// Redistributions without packing, and the transforms beside them: one pass over memory that reads
// what a redistribution has brought or the arrays of other ranks, and writes what the next one
// takes along or the arrays of other ranks.
#include "program/fused.hpp"

#include <utility>

#include "base/index.hpp"
#include "program/fused_exchange.hpp"
#include "program/layout_tasks.hpp"
#include "program/rules/rule.hpp"

namespace weft::core {

namespace {

bool reads_brought(const Lowering& lowering, int stage) {
    const TransformStage* transform = lowering.transform(stage);
    return transform != nullptr && transform->reads != Access::layout;
}

bool writes_taken(const Lowering& lowering, int stage) {
    const TransformStage* transform = lowering.transform(stage);
    return transform != nullptr && transform->writes != Access::layout;
}

/// A value that is written for a redistribution, with what is known of it but the bytes.
Value written_value(const Lowering& lowering, int stage, const FusedExchange& exchange) {
    Value written{exchange.written_bytes};
    if (!exchange.region) return written;
    if (exchange.region->kind == RegionKind::work) {
        written.home = Home::region;
        written.region = exchange.region->number;
    } else {
        written.bytes = lowering.bytes(stage + 1);
        written.home = Home::output;
    }
    return written;
}

/// A rank's boxes in a layout.
std::vector<RegionPart> whole_boxes(const Lowering& lowering, int layout) {
    std::vector<RegionPart> result;
    for (StoredBox& stored : lowering.at(layout).stored(lowering.rank())) {
        const auto own = static_cast<int>(result.size());
        result.push_back({lowering.rank(), own, false, false, false, {std::move(stored)}});
    }
    return result;
}

/// The redistribution of that stage on this rank; of an outline no more than is needed.
FusedExchange exchange_at(const Lowering& lowering, int stage) {
    const bool copies = !writes_taken(lowering, stage - 1) || !reads_brought(lowering, stage + 1);
    return fused_exchange(lowering.plan, usize(stage), lowering.rank(), lowering.environment.nodes,
                          lowering.mode.outlines && !copies);
}

/// Adds a step from what redistribution `before` has brought, or from layout `after - 1`, to what
/// redistribution `behind` takes along, or to layout `after`; work(ends) adds what it does.
///
/// Of regions: await that their owners have published them; reclaim the own one from its readers;
/// work; publish the own one; release the others'. Output arrays of other ranks: the own one is
/// published first, and reclaimed when all have written it.
template <class Work>
void add_step(Lowering& lowering, std::optional<int> before, std::optional<int> behind, int after,
              const Work& work) {
    FusedEnds ends;
    Brought from;
    if (before) from = std::move(*lowering.brought);
    if (!before) from.held = {{lowering.here, whole_boxes(lowering, after - 1)}};
    for (const auto& [value, parts] : from.held) {
        ends.add(&FusedEnds::from, value, parts, lowering.rank());
    }
    FusedExchange to;
    if (behind) to = exchange_at(lowering, *behind);
    const ValueId target =
        behind ? lowering.draft.add(written_value(lowering, *behind, to)) : lowering.make(after);
    ends.add(&FusedEnds::to, target, behind ? to.written : whole_boxes(lowering, after),
             lowering.rank());
    // What stays with this rank is written to where the messages will land.
    std::optional<ValueId> landing;
    if (to.sends) landing = lowering.draft.add(Value{to.landed_bytes});
    if (to.sends) ends.add(&FusedEnds::to, *landing, to.kept, lowering.rank());

    const bool arrays = to.region && to.region->kind == RegionKind::output;
    const bool region = to.region && !arrays;
    std::optional<StepId> published;
    const auto publish = [&] { published = lowering.add(*behind, PublishOp{to.uses, target}); };
    if (arrays) publish();
    if (from.published) lowering.add(*before, AwaitOp{*from.published});
    if (arrays) lowering.add(*behind, AwaitOp{*published});
    if (region) lowering.add(*behind, ReclaimOp{target});
    work(ends);
    if (region) publish();
    if (from.published) lowering.add(*before, ReleaseOp{*from.published});
    if (arrays) lowering.add(*behind, ReleaseOp{*published});
    if (arrays) lowering.add(*behind, ReclaimOp{target});
    if (to.sends) {
        const StepId start = lowering.add(*behind, StartOp{to.messages, target, *landing});
        lowering.add(*behind, FinishOp{start});
    }
    lowering.brought.reset();
    if (!behind || arrays) {
        lowering.here = target;
        return;
    }
    lowering.brought = Brought{published, {}};
    if (region) lowering.brought->held.push_back({target, std::move(to.read)});
    if (landing) lowering.brought->held.push_back({*landing, std::move(to.landed)});
}

/// Between this rank's layout and the redistribution beside it, of which the layout is before it
/// (`in`) or behind.
void add_copies(const Lowering& lowering, int stage, bool in, const FusedEnds& ends) {
    const std::vector<int>& order = lowering.at(stage + 1).format.order;
    const Layout& layout = lowering.at(in ? stage : stage + 1);
    const std::vector<StoredBox> arrays = layout.stored(lowering.rank());
    for (const PlacedBox& one : in ? ends.to : ends.from) {
        const StoredBox& array = arrays[usize(one.own)];
        BlockedBox outside{part_of(one.where.stored.box, array), one.where.blocks};
        std::optional<Blocks>& blocks = outside.blocks;
        if (blocks) blocks->step = blocks->extent * outside.stride(blocks->axis);
        const Slice from = (in ? outside : one.where).slice(order);
        const Slice to = (in ? one.where : outside).slice(order);
        const BufferRef& place = ends.places[usize(one.place)];
        lowering.copy(stage, in ? Purpose::pack : Purpose::unpack,
                      {copy_task(from, to, layout.scalar.bytes())},
                      in ? ends.places.front() : place,
                      in ? place.buffer : ends.places.back().buffer);
    }
}

}  // namespace

std::optional<std::string> why_not_direct(const Lowering& lowering, int stage) {
    if (is_direct(lowering.plan, usize(stage))) return {};
    return "carrier=" + std::string(weft::to_string(lowering.redistribution(stage)->carrier));
}

// The transform beside it does the work. The input arrays are there to be read.
int lower_direct(Lowering& lowering, int stage) {
    if (!reads_brought(lowering, stage + 1)) return stage + 1;
    FusedExchange exchange = exchange_at(lowering, stage);
    const StepId published = lowering.add(stage, PublishOp{exchange.uses, lowering.here});
    lowering.brought = Brought{published, {{lowering.here, std::move(exchange.read)}}};
    return stage + 1;
}

std::optional<std::string> why_not_fused_copies(const Lowering& lowering, int stage) {
    if (is_fused(*lowering.redistribution(stage))) return {};
    return "pack=" + std::string(weft::to_string(lowering.redistribution(stage)->pack));
}

// The transforms beside it do all, where they can.
int lower_fused_copies(Lowering& lowering, int stage) {
    const auto copies = [&](bool in) {
        return [&lowering, stage, in](const FusedEnds& ends) {
            add_copies(lowering, stage, in, ends);
        };
    };
    const int after = stage + 1;
    if (!writes_taken(lowering, stage - 1)) add_step(lowering, {}, stage, after, copies(true));
    if (!reads_brought(lowering, after)) add_step(lowering, stage, {}, after, copies(false));
    return after;
}

std::optional<std::string> why_not_one_pass(const Lowering& lowering, int stage) {
    if (reads_brought(lowering, stage) || writes_taken(lowering, stage)) return {};
    return "it reads and writes layouts";
}

int lower_one_pass(Lowering& lowering, int stage) {
    const auto number = usize(stage);
    std::optional<int> before;
    std::optional<int> behind;
    if (reads_brought(lowering, stage)) before = stage - 1;
    if (writes_taken(lowering, stage)) behind = stage + 1;
    add_step(lowering, before, behind, stage + 1, [&](FusedEnds& ends) {
        Value scratch{fused_scratch_bytes(lowering.plan, number, lowering.rank()) *
                      lowering.plan.choice.threads};
        scratch.home = Home::scratch;
        if (scratch.bytes > 0) ends.places.push_back({lowering.draft.add(scratch)});
        if (lowering.mode.outlines) {
            if (lowering.bytes(stage + 1) > 0) lowering.add(stage, FusedOp{0, ends.places, {}});
            return;
        }
        for (FusedOp& pass : fused_transform(lowering.plan, number, lowering.rank(), ends,
                                             lowering.environment.shared_cache)) {
            lowering.add(stage, std::move(pass));
        }
    });
    return stage + 1;
}

}  // namespace weft::core
