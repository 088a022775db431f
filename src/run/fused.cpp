#include "run/fused.hpp"

#include <algorithm>
#include <utility>

namespace weft::core {

namespace {

std::size_t count(const std::vector<Segments>& side) {
    std::size_t result = 0;
    for (const Segments& alike : side) result += alike.begins.size();
    return result;
}

std::vector<LineSegment> segments(const std::vector<Segments>& side) {
    std::vector<LineSegment> result;
    result.reserve(count(side));
    for (const Segments& alike : side) {
        for (std::size_t j = 0; j < alike.begins.size(); ++j) result.push_back(alike.segment(j));
    }
    return result;
}

/// Offsets and strides in bytes, the step from lane to lane as the last of the strides; places in
/// scratch memory begin `scratch` bytes on.
std::vector<Segments> in_bytes(const FusedOp& op, std::vector<Segments> side, Index unit,
                               Index scratch) {
    for (Segments& alike : side) {
        alike.strides.push_back(alike.first.lane_step);
        for (Index& stride : alike.strides) stride *= unit;
        for (SegmentBegin& begin : alike.begins) {
            const int buffer = op.places[static_cast<std::size_t>(begin.place)].buffer;
            begin.offset = begin.offset * unit + (buffer == op.scratch ? scratch : 0);
        }
    }
    return side;
}

}  // namespace

FusedRun::FusedRun(const FusedOp& op, Index first_step, Index end_step, int thread,
                   const std::vector<Index>& past, bool any_alignment, EnginePlans& plans)
    : first_(first_step), end_(end_step), places_(op.places.size(), nullptr) {
    for (std::size_t i = 0; i < op.places.size(); ++i) {
        const Place& place = op.places[i];
        if (!place.rank) own_.push_back({i, static_cast<std::size_t>(place.buffer)});
    }
    const Index scratch = thread * op.scratch_bytes;
    std::size_t most_segments = 0;
    std::size_t most_loops = 0;
    for (const auto& work : op.work) {
        if (const auto* batch = std::get_if<TransformOp>(&work)) {
            const auto begin = [&](int buffer) { return buffer == op.scratch ? scratch : 0; };
            add(*batch, begin(batch->from), begin(batch->to), thread, past, any_alignment, plans);
            continue;
        }
        const auto& lines = std::get<FusedLines>(work);
        most_segments = std::max({most_segments, count(lines.from), count(lines.to)});
        most_loops = std::max(most_loops, lines.loops.size() + 1);
        add(op, lines, scratch, plans.engine());
    }
    counters_.resize(most_loops);
    from_.resize(most_segments);
    next_.resize(most_segments);
    to_.resize(most_segments);
}

void FusedRun::add(const TransformOp& batch, Index from, Index to, int thread,
                   const std::vector<Index>& past, bool any_alignment, EnginePlans& plans) {
    FftTask task = batch.task;
    task.any_alignment = task.any_alignment || any_alignment;
    const Index from_unit = task.line.source().bytes();
    const Index to_unit = task.line.target().bytes();
    Batch result{.from = static_cast<std::size_t>(batch.from),
                 .to = static_cast<std::size_t>(batch.to),
                 .from_offset = from + task.from_offset * from_unit,
                 .to_offset = to + task.to_offset * to_unit,
                 .from_step = batch.from_step * from_unit,
                 .to_step = batch.to_step * to_unit};
    result.plan =
        plans.plan(task, past[result.from] + result.from_offset + first_ * result.from_step,
                   past[result.to] + result.to_offset + first_ * result.to_step, thread);
    work_.emplace_back(std::move(result));
}

TilePlan* FusedRun::plan_for(const TileTask& task, const FftEngine& engine) {
    for (const auto& [known, plan] : plans_) {
        if (known == task) return plan.get();
    }
    plans_.emplace_back(task, engine.tiles(task));
    return plans_.back().second.get();
}

void FusedRun::add(const FusedOp& op, const FusedLines& lines, Index scratch,
                   const FftEngine& engine) {
    const LineTransform& line = lines.line;
    Tiles tiles{.loops = lines.loops,
                .from = in_bytes(op, lines.from, line.source().bytes(), scratch),
                .to = in_bytes(op, lines.to, line.target().bytes(), scratch),
                .far_from = lines.caches.far_from};
    tiles.loops.push_back(lines.lanes);
    const bool empty = std::count(tiles.loops.begin(), tiles.loops.end(), 0) != 0;
    if (!empty) {
        tiles.plan = plan_for({.line = line,
                               .from = segments(lines.from),
                               .to = segments(lines.to),
                               .caches = lines.caches,
                               .reads_beyond = lines.reads_beyond,
                               .writes_beyond = lines.writes_beyond},
                              engine);
    }
    work_.emplace_back(std::move(tiles));
}

void FusedRun::connect(const std::vector<std::byte*>& places) { places_ = places; }

void FusedRun::execute(const Batch& batch, Index step, const std::vector<std::byte*>& buffers) {
    batch.plan->execute(buffers[batch.from] + batch.from_offset + step * batch.from_step,
                        buffers[batch.to] + batch.to_offset + step * batch.to_step);
}

template <class Pointer>
void FusedRun::locate(const std::vector<Segments>& side, const std::vector<Index>& counters,
                      std::vector<Pointer>& pointers) const {
    auto pointer = pointers.begin();
    for (const Segments& alike : side) {
        Index steps = 0;
        for (std::size_t k = 0; k < alike.strides.size(); ++k) {
            steps += counters[k] * alike.strides[k];
        }
        for (const SegmentBegin& begin : alike.begins) {
            *pointer++ = places_[static_cast<std::size_t>(begin.place)] + begin.offset + steps;
        }
    }
}

void FusedRun::execute(const Tiles& tiles, Index step) {
    if (tiles.plan == nullptr) return;
    const std::size_t last = tiles.loops.size() - 1;
    const Index lanes = tiles.loops[last];
    const Index lines = tiles.plan->lines();
    std::fill(counters_.begin(), counters_.end(), 0);
    counters_[0] = step;
    locate(tiles.from, counters_, from_);
    for (bool more = true; more;) {
        locate(tiles.to, counters_, to_);
        const Index count = std::min(lines, lanes - counters_[last]);
        // On to the next tile: the lanes first, then the other loops like an odometer.
        counters_[last] += lines;
        if (counters_[last] >= lanes) {
            counters_[last] = 0;
            std::size_t digit = last;
            while (--digit > 0 && ++counters_[digit] == tiles.loops[digit]) counters_[digit] = 0;
            if (digit == 0) more = ++counters_[0] < end_ && tiles.far_from;
        }
        locate(tiles.from, counters_, next_);
        tiles.plan->execute(from_.data(), to_.data(), count, more ? next_.data() : nullptr);
        more = more && counters_[0] == step;
        from_.swap(next_);
    }
}

void FusedRun::execute(const std::vector<std::byte*>& buffers) {
    for (const OwnPlace& own : own_) places_[own.place] = buffers[own.buffer];
    for (Index step = first_; step < end_; ++step) {
        for (const Work& work : work_) {
            if (const auto* batch = std::get_if<Batch>(&work)) {
                execute(*batch, step, buffers);
            } else {
                execute(std::get<Tiles>(work), step);
            }
        }
    }
    for (const auto& [task, plan] : plans_) plan->complete();
}

}  // namespace weft::core
