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

Executor::Executor(const Bound& bound, const FftEngine& engine, Effort effort,
                   const Workers& workers, Net& net)
    : team_(workers.team), net_(net), assisted_(bound.program.assisted), buffers_(bound.places) {
    const Program& program = bound.program;
    const auto of_net = [&](int number) {
        if (number == input_window) return bound.input_window;
        return number == output_window ? bound.output_window : number;
    };
    for (int b = 0; b < static_cast<int>(program.buffers.size()); ++b) {
        window_of_.push_back(of_net(program.window_number(b)));
    }
    const TeamEngine shared(engine, team_, workers.least_seconds);
    const auto place = [&](int buffer) { return buffers_[static_cast<std::size_t>(buffer)]; };
    steps_.reserve(program.operations.size());
    for (std::size_t i = 0; i < program.operations.size(); ++i) {
        const Operation& operation = program.operations[i];
        if (const auto* op = std::get_if<TransformOp>(&operation.what)) {
            const FftTask& task = op->task;
            std::byte* from = place(op->from) + task.from_offset * task.source().bytes();
            std::byte* to = place(op->to) + task.to_offset * task.target().bytes();
            steps_.emplace_back(Transform{plan(shared, task, effort, from, to), from, to});
        } else if (const auto* op = std::get_if<CopyOp>(&operation.what)) {
            steps_.emplace_back(
                CopyStep{shared_copies(copies_from(program, i), team_.size(), workers.least_bytes),
                         place(op->from),
                         place(op->to),
                         {op->from, op->peer}});
        } else if (const auto* op = std::get_if<ScaleOp>(&operation.what)) {
            steps_.emplace_back(Scale{
                *op, slices_in_parts(op->slice, op->precision, team_.size(), workers.least_bytes),
                place(op->from), place(op->to)});
        } else if (const auto* op = std::get_if<PostOp>(&operation.what)) {
            std::byte* to = op->to == -1 ? nullptr : place(op->to);
            ExchangeTask task = op->task;
            task.window = of_net(task.window);
            steps_.emplace_back(Post{net.open(task, place(op->from), to)});
        } else if (const auto* op = std::get_if<ClaimOp>(&operation.what)) {
            steps_.emplace_back(
                Claim{&net.window(window_of_[static_cast<std::size_t>(op->window)])});
        } else if (const auto* op = std::get_if<ReleaseOp>(&operation.what)) {
            steps_.emplace_back(Release{std::get<Post>(steps_[op->post]).channel.get()});
        } else if (const auto* op = std::get_if<FusedOp>(&operation.what)) {
            add_fused(*op, engine, effort);
        } else if (std::holds_alternative<PollOp>(operation.what)) {
            steps_.emplace_back(Poll{});
        } else {
            const auto& draining = std::get<DrainOp>(operation.what);
            Drain drain{&std::get<Post>(steps_[draining.post]), {}, 0};
            drain.post->told_one_by_one = !draining.onward.empty();
            for (const std::vector<CopyTask>& copies : draining.onward) {
                drain.onward.push_back({shared_copies(copies, team_.size(), workers.least_bytes),
                                        place(draining.from), place(draining.to)});
            }
            drain.left = drain.onward.size();
            steps_.emplace_back(std::move(drain));
        }
    }
    plans_.clear();
    open_.reserve(steps_.size());
    assist(false);
}

std::shared_ptr<FftPlan> Executor::plan(const FftEngine& engine, const FftTask& task, Effort effort,
                                        std::byte* from, std::byte* to) {
    const auto alignment_of = [](const std::byte* place) {
        return reinterpret_cast<std::uintptr_t>(place) % alignment;
    };
    KnownPlan wanted{task, alignment_of(from), alignment_of(to), nullptr};
    wanted.task.from_offset = wanted.task.to_offset = 0;
    for (const KnownPlan& known : plans_) {
        const bool same =
            known.task == wanted.task && known.from == wanted.from && known.to == wanted.to;
        if (same) return known.plan;
    }
    wanted.plan = engine.plan(task, effort, from, to);
    plans_.push_back(wanted);
    return wanted.plan;
}

std::vector<std::byte*> Executor::memory(const std::vector<Place>& places) const {
    std::vector<std::byte*> result;
    for (const Place& place : places) {
        const auto buffer = static_cast<std::size_t>(place.buffer);
        if (place.rank == -1) {
            result.push_back(buffer < buffers_.size() ? buffers_[buffer] : nullptr);
        } else {
            result.push_back(net_.window(window_of_[buffer]).of(place.rank));
        }
    }
    return result;
}

void Executor::add_fused(const FusedOp& op, const FftEngine& engine, Effort effort) {
    Fused fused{op.places, {}};
    std::vector<Place> own = op.places;
    std::erase_if(own, [](const Place& place) { return place.rank != -1; });
    std::vector<std::byte*> places = memory(own);
    places.resize(op.places.size(), nullptr);
    std::byte* scratch = op.scratch == -1 ? nullptr : places[static_cast<std::size_t>(op.scratch)];
    // What lies between rows is computed with, though nobody looks at the results.
    if (scratch != nullptr) std::fill_n(scratch, op.scratch_bytes * team_.size(), std::byte{0});
    for_each_part(op.repeat, team_.size(), [&](Index begin, Index end) {
        fused.of_thread.emplace_back(op, begin, end, places, scratch, engine, effort);
        if (scratch != nullptr) scratch += op.scratch_bytes;
    });
    steps_.emplace_back(std::move(fused));
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
    for_all(step.of_thread, [&](const std::vector<Copy>& copies) {
        for (const Copy& one : copies) one.execute(step.from, step.to);
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
    post.channel->start();
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
            for (FusedRun& run : fused->of_thread) run.connect(memory(fused->places));
        } else if (auto* copy = std::get_if<CopyStep>(&step)) {
            if (copy->source.rank != -1) copy->from = memory({copy->source}).front();
        }
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
    } else if (auto* fused = std::get_if<Fused>(&step)) {
        for_all(fused->of_thread, [](FusedRun& run) { run.execute(); });
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
