#include "program/fused_exchange.hpp"

#include <algorithm>

#include "exchange/column_layout.hpp"
#include "exchange/exchange_task.hpp"
#include "exchange/region_layout.hpp"
#include "program/layout_tasks.hpp"

namespace weft::core {

namespace {

/// The region by which that redistribution goes; nothing if it goes by messages.
std::optional<RegionId> region_of(const Plan& plan, std::size_t stage) {
    if (is_direct(plan, stage)) {
        const TransformStage* behind = transform_at(plan, stage + 1);
        const bool read = behind != nullptr && behind->reads == Access::exposed;
        return RegionId{read ? RegionKind::input : RegionKind::output};
    }
    const auto by_region = [&](std::size_t number) {
        const RedistributionStage* one = redistribution_at(plan, number);
        return one != nullptr && one->carrier == Carrier::region;
    };
    if (!by_region(stage)) return std::nullopt;
    int before = 0;
    for (std::size_t i = 0; i < stage; ++i) before += by_region(i) ? 1 : 0;
    return RegionId{RegionKind::work, before % regions_in_turn};
}

/// Uses of the region, whose own parts and others' parts these are.
RegionTask uses(const FusedExchange& exchange, const Layout& to, int rank,
                const std::vector<RegionPart>& own, const std::vector<RegionPart>& others) {
    RegionTask task;
    task.region = *exchange.region;
    const bool writes = task.region.kind == RegionKind::output;
    task.access = writes ? RegionAccess::write : RegionAccess::read;
    task.element_bytes = to.scalar.bytes();
    add_uses(own, others, rank, to.format.order, task);
    return task;
}

/// Of what has landed, what has stayed with the rank, with the numbers of the boxes before.
std::vector<RegionPart> kept(const Layout& from, const Layout& to, int rank,
                             const std::vector<RegionPart>& landed) {
    std::vector<Transfer> stay = sends(from.where, to.where, rank);
    std::erase_if(stay, [&](const Transfer& transfer) { return transfer.peer != rank; });
    std::vector<RegionPart> result;
    auto transfer = stay.begin();
    for (const RegionPart& part : landed) {
        if (part.peer != rank) continue;
        const Box& box = part.where.stored.box;
        while (intersect(transfer->box, box) != box) ++transfer;
        result.push_back(part);
        result.back().own = transfer->own;
    }
    return result;
}

ExchangeTask messages(const Plan& plan, std::size_t stage, int rank,
                      const FusedExchange& exchange) {
    const Layout& from = plan.at[stage];
    const Layout& to = plan.at[stage + 1];
    ExchangeTask result =
        exchange_between(from, to, group(from.where, to.where, rank), plan.choice.chunk);
    result.transport = message_transport(redistribution_at(plan, stage)->via);
    // Of each region that is sent, no more than a cache line's elements are there for alignment.
    constexpr Index gap = 64;
    result.largest += gap * plan.ranks;
    result.sends = messages_of(exchange.written, rank);
    result.receives = messages_of(exchange.landed, rank);
    // Each rank begins with the next one, and hears from the one before it first.
    const auto after = [&](const Message& message) { return message.peer > rank; };
    const auto before = [&](const Message& message) { return message.peer < rank; };
    std::stable_partition(result.sends.begin(), result.sends.end(), after);
    std::reverse(result.receives.begin(), result.receives.end());
    std::stable_partition(result.receives.begin(), result.receives.end(), before);
    return result;
}

/// By arrays of all ranks.
void add_arrays(const Layout& from, const Layout& to, int rank, FusedExchange& exchange) {
    const Transfers all = transfers(from.where, to.where, rank);
    if (exchange.region->kind == RegionKind::input) {
        exchange.read = parts_of_arrays(from, all.receives, {});
        exchange.uses =
            uses(exchange, to, rank, parts_of_arrays(from, all.sends, rank), exchange.read);
    } else {
        exchange.written = parts_of_arrays(to, all.sends, {});
        exchange.uses =
            uses(exchange, to, rank, parts_of_arrays(to, all.receives, rank), exchange.written);
    }
}

/// Along which axis the columns of the sparse side of that redistribution are transformed.
int column_axis(const Plan& plan, std::size_t stage) {
    const bool behind = plan.at[stage + 1].where.sparse();
    const TransformStage* transform = transform_at(plan, behind ? stage + 1 : stage - 1);
    const int slowest = plan.at[behind ? stage + 1 : stage].format.order.front();
    if (transform == nullptr) return slowest;
    return (behind ? transform->entry : transform->exit).value_or(slowest);
}

/// By regions or messages that lie as the layout says.
template <class AnyLayout>
void add_layout(const Plan& plan, std::size_t stage, int rank, const AnyLayout& layout,
                bool outline, FusedExchange& result) {
    const Layout& from = plan.at[stage];
    const Layout& to = plan.at[stage + 1];
    result.written_bytes = layout.written_bytes(rank);
    if (result.sends) result.landed_bytes = layout.landed_bytes(rank);
    if (outline) return;
    result.written = layout.written(rank);
    if (result.sends) {
        result.landed = layout.landed(rank);
        result.messages = messages(plan, stage, rank, result);
    }
    if (!result.region) {
        result.kept = kept(from, to, rank, result.landed);
    } else {
        result.read = layout.read(rank);
        result.uses = uses(result, to, rank, result.written, result.read);
    }
}

}  // namespace

FusedExchange fused_exchange(const Plan& plan, std::size_t stage, int rank, const Topology& nodes,
                             bool outline) {
    const Layout& from = plan.at[stage];
    const Layout& to = plan.at[stage + 1];
    FusedExchange result;
    result.region = region_of(plan, stage);
    if (is_direct(plan, stage)) {
        if (!outline) add_arrays(from, to, rank, result);
        return result;
    }
    result.sends = !result.region || !nodes.one_node();
    const Topology* readers = result.region ? &nodes : nullptr;
    const TransformStage* reader = transform_at(plan, stage + 1);
    if (from.where.sparse() || to.where.sparse()) {
        add_layout(plan, stage, rank, ColumnLayout(from, to, column_axis(plan, stage), readers),
                   outline, result);
    } else {
        const std::optional<int> entry = reader != nullptr ? reader->entry : std::nullopt;
        add_layout(plan, stage, rank, RegionLayout(from, to, entry, readers), outline, result);
    }
    if (outline) return result;
    std::stable_partition(result.read.begin(), result.read.end(),
                          [&](const RegionPart& part) { return part.peer == rank; });
    return result;
}

}  // namespace weft::core
