#include "run/executor.hpp"

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

Executor::Executor(const Program& program, const std::vector<std::byte*>& places,
                   const FftEngine& engine, Effort effort, const Workers& workers, Net& net)
    : team_(workers.team) {
    const TeamEngine shared(engine, team_, workers.least_seconds);
    const auto place = [&](int buffer) { return places[static_cast<std::size_t>(buffer)]; };
    steps_.reserve(program.operations.size());
    for (std::size_t i = 0; i < program.operations.size(); ++i) {
        const Operation& operation = program.operations[i];
        if (const auto* op = std::get_if<TransformOp>(&operation.what)) {
            const FftTask& task = op->task;
            std::byte* from = place(op->from) + task.from_offset * task.source().bytes();
            std::byte* to = place(op->to) + task.to_offset * task.target().bytes();
            steps_.emplace_back(Transform{shared.plan(task, effort, from, to), from, to});
        } else if (const auto* op = std::get_if<CopyOp>(&operation.what)) {
            steps_.emplace_back(
                CopyStep{shared_copies(copies_from(program, i), team_.size(), workers.least_bytes),
                         place(op->from), place(op->to)});
        } else if (const auto* op = std::get_if<ScaleOp>(&operation.what)) {
            steps_.emplace_back(Scale{
                *op, slices_in_parts(op->slice, op->precision, team_.size(), workers.least_bytes),
                place(op->from), place(op->to)});
        } else if (const auto* op = std::get_if<PostOp>(&operation.what)) {
            steps_.emplace_back(Post{net.open(op->task, place(op->from), place(op->to))});
        } else {
            const auto& draining = std::get<DrainOp>(operation.what);
            Drain drain{std::get<Post>(steps_[draining.post]).channel.get(), {}, 0};
            for (const std::vector<CopyTask>& copies : draining.onward) {
                drain.onward.push_back({shared_copies(copies, team_.size(), workers.least_bytes),
                                        place(draining.from), place(draining.to)});
            }
            drain.left = drain.onward.size();
            steps_.emplace_back(std::move(drain));
        }
    }
}

template <class Parts, class Work>
void Executor::for_all(const Parts& parts, const Work& work) {
    if (parts.size() == 1) work(parts.front());
    if (parts.size() < 2) return;
    team_.run([&](int thread) {
        const auto i = static_cast<std::size_t>(thread);
        if (i < parts.size()) work(parts[i]);
    });
}

void Executor::copy(const CopyStep& step) {
    for_all(step.of_thread, [&](const std::vector<Copy>& copies) {
        for (const Copy& one : copies) one.execute(step.from, step.to);
    });
}

bool Executor::drain(Drain& drain, bool block) {
    for (; drain.left > 0; --drain.left) {
        const int arrived = drain.channel->arrival(block);
        if (arrived == -1) return false;
        copy(drain.onward[static_cast<std::size_t>(arrived)]);
    }
    if (block) drain.channel->wait();
    if (!block && !drain.channel->test()) return false;
    drain.left = drain.onward.size();
    return true;
}

void Executor::connect() {
    for (Step& step : steps_) {
        if (auto* post = std::get_if<Post>(&step)) post->channel->connect();
    }
}

bool Executor::local_work(Step& step) {
    if (auto* transform = std::get_if<Transform>(&step)) {
        transform->plan->execute(transform->from, transform->to);
    } else if (auto* copy = std::get_if<CopyStep>(&step)) {
        this->copy(*copy);
    } else if (auto* scaling = std::get_if<Scale>(&step)) {
        const ScaleOp& op = scaling->op;
        for_all(scaling->parts, [&](const Slice& part) {
            scale(op.precision, scaling->from, scaling->to, part, op.factor);
        });
    } else if (auto* post = std::get_if<Post>(&step)) {
        post->channel->start();
    } else {
        return false;
    }
    return true;
}

bool Executor::advance() {
    Step& step = steps_[next_];
    if (!local_work(step) && !drain(std::get<Drain>(step), false)) return false;
    ++next_;
    return true;
}

void Executor::advance_blocking() {
    Step& step = steps_[next_];
    if (!local_work(step)) drain(std::get<Drain>(step), true);
    ++next_;
}

}  // namespace weft::core
