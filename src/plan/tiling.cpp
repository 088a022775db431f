#include "plan/tiling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "base/transforms.hpp"
#include "exchange/via.hpp"
#include "plan/problem.hpp"
#include "plan/tile_numbers.hpp"
#include "plan/tile_range.hpp"

namespace weft::core {

namespace {

bool contains(const std::vector<int>& axes, int axis) {
    return std::count(axes.begin(), axes.end(), axis) != 0;
}

/// Splits that stage: a transform of some axes, then one of the others.
Plan split(Plan plan, std::size_t stage, const std::vector<int>& first_axes, Format format) {
    const TransformStage whole = std::get<TransformStage>(plan.stages[stage]);
    std::vector<int> others = whole.axes;
    std::erase_if(others, [&](int axis) { return contains(first_axes, axis); });
    const TransformStage first = part_of(whole, first_axes);
    const TransformStage second = part_of(whole, others);
    // The line of r2c is among the first axes, that of c2r among the others.
    const Layout& complex = plan.at[whole.kind == Kind::r2c ? stage + 1 : stage];
    std::vector<Index> shape = plan.at[stage].where.shape();
    for (const int axis : first_axes) {
        shape[usize(axis)] = plan.at[stage + 1].where.shape()[usize(axis)];
    }
    const auto place = static_cast<std::ptrdiff_t>(stage);
    Layout between{complex.where.reshaped(std::move(shape)), std::move(format), complex.scalar};
    plan.stages[stage] = first;
    plan.stages.insert(plan.stages.begin() + place + 1, second);
    plan.at.insert(plan.at.begin() + place + 1, std::move(between));
    return plan;
}

/// The axis slowest, so that a tile is one piece of memory, those in `fastest` fastest.
Format tile_format(const Format& like, int axis, const std::vector<int>& fastest) {
    std::vector<int> order = like.order;
    std::stable_partition(order.begin(), order.end(), [&](int one) { return one == axis; });
    std::stable_partition(order.begin(), order.end(),
                          [&](int one) { return !contains(fastest, one); });
    return {order, {}, {}};
}

/// Between the transform along the tiles' axis and that of the rest, a line of which is contiguous:
/// the tiles' axis next to it, so that what changes the order moves little at a time ([song]'s
/// x-z-y of section 3.5).
Format format_between(const Format& like, int axis, int contiguous) {
    std::vector<int> order = like.order;
    std::erase(order, axis);
    std::erase(order, contiguous);
    order.insert(order.end(), {axis, contiguous});
    return {order, {}, {}};
}

/// Splits transforms at the ends of the range.
Plan split_ends(Plan plan, const TileRange& range, int axis) {
    // The last one first, which leaves the number of the first as it is.
    if (range.splits_last) {
        const auto& transform = std::get<TransformStage>(plan.stages[range.last]);
        const std::vector<int> rest = axes_without(transform, axis, false);
        const Format format = format_between(plan.at[range.last].format, axis, rest.back());
        plan = split(std::move(plan), range.last, rest, format);
    }
    if (range.splits_first) {
        const auto& transform = std::get<TransformStage>(plan.stages[range.first]);
        const std::vector<int> rest = axes_without(transform, axis, true);
        const Format format = format_between(plan.at[range.first].format, axis, rest.back());
        plan = split(std::move(plan), range.first, {axis}, format);
    }
    return plan;
}

/// The range in a plan whose transforms at its ends are split.
TileRange split_range(TileRange range) {
    if (range.splits_first) {
        ++range.first;
        ++range.last;
    }
    return range;
}

/// Whether lines along `gathered` behind the tiles are as long as those that lie together before
/// them. In place the tiles' axis then lies next to both, so that every tile is made in the memory
/// from which it has been sent ([song] section 3.5: x-z-y before, y-z-x behind where Nx = Ny).
bool lines_are_equal(const Plan& plan, const TileRange& range, int axis, int gathered) {
    const Layout& before = plan.at[range.first];
    const std::vector<int>& order = before.format.order;
    const int contiguous = order.back();
    if (!plan.problem.in_place || order.size() < 2 || *(order.rbegin() + 1) != axis) return false;
    const Distribution& behind = plan.at[range.last + 1].where;
    return before.where.local(contiguous) && behind.local(gathered) &&
           before.where.shape()[usize(contiguous)] == behind.shape()[usize(gathered)];
}

/// Behind redistributions the gathered axes fastest: what comes is put in order while it is unpacked, which
/// others' messages hide, and the transforms that no tile goes through run along memory. Tiles that
/// are whole fields keep the plan's order: nothing is outside them, and what is packed plane by
/// plane would go to single elements (128x128x128: packing, unpacking and FFTx 109 ms, not 69).
Plan gather_fastest(Plan plan, const TileRange& range, int axis) {
    const bool free_end = plan.problem.out.free && plan.problem.out.order.empty();
    const bool fields = axis == dims_of(plan.problem);
    for (std::size_t stage = range.first; stage <= range.last; ++stage) {
        const RedistributionStage* redistribution = redistribution_at(plan, stage);
        const TransformStage* next = transform_at(plan, stage + 1);
        if (redistribution == nullptr || next == nullptr || redistribution->pack == Pack::fused)
            continue;
        const bool is_last = stage + 3 == plan.at.size();
        if (halves(next->kind) || (is_last && !free_end) || redistribution->pack == Pack::fft)
            continue;
        Format& landed = plan.at[stage + 1].format;
        Format& transformed = plan.at[stage + 2].format;
        if (landed.order != transformed.order) continue;
        const bool matches = stage + 1 == range.last && next->axes.size() == 1 &&
                             lines_are_equal(plan, range, axis, next->axes.front());
        const Format format =
            matches ? format_between(landed, axis, next->axes.front())
                    : tile_format(landed, axis, fields ? std::vector<int>{} : next->axes);
        landed.order = format.order;
        transformed.order = format.order;
    }
    return plan;
}

void check_methods(const Plan& plan, const TileRange& range) {
    for (std::size_t stage = range.first; stage <= range.last; ++stage) {
        const RedistributionStage* redistribution = redistribution_at(plan, stage);
        if (redistribution == nullptr) continue;
        const Transport& how = redistribution->via.how();
        if (how.packing != Packing::region && how.carries != Carries::matrix) continue;
        bad_request(
            fmt::format("via={} does not go with tiles, which are sent as messages; take "
                        "via={} or leave it out",
                        to_string(redistribution->via), default_tiled_via(Pack::automatic)));
    }
}

/// Whether fields of the batch can go through all stages one after the other.
bool passes_fields(const Plan& plan, int batch) {
    return std::all_of(plan.at.begin(), plan.at.end(), [&](const Layout& layout) {
        return same_cut(plan.at.front().where, layout.where, batch);
    });
}

}  // namespace

Tiling tiling_of(const Plan& plan) {
    Tiling tiling = *plan.choice.tile;
    if (plan.backward) {
        std::swap(tiling.pack_block_across, tiling.unpack_block_across);
        std::swap(tiling.pack_block, tiling.unpack_block);
        std::swap(tiling.polls_transforming, tiling.polls_finishing);
        std::swap(tiling.polls_packing, tiling.polls_unpacking);
    }
    return tiling;
}

std::optional<int> sub_tile_axis(const TransformStage& transform, const Format& format, int tiled) {
    for (const int axis : format.order) {
        if (axis != tiled && !contains(transform.axes, axis)) return axis;
    }
    return {};
}

std::string default_tiled_via(Pack pack) {
    const auto& all = transports();
    const auto first = std::find_if(
        all.begin(), all.end(), [](const Transport& how) { return how.overlaps && how.arrivals; });
    const Via via{first->id};
    return suits(via, pack) ? to_string(via) : default_via(pack, false);
}

Plan tile(Plan plan, const Tiling& asked) {
    if (plan.redistributions() == 0) return plan;
    const int batch = dims_of(plan.problem);
    const int axes = plan.at.front().where.axes();
    int axis = asked.axis ? *asked.axis : best_axis(plan);
    if (axis == Decomposition::batch_axis) axis = batch;
    if (axis >= axes) {
        bad_request(fmt::format("tile={}: the array has axes 0 to {}{}", weft::to_string(asked),
                                batch - 1, axes > batch ? " and b" : " and no batch"));
    }
    const TileRange whole = best_range(plan, axis);
    if (whole.redistributions == 0) {
        bad_request(
            fmt::format("tile={}: axis {} cannot be tiled: no redistribution leaves each rank's "
                        "part of it unchanged; choose another axis, or leave axis: out",
                        weft::to_string(asked), axis));
    }
    check_methods(plan, whole);
    plan = split_ends(std::move(plan), whole, axis);
    const TileRange range = split_range(whole);
    plan = gather_fastest(std::move(plan), range, axis);
    if (asked.fields_together && axis != batch && (axes == batch || !passes_fields(plan, batch))) {
        bad_request(fmt::format(
            "tile={}: B needs a batch, whose fields go through all stages one after the other",
            weft::to_string(asked)));
    }
    plan.pipeline.emplace(
        Pipeline{range.first, range.last, range.first_tiled(), range.last_tiled(), {}});
    const CompleteTiling complete = complete_tiling(plan, asked, axis);
    plan.pipeline->levels = complete.levels;
    plan.choice.tile = complete.tiling;
    return plan;
}

}  // namespace weft::core
