#include "run/executor.hpp"

namespace weft::core {

Executor::Executor(const Program& program, const std::vector<std::byte*>& places,
                   const FftEngine& engine, Effort effort, Net& net) {
    const auto place = [&](int buffer) { return places[static_cast<std::size_t>(buffer)]; };
    steps_.reserve(program.operations.size());
    for (const Operation& operation : program.operations) {
        if (const auto* op = std::get_if<TransformOp>(&operation.what)) {
            const FftTask& task = op->task;
            const Scalar source{task.precision, task.kind != Kind::r2c};
            const Scalar target{task.precision, task.kind != Kind::c2r};
            std::byte* from = place(op->from) + task.from_offset * source.bytes();
            std::byte* to = place(op->to) + task.to_offset * target.bytes();
            steps_.emplace_back(Transform{engine.plan(task, effort, from, to), from, to});
        } else if (const auto* op = std::get_if<CopyOp>(&operation.what)) {
            steps_.emplace_back(CopyStep{Copy(op->task), place(op->from), place(op->to)});
        } else if (const auto* op = std::get_if<ScaleOp>(&operation.what)) {
            steps_.emplace_back(Scale{*op, place(op->from), place(op->to)});
        } else if (const auto* op = std::get_if<PostOp>(&operation.what)) {
            steps_.emplace_back(Post{net.open(op->task, place(op->from), place(op->to))});
        } else {
            const std::size_t post = std::get<DrainOp>(operation.what).post;
            steps_.emplace_back(Drain{std::get<Post>(steps_[post]).channel.get()});
        }
    }
}

bool Executor::local_work(Step& step) {
    if (auto* transform = std::get_if<Transform>(&step)) {
        transform->plan->execute(transform->from, transform->to);
    } else if (auto* copy = std::get_if<CopyStep>(&step)) {
        copy->copy.execute(copy->from, copy->to);
    } else if (auto* scaling = std::get_if<Scale>(&step)) {
        const ScaleOp& op = scaling->op;
        scale(op.precision, scaling->from, scaling->to, op.slice, op.factor);
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
