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
        return other != nullptr && other->from == one.from && other->to == one.to &&
               other->peer == one.peer;
    };
    std::vector<CopyTask> result;
    if (first > 0 && goes_along(copy(first - 1))) return result;
    for (std::size_t i = first; goes_along(copy(i)); ++i) result.push_back(copy(i)->task);
    return result;
}

Executor::Executor(const Bound& bound, EnginePlans& plans, const Workers& workers, Net& net)
    : team_(workers.team), net_(net), assisted_(bound.program.assisted), buffers_(bound.buffers) {
    const Program& program = bound.program;
    for (std::size_t b = 0; b < program.buffers.size(); ++b) {
        const Role role = program.buffers[b].role;
        if (role == Role::input) input_ = b;
        if (role == Role::output || role == Role::both) output_ = b;
        past_.push_back(is_array(static_cast<int>(b)) ? 0 : past_alignment(buffers_[b]));
        const int number = program.window_number(static_cast<int>(b));
        window_of_.push_back(bound.of_net(number));
    }
    steps_.reserve(program.operations.size());
    for (std::size_t i = 0; i < program.operations.size(); ++i) {
        const Operation& operation = program.operations[i];
        if (const auto* op = std::get_if<TransformOp>(&operation.what)) {
            steps_.push_back(transform_step(*op, bound.any_alignment, plans));
        } else if (const auto* op = std::get_if<CopyOp>(&operation.what)) {
            steps_.emplace_back(
                CopyStep{shared_copies(copies_from(program, i), team_.size(), workers.least_bytes),
                         {op->from, op->peer},
                         op->to});
        } else if (const auto* op = std::get_if<ScaleOp>(&operation.what)) {
            steps_.emplace_back(Scale{
                *op, slices_in_parts(op->slice, op->precision, team_.size(), workers.least_bytes)});
        } else if (const auto* op = std::get_if<PostOp>(&operation.what)) {
            steps_.push_back(post_step(*op, bound));
        } else if (const auto* op = std::get_if<ClaimOp>(&operation.what)) {
            steps_.emplace_back(
                Claim{&net.window(window_of_[static_cast<std::size_t>(op->window)])});
        } else if (const auto* op = std::get_if<ReleaseOp>(&operation.what)) {
            steps_.emplace_back(Release{std::get<Post>(steps_[op->post]).channel.get()});
        } else if (const auto* op = std::get_if<FusedOp>(&operation.what)) {
            steps_.push_back(fused_step(*op, bound.any_alignment, plans));
        } else if (std::holds_alternative<PollOp>(operation.what)) {
            steps_.emplace_back(Poll{});
        } else {
            steps_.push_back(drain_step(std::get<DrainOp>(operation.what), workers));
        }
    }
    open_.reserve(steps_.size());
    assist(false);
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

Executor::Step Executor::post_step(const PostOp& op, const Bound& bound) {
    Post post;
    post.from = op.from;
    post.to = op.to;
    ExchangeTask task = op.task;
    task.window = bound.of_net(task.window);
    post.channel = net_.open(task, bound.fixed ? std::optional(of(post)) : std::nullopt);
    return post;
}

Executor::Step Executor::drain_step(const DrainOp& op, const Workers& workers) {
    Drain drain{&std::get<Post>(steps_[op.post]), {}, 0};
    drain.post->told_one_by_one = !op.onward.empty();
    for (const std::vector<CopyTask>& copies : op.onward) {
        drain.onward.push_back(
            {shared_copies(copies, team_.size(), workers.least_bytes), {op.from, -1}, op.to});
    }
    drain.left = drain.onward.size();
    return drain;
}

Executor::Step Executor::fused_step(const FusedOp& op, bool any_alignment,
                                    EnginePlans& plans) const {
    Fused fused{op.places, {}};
    if (op.scratch != -1) {
        // What lies between rows is computed with, though nobody looks at the results.
        const Place& scratch = op.places[static_cast<std::size_t>(op.scratch)];
        std::fill_n(at(scratch.buffer), op.scratch_bytes * team_.size(), std::byte{0});
    }
    int thread = 0;
    for_each_part(op.repeat, team_.size(), [&](Index begin, Index end) {
        fused.of_thread.emplace_back(op, begin, end, thread++, past_, any_alignment, plans);
    });
    return fused;
}

std::byte* Executor::window_at(const Place& place) const {
    if (place.rank == -1) return nullptr;
    return net_.window(window_of_[static_cast<std::size_t>(place.buffer)]).of(place.rank);
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
    const std::byte* from = step.window != nullptr ? step.window : at(step.from.buffer);
    std::byte* to = at(step.to);
    for_all(step.of_thread, [&](const std::vector<Copy>& copies) {
        for (const Copy& one : copies) one.execute(from, to);
    });
}

bool Executor::drain(Drain& drain, bool block) {
    for (; drain.left > 0; --drain.left) {
        const int arrived = drain.post->channel->arrival(block);
        if (arrived == -1) return false;
        copy(drain.onward[static_cast<std::size_t>(arrived)]);
    }
    Post& post = *drain.post;
    if (!post.complete) {
        if (block) {
            assist(false);  // MPI looks after all messages within a call that waits.
            post.channel->wait();
        }
        if (!block && !post.channel->test()) return false;
    }
    drain.left = drain.onward.size();
    std::erase(open_, &post);
    assist(!open_.empty());
    return true;
}

void Executor::start_exchange(Post& post) {
    post.complete = false;
    post.channel->start(of(post));
    open_.push_back(&post);
    assist(true);
}

void Executor::assist(bool assisted) {
    if (assisted_) net_.assist(assisted);
}

void Executor::poll() {
    for (Post* post : open_) {
        if (!post->complete && !post->told_one_by_one) post->complete = post->channel->test();
    }
}

void Executor::connect() {
    for (Step& step : steps_) {
        if (auto* post = std::get_if<Post>(&step)) post->channel->connect();
    }
    net_.all_or_none([this] { reach_peers(); });
}

void Executor::reach_peers() {
    for (Step& step : steps_) {
        if (auto* fused = std::get_if<Fused>(&step)) {
            std::vector<std::byte*> windows;
            windows.reserve(fused->places.size());
            for (const Place& place : fused->places) windows.push_back(window_at(place));
            for (FusedRun& run : fused->of_thread) run.connect(windows);
        } else if (auto* copy = std::get_if<CopyStep>(&step)) {
            copy->window = window_at(copy->from);
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
    } else if (auto* post = std::get_if<Post>(&step)) {
        start_exchange(*post);
    } else if (std::holds_alternative<Poll>(step)) {
        poll();
    } else if (auto* reading = std::get_if<Release>(&step)) {
        reading->channel->release();
    } else {
        return false;
    }
    return true;
}

bool Executor::wait_for_others(Step& step, bool block) {
    if (auto* claim = std::get_if<Claim>(&step)) return claim->window->claim(block);
    return drain(std::get<Drain>(step), block);
}

bool Executor::start_waits(const Step& step) {
    const auto* post = std::get_if<Post>(&step);
    return post != nullptr && post->channel->start_waits();
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
