#include "run/executor.hpp"

#include <algorithm>

namespace weft::core {

namespace {

bool is_array(Role role) { return role != Role::work && role != Role::region; }

std::size_t index(int buffer) { return static_cast<std::size_t>(buffer); }

}  // namespace

Executor::Executor(const Program& program, const Bound& bound, EnginePlans& plans,
                   const Workers& workers, Net& net)
    : program_(program),
      workers_(workers),
      net_(net),
      output_(program.buffers.front().role == Role::both ? 0 : 1),
      device_(bound.device) {
    const Index unit = plans.engine().alignment();
    any_alignment_ = bound.any_alignment || past_alignment(bound.in) % unit != 0 ||
                     past_alignment(bound.out) % unit != 0;
    place_buffers(bound);
    prepared_.reserve(program.operations.size());
    for (std::size_t i = 0; i < program.operations.size(); ++i) {
        prepared_.push_back(prepare(i, bound, plans));
    }
    open_.reserve(prepared_.size());
    peers_.resize(prepared_.size());
    if (device_ != nullptr) prepare_launches();
    assist(false);
}

/// Work buffers lie one after the other.
void Executor::place_buffers(const Bound& bound) {
    std::byte* workspace = bound.workspace;
    std::byte* staging = bound.staging;
    int regions = 0;
    for (const BufferSpec& buffer : program_.buffers) {
        std::byte* place = nullptr;
        SharedRegion* region = nullptr;
        switch (buffer.role) {
            case Role::input:
                place = bound.in;
                if (buffer.exposed) region = bound.in_region;
                break;
            case Role::output:
            case Role::both:
                place = bound.out;
                if (buffer.exposed) region = bound.out_region;
                break;
            case Role::work: {
                const bool stages = device_ != nullptr && buffer.space == MemorySpace::host;
                std::byte*& free = stages ? staging : workspace;
                place = free;
                free += buffer.room();
                break;
            }
            case Role::region:
                region = &net_.region(regions++);
                place = region->of(net_.rank());
                break;
        }
        buffers_.push_back(place);
        regions_.push_back(region);
        past_.push_back(is_array(buffer.role) ? 0 : past_alignment(place));
    }
}

Executor::Prepared Executor::prepare(std::size_t number, const Bound& bound, EnginePlans& plans) {
    const auto& what = program_.operations[number].what;
    if (device_ != nullptr) {
        if (auto kernel = prepare_kernel(number, plans)) return std::move(*kernel);
    }
    if (const auto* op = std::get_if<TransformOp>(&what)) return prepare(*op, plans);
    if (const auto* op = std::get_if<FusedOp>(&what)) return prepare(*op, plans);
    if (std::holds_alternative<CopyOp>(what)) return shared(copies_from(number));
    if (const auto* op = std::get_if<ScaleOp>(&what)) {
        return slices_in_parts(op->slice, op->precision, workers_.team.size(),
                               workers_.least_bytes);
    }
    if (const auto* op = std::get_if<StartOp>(&what)) {
        const ExchangeBuffers buffers = for_messages(*op);
        return Exchange{net_.open(op->task, bound.fixed ? std::optional(buffers) : std::nullopt),
                        transport(op->task.transport).carries == Carries::device};
    }
    if (const auto* op = std::get_if<PublishOp>(&what)) return region(op->region).open(op->task);
    if (const auto* op = std::get_if<HopOp>(&what)) return shared_copies(op->copies, 1);
    if (const auto* op = std::get_if<ArrivalOp>(&what)) exchange(op->start).arrived.push_back(0);
    if (const auto* op = std::get_if<OnwardOp>(&what)) prepare(*op, number);
    return {};
}

/// The turns are as many as the receives: each prepares the copies of one of them.
void Executor::prepare(const OnwardOp& op, std::size_t number) {
    const Operation& operation = program_.operations[number];
    const bool hops = operation.purpose == Purpose::hop;
    const std::vector<CopyTask> copies = onward_copies(program_, number, op.turn);
    Onward& onward = exchange(op.start).onward(operation.purpose);
    if (device_ != nullptr && operation.queue != Queue::exchange) {
        Device& device = device_->device();
        if (auto kernel = hops ? device.hops(copies) : device.copies(copies)) {
            onward.emplace_back(std::move(kernel));
            return;
        }
    }
    onward.emplace_back(hops ? shared_copies(copies, 1) : shared(copies));
}

Executor::Transform Executor::prepare(const TransformOp& op, EnginePlans& plans) const {
    const auto of_array = [&](int buffer) {
        return is_array(program_.buffers[static_cast<std::size_t>(buffer)].role);
    };
    FftTask task = op.task;
    task.any_alignment =
        task.any_alignment || (any_alignment_ && (of_array(op.from) || of_array(op.to)));
    const Index from = task.from_offset * task.line.source().bytes();
    const Index to = task.to_offset * task.line.target().bytes();
    return {plans.plan(task, past_[static_cast<std::size_t>(op.from)] + from,
                       past_[static_cast<std::size_t>(op.to)] + to),
            from, to};
}

std::vector<FusedRun> Executor::prepare(const FusedOp& op, EnginePlans& plans) const {
    const int threads = workers_.team.size();
    if (op.scratch) {
        // What lies between rows is computed with, though nobody looks at the results.
        const auto clear = [&](std::byte* scratch) {
            std::fill_n(scratch, op.scratch_bytes * threads, std::byte{0});
        };
        if (device_ == nullptr) {
            clear(at(*op.scratch));
        } else {
            const auto work = [&](const DeviceView& view) { clear(view.reach(at(*op.scratch))); };
            DeviceQueue& queue = *device_->queue(Queue::work);
            queue.wait(queue.launch(work, "clear scratch memory"));
        }
    }
    std::vector<FusedRun> result;
    int thread = 0;
    for_each_part(op.repeat, threads, [&](Index begin, Index end) {
        result.emplace_back(op, begin, end, thread++, past_, any_alignment_, plans);
    });
    return result;
}

std::vector<CopyTask> Executor::copies_from(std::size_t first) const {
    const std::vector<Operation>& all = program_.operations;
    const auto& one = std::get<CopyOp>(all[first].what);
    const auto goes_along = [&](std::size_t i) {
        const auto* other = i < all.size() ? std::get_if<CopyOp>(&all[i].what) : nullptr;
        return other != nullptr && other->from == one.from && other->to == one.to;
    };
    std::vector<CopyTask> result;
    if (first > 0 && goes_along(first - 1)) return result;
    for (std::size_t i = first; goes_along(i); ++i) {
        result.push_back(std::get<CopyOp>(all[i].what).task);
    }
    return result;
}

void Executor::connect() {
    for (Prepared& one : prepared_) {
        if (auto* exchange = std::get_if<Exchange>(&one)) exchange->channel->connect();
    }
    net_.all_or_none([this] { reach_peers(); });
}

void Executor::reach_peers() {
    for (std::size_t i = 0; i < prepared_.size(); ++i) {
        const auto& what = program_.operations[i].what;
        if (const auto* op = std::get_if<FusedOp>(&what)) {
            std::vector<std::byte*> peers;
            peers.reserve(op->places.size());
            for (const Place& place : op->places) peers.push_back(peer_at(place));
            if (auto* on_device = std::get_if<DeviceFused>(&prepared_[i])) {
                on_device->connect(peers);
            } else {
                for (FusedRun& run : prepared<std::vector<FusedRun>>(i)) run.connect(peers);
            }
        } else if (const auto* copy = std::get_if<CopyOp>(&what)) {
            peers_[i] = peer_at(copy->from);
        }
    }
}

bool Executor::start_waits(const Prepared& prepared) {
    const auto* exchange = std::get_if<Exchange>(&prepared);
    return exchange != nullptr && exchange->channel->start_waits();
}

bool Executor::any_waits() const {
    return std::any_of(prepared_.begin(), prepared_.end(), &start_waits);
}

template <class Parts, class Work>
void Executor::for_all(Parts& parts, const Work& work) {
    if (parts.size() == 1) work(parts.front());
    if (parts.size() < 2) return;
    workers_.team.run([&](int thread) {
        const auto i = static_cast<std::size_t>(thread);
        if (i < parts.size()) work(parts[i]);
    });
}

void Executor::copy(const SharedCopies& copies, const std::byte* from, std::byte* to) {
    for_all(copies, [&](const std::vector<Copy>& of_thread) {
        for (const Copy& one : of_thread) one.execute(from, to);
    });
}

bool Executor::advance(bool block) {
    if (next_ == prepared_.size()) return finish(block);
    if (repeats_ && next_ == 0 && replay()) return true;
    const Operation& operation = program_.operations[next_];
    DeviceQueue* queue = device_ != nullptr ? device_->queue(operation.queue) : nullptr;
    if (queue != nullptr) {
        if (!without_device_) launch(*queue, operation);
        ++next_;
        return true;
    }
    if (device_ != nullptr && !without_device_ && !is_due(block)) return false;
    in_exchange_ = true;
    const bool done = run_here(block);
    in_exchange_ = false;
    if (done) ++next_;
    return done;
}

bool Executor::run_here(bool block) {
    const auto run_next = [&](const auto& op) {
        if constexpr (requires { run(op, next_, buffers_); }) {
            run(op, next_, buffers_);
            return true;
        } else if constexpr (requires { run(op, block); }) {
            return run(op, block);
        } else {
            run(op);
            return true;
        }
    };
    return std::visit(run_next, program_.operations[next_].what);
}

void Executor::run(const TransformOp& op, std::size_t number, const std::vector<std::byte*>& at) {
    const auto& [plan, from_bytes, to_bytes] = prepared<Transform>(number);
    plan->execute(at[index(op.from)] + from_bytes, at[index(op.to)] + to_bytes);
}

void Executor::run(const CopyOp& op, std::size_t number, const std::vector<std::byte*>& at) {
    copy(prepared<SharedCopies>(number), source(op, number, at), at[index(op.to)]);
}

void Executor::run(const ScaleOp& op, std::size_t number, const std::vector<std::byte*>& at) {
    for_all(prepared<std::vector<Slice>>(number), [&](const Slice& part) {
        scale(op.precision, at[index(op.from)], at[index(op.to)], part, op.factor);
    });
}

void Executor::run(const FusedOp& /*op*/, std::size_t number, const std::vector<std::byte*>& at) {
    for_all(prepared<std::vector<FusedRun>>(number), [&](FusedRun& part) { part.execute(at); });
}

void Executor::run(const HopOp& op, std::size_t number, const std::vector<std::byte*>& at) {
    copy(prepared<SharedCopies>(number), at[index(op.from)], at[index(op.to)]);
}

void Executor::run(const OnwardOp& op, std::size_t number, const std::vector<std::byte*>& at) {
    copy(std::get<SharedCopies>(onward(op, number)), at[index(op.from)], at[index(op.to)]);
}

void Executor::run(const StartOp& op) {
    auto& exchange = prepared<Exchange>(next_);
    if (is_given_up(exchange)) return;
    exchange.complete = false;
    through(exchange, [&](Channel& channel) { channel.start(for_messages(op)); });
    open_.push_back(&exchange);
    assist(true);
}

bool Executor::run(const FinishOp& op, bool block) {
    Exchange& exchange = this->exchange(op.start);
    if (is_given_up(exchange)) return true;
    if (!exchange.complete && block) {
        assist(false);  // MPI looks after all messages within a call that waits.
        through(exchange, [](Channel& channel) { channel.wait(); });
    } else if (!exchange.complete &&
               !through(exchange, [](Channel& channel) { return channel.test(); })) {
        return false;
    }
    std::erase(open_, &exchange);
    assist(!open_.empty());
    return true;
}

bool Executor::run(const ArrivalOp& op, bool block) {
    Exchange& exchange = this->exchange(op.start);
    const std::optional<std::size_t> arrived = exchange.channel->arrival(block);
    if (arrived) exchange.arrived[op.turn] = *arrived;
    return arrived.has_value();
}

void Executor::run(const PollOp& /*op*/) {
    for (Exchange* one : open_) {
        if (one->complete || !one->arrived.empty()) continue;
        one->complete = through(*one, [](Channel& channel) { return channel.test(); });
    }
}

}  // namespace weft::core
