#include "run/executor.hpp"

#include "fft/team_engine.hpp"

namespace weft::core {

Executor::Executor(const Program& program, const std::vector<std::byte*>& places,
                   const FftEngine& engine, Effort effort, Team& team, Net& net)
    : team_(team) {
    const TeamEngine shared(engine, team);
    const auto place = [&](int buffer) { return places[static_cast<std::size_t>(buffer)]; };
    steps_.reserve(program.operations.size());
    for (const Operation& operation : program.operations) {
        if (const auto* op = std::get_if<TransformOp>(&operation.what)) {
            const FftTask& task = op->task;
            const Scalar source{task.precision, task.kind != Kind::r2c};
            const Scalar target{task.precision, task.kind != Kind::c2r};
            std::byte* from = place(op->from) + task.from_offset * source.bytes();
            std::byte* to = place(op->to) + task.to_offset * target.bytes();
            steps_.emplace_back(Transform{shared.plan(task, effort, from, to), from, to});
        } else if (const auto* op = std::get_if<CopyOp>(&operation.what)) {
            steps_.emplace_back(
                CopyStep{copies_in_parts(op->task, team.size()), place(op->from), place(op->to)});
        } else if (const auto* op = std::get_if<ScaleOp>(&operation.what)) {
            steps_.emplace_back(Scale{*op, slices_in_parts(op->slice, op->precision, team.size()),
                                      place(op->from), place(op->to)});
        } else if (const auto* op = std::get_if<PostOp>(&operation.what)) {
            steps_.emplace_back(Post{net.open(op->task, place(op->from), place(op->to))});
        } else {
            const std::size_t post = std::get<DrainOp>(operation.what).post;
            steps_.emplace_back(Drain{std::get<Post>(steps_[post]).channel.get()});
        }
    }
}

template <class Parts, class Work>
void Executor::for_all(const Parts& parts, const Work& work) {
    if (parts.size() == 1) return work(parts.front());
    team_.run([&](int thread) {
        const auto i = static_cast<std::size_t>(thread);
        if (i < parts.size()) work(parts[i]);
    });
}

bool Executor::local_work(Step& step) {
    if (auto* transform = std::get_if<Transform>(&step)) {
        transform->plan->execute(transform->from, transform->to);
    } else if (auto* copy = std::get_if<CopyStep>(&step)) {
        for_all(copy->parts, [&](const Copy& part) { part.execute(copy->from, copy->to); });
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
    if (!local_work(step) && !std::get<Drain>(step).channel->test()) return false;
    ++next_;
    return true;
}

void Executor::advance_blocking() {
    Step& step = steps_[next_];
    if (!local_work(step)) std::get<Drain>(step).channel->wait();
    ++next_;
}

}  // namespace weft::core
