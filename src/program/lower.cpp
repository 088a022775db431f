#include "program/lower.hpp"

#include <algorithm>
#include <utility>

#include "plan/fuse.hpp"
#include "program/chain.hpp"
#include "program/lower_fused.hpp"
#include "program/pipeline.hpp"
#include "program/stage_lowering.hpp"
#include "program/storage.hpp"

namespace weft::core {

namespace {

/// Whether an end's array has elements that are not the transform's.
bool has_gaps(const LayoutRequest& request) {
    return !request.padding.empty() || !request.strides.empty();
}

}  // namespace

ArrayUse array_use(const Plan& plan) {
    const Problem& problem = plan.problem;
    const bool in_gaps = has_gaps(plan.backward ? problem.out : problem.in);
    const bool out_gaps = has_gaps(plan.backward ? problem.in : problem.out);
    return {problem.in_place, problem.may_destroy_input && !in_gaps,
            !out_gaps && !(problem.in_place && in_gaps)};
}

namespace {

/// The reals of a rank's elements, as few runs as they make.
std::vector<Slice> real_slices(const Layout& layout, int rank) {
    const Index width = layout.scalar.complex ? 2 : 1;
    std::vector<Slice> result;
    for (const StoredBox& stored : layout.stored(rank)) {
        Slice all = slice_of(stored.box, stored, layout.format.order);
        all.offset *= width;
        for (Run& run : all.runs) run.stride *= width;
        if (width == 2) all.runs.push_back({2, 1});
        result.push_back({all.offset, {}});
        std::vector<Run>& runs = result.back().runs;
        for (const Run& run : all.runs) {
            if (run.extent == 1) continue;
            if (!runs.empty() && runs.back().stride == run.extent * run.stride) {
                runs.back() = {runs.back().extent * run.extent, run.stride};
            } else {
                runs.push_back(run);
            }
        }
    }
    return result;
}

void add_scale(const Plan& plan, int rank, Chain& chain) {
    if (plan.scale() == 1) return;
    chain.add(plan.at.back().bytes(rank), {true, true},
              [&plan, rank](std::vector<Operation>& operations, const Places& places) {
                  append_scale(plan, rank, places.from, places.to, operations);
              });
}

}  // namespace

void append_scale(const Plan& plan, int rank, int from, int to,
                  std::vector<Operation>& operations) {
    const Layout& last = plan.at.back();
    const int stage = static_cast<int>(plan.stages.size()) - 1;
    for (const Slice& slice : real_slices(last, rank)) {
        append(operations, stage, ScaleOp{last.scalar.precision, slice, plan.scale(), from, to});
    }
}

namespace {

Program lowered(const Plan& plan, int rank, const Topology& nodes, bool with_operations) {
    const ArrayUse use = array_use(plan);
    Chain chain(plan.at.front().bytes(rank), use);
    FusedLowering fused(plan, nodes, rank, chain);
    lower_stages(plan, use, rank, fused, chain);
    add_scale(plan, rank, chain);
    Program program = with_operations ? chain.program(rank) : Program{rank, chain.buffers(), {}};
    for (BufferSpec& buffer : program.buffers) {
        const bool output = buffer.role == Role::output || buffer.role == Role::both;
        buffer.exposed = (fused.exposes_output() && output) ||
                         (fused.exposes_input() && buffer.role == Role::input);
    }
    // Whoever called may alter the input as soon as the program ends.
    if (fused.exposes_input() && with_operations) append(program.operations, 0, ReclaimOp{0});
    return program;
}

}  // namespace

Program lower(const Plan& plan, int rank, const Environment& environment) {
    const Plan fused = fuse(plan, environment);
    if (fused.pipeline) return lower_pipeline(fused, rank, environment.nodes);
    return lowered(fused, rank, environment.nodes, true);
}

Program outline(const Plan& plan, int rank, const Environment& environment) {
    const Plan fused = fuse(plan, environment);
    if (!fused.pipeline) return lowered(fused, rank, environment.nodes, false);
    Program program = lower_pipeline(fused, rank, environment.nodes);
    program.operations.clear();
    return program;
}

}  // namespace weft::core
