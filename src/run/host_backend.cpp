#include "run/host_backend.hpp"

#include <algorithm>
#include <utility>

#include "base/index.hpp"
#include "base/mapped.hpp"
#include "kernels/copy.hpp"
#include "run/shared_work.hpp"

namespace weft::core {

namespace {

bool is_array(Role role) { return role != Role::work && role != Role::region; }

std::unique_ptr<PreparedWork> shared_copying(Team& team, std::vector<std::vector<Copy>> by_thread) {
    const auto copy = [](const std::vector<Copy>& copies, const DeviceView& /*view*/,
                         std::span<std::byte* const> places) {
        for (const Copy& one : copies) one.execute(places[0], places[1]);
    };
    return shared_work(team, std::move(by_thread), copy);
}

}  // namespace

HostBackend::HostBackend(const Program& program, const Bound& bound, Workers workers, Net& net)
    : program_(program),
      workers_(std::move(workers)),
      net_(net),
      output_(program.buffers.front().role == Role::both ? 0 : 1) {
    place_buffers(bound);
}

/// Work buffers lie one after the other.
void HostBackend::place_buffers(const Bound& bound) {
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
                const bool stages = program_.on_device && buffer.space == MemorySpace::host;
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

void HostBackend::prepare(const Bound& bound, EnginePlans& plans) {
    const Index unit = plans.engine().alignment();
    any_alignment_ = bound.any_alignment || past_alignment(bound.in) % unit != 0 ||
                     past_alignment(bound.out) % unit != 0;
    prepared_.reserve(program_.operations.size());
    for (std::size_t i = 0; i < program_.operations.size(); ++i) {
        prepared_.push_back(prepare(i, bound, plans));
    }
    open_.reserve(prepared_.size());
    assist(false);
}

HostBackend::Prepared HostBackend::prepare(std::size_t number, const Bound& bound,
                                           EnginePlans& plans) {
    const Operation& operation = program_.operations[number];
    const auto& what = operation.what;
    if (const auto* op = std::get_if<TransformOp>(&what)) return prepare(*op, plans);
    if (const auto* op = std::get_if<FusedOp>(&what)) return pass(*op, plans);
    if (const auto* op = std::get_if<CopyOp>(&what)) {
        return Local{copies(operation, copies_from(number)), op->from.buffer, op->to};
    }
    if (const auto* op = std::get_if<HopOp>(&what)) {
        return Local{hops(operation, op->copies), op->from, op->to};
    }
    if (const auto* op = std::get_if<ScaleOp>(&what)) {
        return Local{scaling(operation, *op), op->from, op->to};
    }
    if (const auto* op = std::get_if<ConvertOp>(&what)) {
        return Local{converting(*op), op->from, op->to};
    }
    if (const auto* op = std::get_if<ClearOp>(&what)) return Local{clearing(*op), op->to, op->to};
    if (const auto* op = std::get_if<StartOp>(&what)) return prepare(*op, bound.fixed);
    if (const auto* op = std::get_if<PublishOp>(&what)) return region(op->region).open(op->task);
    if (const auto* op = std::get_if<ArrivalOp>(&what)) exchange(op->start).arrived.push_back(0);
    if (const auto* op = std::get_if<OnwardOp>(&what)) {
        // The turns are as many as the receives: each prepares the copies of one of them.
        const std::vector<CopyTask> tasks = onward_copies(program_, number, op->turn);
        const bool hop = operation.purpose == Purpose::hop;
        exchange(op->start)
            .onward(operation.purpose)
            .push_back(hop ? hops(operation, tasks) : copies(operation, tasks));
    }
    return {};
}

HostBackend::Local HostBackend::prepare(const TransformOp& op, EnginePlans& plans) const {
    const auto of_array = [&](int buffer) {
        return is_array(program_.buffers[usize(buffer)].role);
    };
    FftTask task = op.task;
    task.any_alignment =
        task.any_alignment || (any_alignment_ && (of_array(op.from) || of_array(op.to)));
    const Index from = task.from_offset * task.line.source().bytes();
    const Index to = task.to_offset * task.line.target().bytes();
    return {plans.plan(task, past_[usize(op.from)] + from, past_[usize(op.to)] + to), op.from,
            op.to, from, to};
}

HostBackend::Exchange HostBackend::prepare(const StartOp& op, bool fixed) const {
    const ExchangeBuffers buffers{for_messages(op.from, op.task), for_messages(op.to, op.task)};
    return {net_.open(op.task, fixed ? std::optional(buffers) : std::nullopt),
            transport(op.task.transport).carries == Carries::device};
}

std::unique_ptr<PreparedWork> HostBackend::copies(const Operation& /*operation*/,
                                                  const std::vector<CopyTask>& tasks) {
    if (tasks.empty()) return nullptr;
    return shared_copying(workers_.team,
                          shared_copies(tasks, workers_.team.size(), workers_.least_bytes));
}

std::unique_ptr<PreparedWork> HostBackend::hops(const Operation& /*operation*/,
                                                const std::vector<CopyTask>& tasks) {
    return shared_copying(workers_.team, shared_copies(tasks, 1));
}

std::unique_ptr<PreparedWork> HostBackend::scaling(const Operation& /*operation*/,
                                                   const ScaleOp& op) {
    const auto scale_part = [precision = op.precision, factor = op.factor](
                                const Slice& part, const DeviceView& /*view*/,
                                std::span<std::byte* const> places) {
        scale(precision, places[0], places[1], part, factor);
    };
    return shared_work(
        workers_.team,
        slices_in_parts(op.slice, op.precision, workers_.team.size(), workers_.least_bytes),
        scale_part);
}

std::unique_ptr<PreparedWork> HostBackend::converting(const ConvertOp& op) const {
    const auto convert_part = [precision = op.precision, halves = op.halves](
                                  const Slice& part, const DeviceView& /*view*/,
                                  std::span<std::byte* const> places) {
        (halves ? halve : unhalve)(precision, places[0], places[1], part);
    };
    return shared_work(
        workers_.team,
        slices_in_parts(op.slice, op.precision, workers_.team.size(), workers_.least_bytes),
        convert_part);
}

std::unique_ptr<PreparedWork> HostBackend::clearing(const ClearOp& op) const {
    const auto clear_all = [bytes = op.element_bytes](const std::vector<Slice>& slices,
                                                      const DeviceView& /*view*/,
                                                      std::span<std::byte* const> places) {
        for (const Slice& slice : slices) core::clear(places[1], slice, bytes);
    };
    return shared_work(workers_.team, std::vector<std::vector<Slice>>{op.slices}, clear_all);
}

std::unique_ptr<FusedRun> HostBackend::pass(const FusedOp& op, EnginePlans& plans) {
    // What lies between rows is computed with, though nobody looks at the results.
    if (op.scratch) clear(at(*op.scratch), op.scratch_bytes * workers_.team.size());
    return std::make_unique<FusedRun>(op, buffers_lie(), plans, workers_.team);
}

void HostBackend::clear(std::byte* memory, Index bytes) {
    std::fill_n(memory, bytes, std::byte{0});
}

std::vector<CopyTask> HostBackend::copies_from(std::size_t first) const {
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

void HostBackend::connect() {
    for_each_exchange([](Exchange& exchange) { exchange.channel->connect(); });
    net_.all_or_none([this] { reach_peers(); });
}

void HostBackend::reach_peers() {
    for (std::size_t i = 0; i < prepared_.size(); ++i) {
        const auto& what = program_.operations[i].what;
        if (const auto* op = std::get_if<FusedOp>(&what)) {
            const auto peer = [this](const BufferRef& place) { return peer_at(place); };
            std::get<std::unique_ptr<FusedRun>>(prepared_[i])->connect(mapped(op->places, peer));
        } else if (const auto* copy = std::get_if<CopyOp>(&what)) {
            std::get<Local>(prepared_[i]).peer = peer_at(copy->from);
        }
    }
}

std::byte* HostBackend::peer_at(const BufferRef& place) const {
    return place.rank ? reached(region(place.buffer).of(*place.rank)) : nullptr;
}

bool HostBackend::start_waits(std::size_t number) const {
    const auto* exchange = std::get_if<Exchange>(&prepared_[number]);
    return exchange != nullptr && exchange->channel->start_waits();
}

bool HostBackend::issue(std::size_t number, bool block) {
    const auto issue_it = [&](const auto& op) {
        if constexpr (requires { take(op, number, block); }) {
            return take(op, number, block);
        } else {
            compute(number, HostView(), buffers_);
            return true;
        }
    };
    return std::visit(issue_it, program_.operations[number].what);
}

void HostBackend::compute(std::size_t number, const DeviceView& view, const Buffers& at) {
    const auto place = [&](int buffer) { return at[usize(buffer)]; };
    if (const auto* local = std::get_if<Local>(&prepared_[number])) {
        if (local->work == nullptr) return;
        std::byte* from = local->peer != nullptr ? local->peer : place(local->from);
        local->work->run(view, from + local->from_bytes, place(local->to) + local->to_bytes);
    } else if (const auto* pass = std::get_if<std::unique_ptr<FusedRun>>(&prepared_[number])) {
        (*pass)->run(view, at);
    } else {
        const Operation& operation = program_.operations[number];
        const auto& op = std::get<OnwardOp>(operation.what);
        Exchange& from = exchange(op.start);
        const auto& work = from.onward(operation.purpose)[from.arrived[op.turn]];
        if (work != nullptr) work->run(view, place(op.from), place(op.to));
    }
}

bool HostBackend::take(const StartOp& op, std::size_t number, bool /*block*/) {
    Exchange& started = exchange(number);
    if (started.given_up) return true;
    started.complete = false;
    channel_of(started).start({for_messages(op.from, op.task), for_messages(op.to, op.task)});
    open_.push_back(&started);
    assist(true);
    return true;
}

bool HostBackend::take(const FinishOp& op, std::size_t /*number*/, bool block) {
    Exchange& finished = exchange(op.start);
    if (finished.given_up) return true;
    if (!finished.complete && block) {
        assist(false);  // MPI looks after all messages within a call that waits.
        channel_of(finished).wait();
    } else if (!finished.complete && !channel_of(finished).test()) {
        return false;
    }
    std::erase(open_, &finished);
    assist(!open_.empty());
    return true;
}

bool HostBackend::take(const ArrivalOp& op, std::size_t /*number*/, bool block) {
    Exchange& from = exchange(op.start);
    const std::optional<std::size_t> arrived = from.channel->arrival(block);
    if (arrived) from.arrived[op.turn] = *arrived;
    return arrived.has_value();
}

bool HostBackend::take(const PollOp& /*op*/, std::size_t /*number*/, bool /*block*/) {
    for (Exchange* one : open_) {
        // What takes arrivals is complete when they have been asked for.
        if (!one->complete && one->arrived.empty()) one->complete = channel_of(*one).test();
    }
    return true;
}

}  // namespace weft::core
