#include "program/fused.hpp"

#include <algorithm>
#include <utility>

#include "base/index.hpp"
#include "program/box_passes.hpp"

namespace weft::core {

namespace {

/// The parts of each of the rank's boxes.
std::vector<Sides> by_box(const FusedEnds& ends, std::size_t boxes) {
    std::vector<Sides> result(boxes);
    for (const PlacedBox& part : ends.from) result[usize(part.own)].from.push_back(&part);
    for (const PlacedBox& part : ends.to) result[usize(part.own)].to.push_back(&part);
    return result;
}

/// Whether the lines of both sides lie alike, and the second ones follow the first ones as lanes.
bool follows(const std::vector<Segments>& first, const std::vector<Segments>& second, Index lanes) {
    if (first.size() != second.size()) return false;
    for (std::size_t i = 0; i < first.size(); ++i) {
        const Segments& a = first[i];
        const Segments& b = second[i];
        if (a.first != b.first || a.strides != b.strides || a.begins.size() != b.begins.size()) {
            return false;
        }
        for (std::size_t j = 0; j < a.begins.size(); ++j) {
            const Index step = lanes * a.first.lane_step;
            if (b.begins[j] != SegmentBegin{a.begins[j].place, a.begins[j].offset + step}) {
                return false;
            }
        }
    }
    return true;
}

/// Takes the lines of another pass in, if each does nothing but one batch of lines, and those
/// lines lie behind the first ones: so neighbouring columns of several boxes fill vectors.
bool takes_in(FusedOp& first, const FusedOp& second) {
    const auto is_batch = [](const FusedOp& op) {
        return op.work.size() == 1 && std::holds_alternative<FusedLines>(op.work.front());
    };
    if (!is_batch(first) || !is_batch(second) || first.repeat != second.repeat) return false;
    auto& lines = std::get<FusedLines>(first.work.front());
    const auto& more = std::get<FusedLines>(second.work.front());
    if (lines.line != more.line || lines.caches != more.caches || lines.loops != more.loops ||
        !follows(lines.from, more.from, lines.lanes) || !follows(lines.to, more.to, lines.lanes)) {
        return false;
    }
    lines.lanes += more.lanes;
    lines.reads_beyond = lines.reads_beyond && more.reads_beyond;
    lines.writes_beyond = lines.writes_beyond && more.writes_beyond;
    return true;
}

/// Of all boxes of the rank.
PassCaches pass_caches(const Plan& plan, std::size_t stage, int rank, Index shared_cache) {
    const auto bytes = [&](std::size_t layout) {
        return plan.at[layout].count(rank) * plan.at[layout].scalar.bytes();
    };
    const bool own = transform_at(plan, stage)->writes == Access::layout;
    return {bytes(stage), bytes(stage + 1), own, shared_cache};
}

}  // namespace

std::vector<FusedOp> fused_transform(const Plan& plan, std::size_t stage, int rank,
                                     const FusedEnds& ends, Index shared_cache) {
    const std::vector<StoredBox> before = plan.at[stage].stored(rank);
    const std::vector<StoredBox> after = plan.at[stage + 1].stored(rank);
    const std::vector<Sides> sides = by_box(ends, before.size());
    PartLimit limit(rank);
    const PassCaches caches = pass_caches(plan, stage, rank, shared_cache);
    std::vector<FusedOp> ops;
    for (std::size_t i = 0; i < before.size(); ++i) {
        std::vector<FusedOp> passes;
        BoxPasses(plan, stage, before[i], after[i], caches)
            .add(sides[i], ends.places, limit, passes);
        for (FusedOp& pass : passes) {
            if (ops.empty() || !takes_in(ops.back(), pass)) ops.push_back(std::move(pass));
        }
    }
    return ops;
}

Index fused_scratch_bytes(const Plan& plan, std::size_t stage, int rank) {
    const std::vector<StoredBox> before = plan.at[stage].stored(rank);
    const std::vector<StoredBox> after = plan.at[stage + 1].stored(rank);
    const PassCaches caches = pass_caches(plan, stage, rank, 0);
    Index most = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        most = std::max(most, BoxPasses(plan, stage, before[i], after[i], caches).scratch_bytes());
    }
    return most;
}

}  // namespace weft::core
