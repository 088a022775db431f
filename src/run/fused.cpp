#include "run/fused.hpp"

#include <algorithm>
#include <utility>

#include "base/index.hpp"

namespace weft::core {

namespace {

/// Half of the second-level cache of the GPUs of today: 40 to 60 MB.
constexpr Index cached_bytes = Index{24} << 20;

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
            const int buffer = op.places[usize(begin.place)].buffer;
            begin.offset = begin.offset * unit + (buffer == op.scratch ? scratch : 0);
        }
    }
    return side;
}

}  // namespace

FusedSteps::FusedSteps(const FusedOp& op)
    : scratch_buffer_(op.scratch.value_or(-1)),
      scratch_bytes_(op.scratch_bytes),
      places_(op.places.size(), nullptr),
      moved_(op.places.size(), nullptr) {
    for (std::size_t i = 0; i < op.places.size(); ++i) {
        if (!op.places[i].rank) own_.push_back({i, op.places[i].buffer});
    }
}

FusedSteps::FusedSteps(const FusedOp& op, Index first, Index end, int thread, const BuffersLie& lie,
                       EnginePlans& plans)
    : FusedSteps(op) {
    thread_ = thread;
    end_ = end;
    add_round(op, {first, 1, end - first}, lie, plans);
}

FusedSteps::FusedSteps(const FusedOp& op, const BuffersLie& lie, EnginePlans& plans, Device& device)
    : FusedSteps(op) {
    on_device_ = true;
    Index at_once = op.repeat;
    if (op.scratch) {
        const Index fit = cached_bytes / std::max<Index>(op.scratch_bytes, 1);
        at_once = std::clamp<Index>(fit, 1, op.repeat);
        take_scratch(device, at_once * op.scratch_bytes);
    }
    const Index rounds = at_once == 0 ? 0 : op.repeat / at_once;
    add_round(op, {0, at_once, rounds}, lie, plans);
    add_round(op, {rounds * at_once, op.repeat - rounds * at_once, 1}, lie, plans);
}

/// What lies between rows is computed with, though nobody looks at the results: it is cleared.
void FusedSteps::take_scratch(Device& device, Index bytes) {
    scratch_ = device.allocate(bytes, "scratch memory");
    const auto clearing = device.clearing(bytes);
    if (clearing == nullptr) return;
    const auto queue = device.queue("clear");
    const auto work = [&](const DeviceView& view) {
        clearing->run(view, nullptr, scratch_->data());
    };
    queue->wait(queue->launch(work, "clear scratch memory"));
}

void FusedSteps::add_round(const FusedOp& op, Round round, const BuffersLie& lie,
                           EnginePlans& plans) {
    if (round.steps == 0 || round.times == 0) return;
    for (const auto& work : op.work) {
        if (const auto* batch = std::get_if<TransformOp>(&work)) {
            round.work.emplace_back(batch_of(*batch, round, lie, plans));
            continue;
        }
        if (const auto* copy = std::get_if<FusedCopy>(&work)) {
            round.work.emplace_back(StepCopy(op, *copy, scratch_begin()));
            continue;
        }
        if (const auto* clear = std::get_if<FusedClear>(&work)) {
            round.work.emplace_back(StepClear(*clear, scratch_begin()));
            continue;
        }
        const auto& lines = std::get<FusedLines>(work);
        if (on_device_) {
            round.work.emplace_back(device_lines_of(op, lines, round.steps, plans.engine()));
        } else {
            round.work.emplace_back(tiles_of(op, lines, plans.engine()));
        }
    }
    rounds_.push_back(std::move(round));
}

FusedSteps::Batch FusedSteps::batch_of(const TransformOp& op, const Round& round,
                                       const BuffersLie& lie, EnginePlans& plans) const {
    FftTask task = op.task;
    task.any_alignment = task.any_alignment || lie.any_alignment;
    const Index from_unit = task.line.source().bytes();
    const Index to_unit = task.line.target().bytes();
    if (on_device_) {
        const auto step_in = [&](int buffer, Index step, Index unit) {
            return buffer == scratch_buffer_ ? scratch_bytes_ / unit : step;
        };
        const Loop steps{round.steps, step_in(op.from, op.from_step, from_unit),
                         step_in(op.to, op.to_step, to_unit)};
        task.looped.insert(task.looped.begin(), steps);
    }
    const auto offset = [&](int buffer, Index elements, Index unit) {
        const bool part = thread_ && buffer == scratch_buffer_;
        return elements * unit + (part ? *thread_ * scratch_bytes_ : 0);
    };
    Batch result{.from = op.from,
                 .to = op.to,
                 .from_offset = offset(op.from, task.from_offset, from_unit),
                 .to_offset = offset(op.to, task.to_offset, to_unit),
                 .from_step = in_own_scratch(op.from) ? 0 : op.from_step * from_unit,
                 .to_step = in_own_scratch(op.to) ? 0 : op.to_step * to_unit};
    const auto lies = [&](int buffer, Index begin) {
        return in_own_scratch(buffer) ? begin : lie.past[usize(buffer)] + begin;
    };
    result.plan =
        plans.plan(task, lies(op.from, result.from_offset + round.first * result.from_step),
                   lies(op.to, result.to_offset + round.first * result.to_step), thread_);
    return result;
}

TilePlan* FusedSteps::plan_for(const TileTask& task, const FftEngine& engine) {
    for (const auto& [known, plan] : plans_) {
        if (known == task) return plan.get();
    }
    plans_.emplace_back(task, engine.tiles(task));
    return plans_.back().second.get();
}

FusedSteps::Tiles FusedSteps::tiles_of(const FusedOp& op, const FusedLines& lines,
                                       const FftEngine& engine) {
    const LineTransform& line = lines.line;
    const Index scratch = scratch_begin();
    Tiles tiles{.loops = lines.loops,
                .from = in_bytes(op, lines.from, line.source().bytes(), scratch),
                .to = in_bytes(op, lines.to, line.target().bytes(), scratch),
                .far_from = lines.caches.far_from};
    tiles.loops.push_back(lines.lanes);
    const std::size_t most = std::max({to_.size(), count(lines.from), count(lines.to)});
    from_.resize(most);
    next_.resize(most);
    to_.resize(most);
    counters_.resize(std::max(counters_.size(), tiles.loops.size()));
    if (std::count(tiles.loops.begin(), tiles.loops.end(), 0) != 0) return tiles;
    tiles.plan = plan_for({.line = line,
                           .from = segments(lines.from),
                           .to = segments(lines.to),
                           .caches = lines.caches,
                           .reads_beyond = lines.reads_beyond,
                           .writes_beyond = lines.writes_beyond},
                          engine);
    return tiles;
}

FusedSteps::DeviceLines FusedSteps::device_lines_of(const FusedOp& op, FusedLines lines,
                                                    Index steps, const FftEngine& engine) const {
    lines.loops.front() = steps;
    DeviceLines result{nullptr, std::vector<Index>(op.places.size(), 0)};
    // Segments of one place redistribution alike from one step to the next: they are parts of one array.
    const auto take_steps = [&](std::vector<Segments>& side, Index unit) {
        for (Segments& alike : side) {
            Index& stride = alike.strides.front();
            const auto buffer_of = [&](const SegmentBegin& begin) {
                return op.places[usize(begin.place)].buffer;
            };
            if (in_own_scratch(buffer_of(alike.begins.front()))) stride = scratch_bytes_ / unit;
            for (const SegmentBegin& begin : alike.begins) {
                const bool stays = in_own_scratch(buffer_of(begin));
                result.place_steps[usize(begin.place)] = stays ? 0 : stride * unit;
            }
        }
    };
    take_steps(lines.from, lines.line.source().bytes());
    take_steps(lines.to, lines.line.target().bytes());
    result.kernel = engine.device_lines(lines);
    return result;
}

template <class Pointer>
void FusedSteps::locate(const std::vector<Segments>& side, const std::vector<Index>& counters,
                        std::vector<Pointer>& pointers) const {
    auto pointer = pointers.begin();
    for (const Segments& alike : side) {
        Index steps = 0;
        for (std::size_t k = 0; k < alike.strides.size(); ++k) {
            steps += counters[k] * alike.strides[k];
        }
        for (const SegmentBegin& begin : alike.begins) {
            *pointer++ = places_[usize(begin.place)] + begin.offset + steps;
        }
    }
}

void FusedSteps::run(const Tiles& tiles, Index step) {
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

void FusedSteps::run(const DeviceView& view, const DeviceLines& lines, Index step) {
    for (std::size_t i = 0; i < places_.size(); ++i) {
        moved_[i] = places_[i] + step * lines.place_steps[i];
    }
    lines.kernel->run(view, moved_);
}

void FusedSteps::run(const DeviceView& view, const Batch& batch, Index step,
                     std::span<std::byte* const> buffers) const {
    std::byte* from = at(batch.from, buffers) + batch.from_offset + step * batch.from_step;
    std::byte* to = at(batch.to, buffers) + batch.to_offset + step * batch.to_step;
    if (on_device_) {
        batch.plan->run(view, from, to);
    } else {
        batch.plan->execute(from, to);
    }
}

void FusedSteps::run(const DeviceView& view, std::span<std::byte* const> buffers) {
    for (const OwnPlace& own : own_) places_[own.place] = at(own.buffer, buffers);
    for (const Round& round : rounds_) {
        for (Index time = 0; time < round.times; ++time) {
            const Index step = round.first + time * round.steps;
            for (const Work& work : round.work) {
                if (const auto* batch = std::get_if<Batch>(&work)) {
                    run(view, *batch, step, buffers);
                } else if (const auto* tiles = std::get_if<Tiles>(&work)) {
                    run(*tiles, step);
                } else if (const auto* copy = std::get_if<StepCopy>(&work)) {
                    copy->run(places_, step);
                } else if (const auto* clear = std::get_if<StepClear>(&work)) {
                    clear->run(places_);
                } else {
                    run(view, std::get<DeviceLines>(work), step);
                }
            }
        }
    }
    for (const auto& [task, plan] : plans_) plan->complete();
}

FusedRun::FusedRun(const FusedOp& op, const BuffersLie& lie, EnginePlans& plans, Team& team)
    : team_(team) {
    int thread = 0;
    for_each_part(op.repeat, team.size(), [&](Index begin, Index end) {
        parts_.emplace_back(op, begin, end, thread++, lie, plans);
    });
}

}  // namespace weft::core
