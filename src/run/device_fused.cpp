#include "run/device_fused.hpp"

#include <algorithm>
#include <utility>

namespace weft::core {

namespace {

/// Half of the second-level cache of the GPUs of today: 40 to 60 MB.
constexpr Index cached_bytes = Index{24} << 20;

/// How far each place moves from one step to the next, in bytes; segments of one place move alike,
/// since they are parts of one array.
void add_steps(const std::vector<Segments>& side, Index unit, std::vector<Index>& result) {
    for (const Segments& alike : side) {
        for (const SegmentBegin& begin : alike.begins) {
            result[static_cast<std::size_t>(begin.place)] = alike.strides.front() * unit;
        }
    }
}

}  // namespace

DeviceFused::DeviceFused(const FusedOp& op, const std::vector<Index>& past, bool any_alignment,
                         EnginePlans& plans, Device& device)
    : all_(op.places), peers_(op.places.size(), nullptr), places_(op.places.size(), nullptr) {
    Index at_once = op.repeat;
    if (op.scratch) {
        scratch_buffer_ = *op.scratch;
        scratch_bytes_ = op.scratch_bytes;
        at_once =
            std::clamp<Index>(cached_bytes / std::max<Index>(scratch_bytes_, 1), 1, op.repeat);
        scratch_ = device.allocate(at_once * scratch_bytes_, "scratch memory");
        clear(device, at_once * scratch_bytes_);
    }
    const Index rounds = at_once == 0 ? 0 : op.repeat / at_once;
    add_round(op, 0, at_once, rounds, past, any_alignment, plans);
    add_round(op, rounds * at_once, op.repeat - rounds * at_once, 1, past, any_alignment, plans);
}

void DeviceFused::clear(Device& device, Index bytes) const {
    // What lies between rows is computed with, though nobody looks at the results.
    const auto clearing = device.clearing(bytes);
    if (clearing == nullptr) return;
    const auto queue = device.queue("clear");
    const auto work = [&](const DeviceView& view) {
        clearing->run(view, nullptr, scratch_->data());
    };
    queue->wait(queue->launch(work, "clear scratch memory"));
}

void DeviceFused::add_round(const FusedOp& op, Index first, Index steps, Index times,
                            const std::vector<Index>& past, bool any_alignment,
                            EnginePlans& plans) {
    if (steps == 0 || times == 0) return;
    Round round{first, steps, times, {}};
    for (const auto& work : op.work) {
        if (const auto* batch = std::get_if<TransformOp>(&work)) {
            round.work.emplace_back(batch_of(*batch, steps, past, any_alignment, plans));
        } else {
            round.work.emplace_back(
                lines_of(op, std::get<FusedLines>(work), steps, plans.engine()));
        }
    }
    rounds_.push_back(std::move(round));
}

DeviceFused::Batch DeviceFused::batch_of(const TransformOp& op, Index steps,
                                         const std::vector<Index>& past, bool any_alignment,
                                         EnginePlans& plans) const {
    FftTask task = op.task;
    task.any_alignment = task.any_alignment || any_alignment;
    const Index from_unit = task.line.source().bytes();
    const Index to_unit = task.line.target().bytes();
    const auto step_in = [&](int buffer, Index step, Index unit) {
        return buffer == scratch_buffer_ ? scratch_bytes_ / unit : step;
    };
    const Loop loop{steps, step_in(op.from, op.from_step, from_unit),
                    step_in(op.to, op.to_step, to_unit)};
    task.looped.insert(task.looped.begin(), loop);
    Batch result{.from = op.from,
                 .to = op.to,
                 .from_offset = task.from_offset * from_unit,
                 .to_offset = task.to_offset * to_unit,
                 .from_step = op.from == scratch_buffer_ ? 0 : op.from_step * from_unit,
                 .to_step = op.to == scratch_buffer_ ? 0 : op.to_step * to_unit};
    const auto lies = [&](int buffer, Index offset) {
        return buffer == scratch_buffer_ ? offset : past[static_cast<std::size_t>(buffer)] + offset;
    };
    result.plan =
        plans.plan(task, lies(op.from, result.from_offset), lies(op.to, result.to_offset));
    return result;
}

DeviceFused::Lines DeviceFused::lines_of(const FusedOp& op, FusedLines lines, Index steps,
                                         const FftEngine& engine) const {
    lines.loops.front() = steps;
    const auto place_scratch = [&](std::vector<Segments>& side, Index unit) {
        for (Segments& alike : side) {
            const int place = alike.begins.front().place;
            const bool scratch =
                op.places[static_cast<std::size_t>(place)].buffer == scratch_buffer_;
            if (scratch && scratch_ != nullptr) alike.strides.front() = scratch_bytes_ / unit;
        }
    };
    place_scratch(lines.from, lines.line.source().bytes());
    place_scratch(lines.to, lines.line.target().bytes());
    Lines result{nullptr, std::vector<Index>(op.places.size(), 0)};
    add_steps(lines.from, lines.line.source().bytes(), result.place_steps);
    add_steps(lines.to, lines.line.target().bytes(), result.place_steps);
    for (std::size_t i = 0; i < op.places.size(); ++i) {
        if (op.places[i].buffer == scratch_buffer_) result.place_steps[i] = 0;
    }
    result.lines = engine.device_lines(lines);
    return result;
}

void DeviceFused::run(const DeviceView& view, const Round& round, Index step,
                      const std::vector<std::byte*>& buffers) {
    for (const Work& work : round.work) {
        if (const auto* batch = std::get_if<Batch>(&work)) {
            batch->plan->execute_on(
                view, at(batch->from, buffers) + batch->from_offset + step * batch->from_step,
                at(batch->to, buffers) + batch->to_offset + step * batch->to_step);
            continue;
        }
        const auto& lines = std::get<Lines>(work);
        for (std::size_t i = 0; i < all_.size(); ++i) {
            std::byte* begin = all_[i].rank ? peers_[i] : at(all_[i].buffer, buffers);
            places_[i] = begin + step * lines.place_steps[i];
        }
        lines.lines->run(view, places_);
    }
}

void DeviceFused::run(const DeviceView& view, const std::vector<std::byte*>& buffers) {
    for (const Round& round : rounds_) {
        for (Index time = 0; time < round.times; ++time) {
            run(view, round, round.first + time * round.steps, buffers);
        }
    }
}

}  // namespace weft::core
