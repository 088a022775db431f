#include "program/lower.hpp"

#include <algorithm>
#include <utility>

#include "base/mapped.hpp"
#include "plan/device_memory.hpp"
#include "plan/fuse.hpp"
#include "plan/placement.hpp"
#include "plan/tiling.hpp"
#include "program/layout_tasks.hpp"
#include "program/passes/hops.hpp"
#include "program/passes/out_of_core.hpp"
#include "program/passes/passes.hpp"
#include "program/rules/rule.hpp"

namespace weft::core {

namespace {

/// Whether an end's array has elements that are not the transform's.
bool has_gaps(const LayoutRequest& request) {
    return !request.padding.empty() || !request.strides.empty();
}

/// What a plan's program may do to the caller's arrays.
ArrayUse array_use(const Plan& plan) {
    const Problem& problem = plan.problem;
    const bool in_gaps = has_gaps(plan.backward ? problem.out : problem.in);
    const bool out_gaps = has_gaps(plan.backward ? problem.in : problem.out);
    return {problem.in_place, problem.may_destroy_input && !in_gaps,
            !out_gaps && !(problem.in_place && in_gaps)};
}

/// From the elements of a rank's array in that layout to the same ones of another.
std::vector<CopyTask> element_copies(const Layout& layout, int rank) {
    const auto slice = [&](const StoredBox& stored) {
        return slice_of(stored.box, stored, layout.format.order);
    };
    return same_place_copies(mapped(layout.stored(rank), slice), layout.scalar.bytes());
}

/// What a plan's program on a device copies from the host and back.
Hops hops_of(const Plan& plan, int rank, bool device_arrays) {
    Hops hops;
    // What is sent is cut in the same pieces on ranks of the host.
    const Placement& device = plan.placements.first();
    hops.computes = plan.placement(rank).on_device();
    hops.arrays = hops.computes && !device_arrays;
    hops.staged = device.reach == Reach::host;
    hops.piece = device.piece;
    hops.input = element_copies(plan.at.front(), rank);
    hops.output = element_copies(plan.at.back(), rank);
    for (std::size_t stage = 0; stage < plan.stages.size(); ++stage) {
        const RedistributionStage* one = redistribution_at(plan, stage);
        hops.strided.push_back(one != nullptr && one->pack == Pack::datatype);
    }
    return hops;
}

/// Scales what the stages have made, if the plan asks for it.
void add_scale(Lowering& whole) {
    const double factor = whole.plan.scale();
    if (factor == 1) return;
    const Layout& last = whole.plan.at.back();
    Value made{last.bytes(whole.rank())};
    made.over = whole.here;
    made.same_elements = true;
    const ValueId to = whole.draft.add(made);
    const int stage = static_cast<int>(whole.plan.stages.size()) - 1;
    for (Slice& reals : real_slices(last, whole.rank())) {
        whole.add(stage, ScaleOp{last.scalar.precision, std::move(reals), factor, whole.here, to});
    }
    whole.here = to;
}

std::atomic<Index>& lowered_count() {
    thread_local std::atomic<Index> count = 0;
    return count;
}

Index count_of(const Draft& draft) {
    auto count = static_cast<Index>(draft.steps.size());
    for (const Operation& step : draft.steps) {
        const auto* start = std::get_if<StartOp>(&step.what);
        if (start == nullptr) continue;
        count += static_cast<Index>(start->task.sends.size() + start->task.receives.size());
    }
    return count;
}

/// Of a plan that is fused.
Program lowered(const Plan& plan, int rank, const Environment& environment, const TileCounts& tiles,
                const LoweringMode& mode) {
    const ArrayUse use = array_use(plan);
    Draft draft{rank, {}, {}, {}};
    Value input{plan.at.front().bytes(rank)};
    input.home = Home::input;
    draft.add(input);
    Lowering whole{plan, environment, draft, mode};
    whole.in_place = use.in_place;
    whole.keeps_first = !use.in_place && !use.may_destroy_input;
    plan.pipeline ? lower_tiles(whole, tiles) : lower_stages(whole);
    add_scale(whole);
    if (plan.choice.wire != Wire::same) halve_messages(draft, plan.problem.precision);
    if (plan.pipeline) {
        const Tiling tiling = tiling_of(plan);
        interleave(draft, {*tiling.tiles_in_flight, tiling.late, tiling.strict});
        add_polls(draft, {*tiling.polls_transforming, *tiling.polls_finishing,
                          *tiling.polls_unpacking, *tiling.polls_packing});
    }
    const Placement& place = plan.placement(rank);
    if (plan.placements.first().values == MemorySpace::device) {
        whole.here = add_hops(draft, whole.here, hops_of(plan, rank, environment.device_arrays));
    } else if (place.on_device()) {
        go_out_of_core(draft, slot_bytes(place));
    }
    // fuse() gives no plan of a single stage direct access.
    const bool exposes_input = is_direct(plan, 0);
    const bool exposes_output = is_direct(plan, plan.stages.size() - 1);
    // Whoever called may alter the input as soon as the program ends.
    if (exposes_input) draft.add(0, ReclaimOp{input_value});
    lowered_count() += count_of(draft);
    Program program = assign(std::move(draft), whole.here, use);
    program.on_device = place.on_device();
    for (BufferSpec& buffer : program.buffers) {
        const bool output = buffer.role == Role::output || buffer.role == Role::both;
        buffer.exposed =
            (exposes_output && output) || (exposes_input && buffer.role == Role::input);
    }
    if (plan.pipeline) program.assisted = plan.choice.tile->progress == TileProgress::thread;
    return program;
}

}  // namespace

Program lower(const Plan& plan, int rank, const Environment& environment) {
    return lowered(fuse(plan, environment), rank, environment, all_tiles(plan), {});
}

const std::atomic<Index>& lowered_so_far() { return lowered_count(); }

Program sketch(const Plan& plan, int rank, const Environment& environment,
               const TileCounts& tiles) {
    return lowered(fuse(plan, environment), rank, environment, tiles, {false, true});
}

Program outline(const Plan& plan, int rank, const Environment& environment) {
    Program program =
        lowered(fuse(plan, environment), rank, environment, all_tiles(plan), {true, true});
    program.operations.clear();
    return program;
}

namespace {

/// Of one direction, by the outlines of programs of a few tiles.
Memory told_memory(const Plan& plan, int rank, const Environment& environment) {
    const Plan fused = fuse(plan, environment);
    std::size_t regions = 0;
    const auto bytes = of_all_tiles<Index>(tile_samples(fused), [&](const TileCounts& tiles) {
        const Memory memory = memory_of(lowered(fused, rank, environment, tiles, {true, true}));
        regions = memory.region_bytes.size();
        std::vector<Index> all = memory.region_bytes;
        all.insert(all.end(), {memory.workspace_bytes, memory.staging_bytes});
        return all;
    });
    const auto behind = bytes.begin() + static_cast<std::ptrdiff_t>(regions);
    return {std::max<Index>(behind[0], 0), {bytes.begin(), behind}, std::max<Index>(behind[1], 0)};
}

}  // namespace

Memory memory_of(const Plan& plan, int rank, const Environment& environment) {
    return memory_of(outline(plan, rank, environment),
                     outline(reverse(plan), rank, environment.reversed()));
}

Memory memory_of_few_tiles(const Plan& plan, int rank, const Environment& environment) {
    return memory_of(told_memory(plan, rank, environment),
                     told_memory(reverse(plan), rank, environment.reversed()));
}

std::string rules_text(const Plan& plan, int rank, const Environment& environment) {
    std::map<int, std::string> why;
    const TileSamples samples = tile_samples(plan);
    lowered(fuse(plan, environment), rank, environment, {samples.fields.few, samples.tiles.few},
            {true, true, &why});
    std::string text;
    for (const auto& [stage, lines] : why) text += lines;
    return text;
}

}  // namespace weft::core
