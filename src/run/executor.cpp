#include "run/executor.hpp"

#include <algorithm>

namespace weft::core {

std::vector<CopyTask> Executor::copies_from(const Program& program, std::size_t first) {
    const auto copy = [&](std::size_t i) {
        return i < program.operations.size() ? std::get_if<CopyOp>(&program.operations[i].what)
                                             : nullptr;
    };
    const CopyOp& one = *copy(first);
    const auto goes_along = [&](const CopyOp* other) {
        return other != nullptr && other->from == one.from && other->to == one.to;
    };
    std::vector<CopyTask> result;
    if (first > 0 && goes_along(copy(first - 1))) return result;
    for (std::size_t i = first; goes_along(copy(i)); ++i) result.push_back(copy(i)->task);
    return result;
}

Executor::Executor(const Bound& bound, EnginePlans& plans, const Workers& workers, Net& net)
    : team_(workers.team),
      net_(net),
      assisted_(bound.program.assisted),
      buffers_(bound.buffers),
      regions_(bound.regions) {
    const Program& program = bound.program;
    for (std::size_t b = 0; b < program.buffers.size(); ++b) {
        const Role role = program.buffers[b].role;
        if (role == Role::input) input_ = b;
        if (role == Role::output || role == Role::both) output_ = b;
        past_.push_back(is_array(static_cast<int>(b)) ? 0 : past_alignment(buffers_[b]));
    }
    steps_.reserve(program.operations.size());
    for (std::size_t i = 0; i < program.operations.size(); ++i) {
        steps_.push_back(step_of(program, i, bound, plans, workers));
    }
    open_.reserve(steps_.size());
    assist(false);
}

Executor::Step Executor::step_of(const Program& program, std::size_t number, const Bound& bound,
                                 EnginePlans& plans, const Workers& workers) {
    const auto& what = program.operations[number].what;
    if (const auto* op = std::get_if<TransformOp>(&what)) {
        return transform_step(*op, bound.any_alignment, plans);
    }
    if (const auto* op = std::get_if<CopyOp>(&what)) {
        return CopyStep{
            shared_copies(copies_from(program, number), team_.size(), workers.least_bytes),
            op->from, op->to};
    }
    if (const auto* op = std::get_if<ScaleOp>(&what)) {
        return Scale{*op,
                     slices_in_parts(op->slice, op->precision, team_.size(), workers.least_bytes)};
    }
    if (const auto* op = std::get_if<FusedOp>(&what)) {
        return fused_step(*op, bound.any_alignment, plans);
    }
    if (const auto* op = std::get_if<StartOp>(&what)) return start_step(*op, bound.fixed);
    if (const auto* op = std::get_if<FinishOp>(&what)) return finish_step(*op, workers);
    const auto use_of = [&](std::size_t publish) {
        return std::get<Publish>(steps_[publish]).use.get();
    };
    if (const auto* op = std::get_if<PublishOp>(&what)) {
        return Publish{region(op->region).open(op->task)};
    }
    if (const auto* op = std::get_if<AwaitOp>(&what)) return Await{use_of(op->publish)};
    if (const auto* op = std::get_if<ReleaseOp>(&what)) return Release{use_of(op->publish)};
    if (const auto* op = std::get_if<ReclaimOp>(&what)) return Reclaim{&region(op->region)};
    return Poll{};
}

Executor::Step Executor::transform_step(const TransformOp& op, bool any_alignment,
                                        EnginePlans& plans) const {
    FftTask task = op.task;
    task.any_alignment =
        task.any_alignment || (any_alignment && (is_array(op.from) || is_array(op.to)));
    const Index from = task.from_offset * task.line.source().bytes();
    const Index to = task.to_offset * task.line.target().bytes();
    return Transform{plans.of_team(task, past_[static_cast<std::size_t>(op.from)] + from,
                                   past_[static_cast<std::size_t>(op.to)] + to),
                     op.from, op.to, from, to};
}

Executor::Step Executor::start_step(const StartOp& op, bool fixed) const {
    Start start;
    start.from = op.from;
    start.to = op.to;
    start.channel = net_.open(op.task, fixed ? std::optional(of(start)) : std::nullopt);
    return start;
}

Executor::Step Executor::finish_step(const FinishOp& op, const Workers& workers) {
    Finish finish{&std::get<Start>(steps_[op.start]), {}, 0};
    finish.start->told_one_by_one = !op.onward.empty();
    for (const std::vector<CopyTask>& copies : op.onward) {
        finish.onward.push_back(
            {shared_copies(copies, team_.size(), workers.least_bytes), {op.from}, op.to});
    }
    finish.left = finish.onward.size();
    return finish;
}

Executor::Step Executor::fused_step(const FusedOp& op, bool any_alignment,
                                    EnginePlans& plans) const {
    Fused fused{op.places, {}};
    if (op.scratch) {
        // What lies between rows is computed with, though nobody looks at the results.
        const int scratch = op.places[static_cast<std::size_t>(*op.scratch)]->buffer;
        std::fill_n(at(scratch), op.scratch_bytes * team_.size(), std::byte{0});
    }
    int thread = 0;
    for_each_part(op.repeat, team_.size(), [&](Index begin, Index end) {
        fused.of_thread.emplace_back(op, begin, end, thread++, past_, any_alignment, plans);
    });
    return fused;
}

std::byte* Executor::region_at(const std::optional<Place>& place) const {
    return place && place->rank ? region(place->buffer).of(*place->rank) : nullptr;
}

template <class Parts, class Work>
void Executor::for_all(Parts& parts, const Work& work) {
    if (parts.size() == 1) work(parts.front());
    if (parts.size() < 2) return;
    team_.run([&](int thread) {
        const auto i = static_cast<std::size_t>(thread);
        if (i < parts.size()) work(parts[i]);
    });
}

void Executor::copy(const CopyStep& step) {
    const std::byte* from = step.region != nullptr ? step.region : at(step.from.buffer);
    std::byte* to = at(step.to);
    for_all(step.of_thread, [&](const std::vector<Copy>& copies) {
        for (const Copy& one : copies) one.execute(from, to);
    });
}

bool Executor::finish(Finish& finish, bool block) {
    Start& start = *finish.start;
    for (; finish.left > 0; --finish.left) {
        const int arrived = start.channel->arrival(block);
        if (arrived == -1) return false;
        copy(finish.onward[static_cast<std::size_t>(arrived)]);
    }
    if (!start.complete) {
        if (block) {
            assist(false);  // MPI looks after all messages within a call that waits.
            start.channel->wait();
        }
        if (!block && !start.channel->test()) return false;
    }
    finish.left = finish.onward.size();
    std::erase(open_, &start);
    assist(!open_.empty());
    return true;
}

void Executor::start_exchange(Start& start) {
    start.complete = false;
    start.channel->start(of(start));
    open_.push_back(&start);
    assist(true);
}

void Executor::assist(bool assisted) {
    if (assisted_) net_.assist(assisted);
}

void Executor::poll() {
    for (Start* start : open_) {
        if (!start->complete && !start->told_one_by_one) start->complete = start->channel->test();
    }
}

void Executor::connect() {
    for (Step& step : steps_) {
        if (auto* start = std::get_if<Start>(&step)) start->channel->connect();
    }
    net_.all_or_none([this] { reach_peers(); });
}

void Executor::reach_peers() {
    for (Step& step : steps_) {
        if (auto* fused = std::get_if<Fused>(&step)) {
            std::vector<std::byte*> regions;
            regions.reserve(fused->places.size());
            for (const auto& place : fused->places) regions.push_back(region_at(place));
            for (FusedRun& run : fused->of_thread) run.connect(regions);
        } else if (auto* copy = std::get_if<CopyStep>(&step)) {
            copy->region = region_at(copy->from);
        }
    }
}

bool Executor::local_work(Step& step) {
    if (auto* transform = std::get_if<Transform>(&step)) {
        transform->plan->execute(at(transform->from) + transform->from_bytes,
                                 at(transform->to) + transform->to_bytes);
    } else if (auto* copy = std::get_if<CopyStep>(&step)) {
        this->copy(*copy);
    } else if (auto* scaling = std::get_if<Scale>(&step)) {
        const ScaleOp& op = scaling->op;
        for_all(scaling->parts, [&](const Slice& part) {
            scale(op.precision, at(op.from), at(op.to), part, op.factor);
        });
    } else if (auto* fused = std::get_if<Fused>(&step)) {
        for_all(fused->of_thread, [this](FusedRun& run) { run.execute(buffers_); });
    } else if (auto* start = std::get_if<Start>(&step)) {
        start_exchange(*start);
    } else if (auto* publish = std::get_if<Publish>(&step)) {
        publish->use->publish();
    } else if (auto* release = std::get_if<Release>(&step)) {
        release->use->release();
    } else if (std::holds_alternative<Poll>(step)) {
        poll();
    } else {
        return false;
    }
    return true;
}

bool Executor::wait_for_others(Step& step, bool block) {
    if (auto* await = std::get_if<Await>(&step)) return await->use->await(block);
    if (auto* reclaim = std::get_if<Reclaim>(&step)) return reclaim->region->reclaim(block);
    return finish(std::get<Finish>(step), block);
}

bool Executor::start_waits(const Step& step) {
    const auto* start = std::get_if<Start>(&step);
    return start != nullptr && start->channel->start_waits();
}

bool Executor::any_waits() const { return std::any_of(steps_.begin(), steps_.end(), &start_waits); }

bool Executor::advance() {
    Step& step = steps_[next_];
    if (!local_work(step) && !wait_for_others(step, false)) return false;
    ++next_;
    return true;
}

void Executor::advance_blocking() {
    Step& step = steps_[next_];
    if (!local_work(step)) wait_for_others(step, true);
    ++next_;
}

}  // namespace weft::core
