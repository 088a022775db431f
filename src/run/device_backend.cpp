#include "run/device_backend.hpp"

#include <algorithm>

#include "base/engines.hpp"
#include "base/index.hpp"

namespace weft::core {

std::unique_ptr<QueueBackend> make_backend(const Program& program, const Bound& bound,
                                           EnginePlans& plans, const Workers& workers, Net& net) {
    std::unique_ptr<HostBackend> backend;
    if (bound.device != nullptr) {
        backend = std::make_unique<DeviceBackend>(program, bound, workers, net);
    } else {
        backend = std::make_unique<HostBackend>(program, bound, workers, net);
    }
    backend->prepare(bound, plans);
    return backend;
}

void DeviceBackend::prepare(const Bound& bound, EnginePlans& plans) {
    HostBackend::prepare(bound, plans);
    const std::vector<Operation>& all = program_.operations;
    tickets_.resize(all.size());
    launches_.reserve(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) launches_.push_back({this, i});
    reached_.fill(buffers_);
    const auto first = std::find_if(all.begin(), all.end(), [](const Operation& operation) {
        return operation.queue == Queue::exchange;
    });
    host_waits_ = first == all.end() || !first->after.empty();
    recorded_arrays_.assign(buffers_.size(), nullptr);
    repeats_ = std::all_of(all.begin(), all.end(),
                           [](const Operation& one) { return one.queue == Queue::work; });
}

bool DeviceBackend::start() {
    HostBackend::start();
    for_each_exchange([](Exchange& exchange) { exchange.given_up = false; });
    told_caller_ = lost_ = in_host_ = false;
    return false;
}

bool DeviceBackend::issue(std::size_t number, bool block) {
    DeviceQueue* queue = queue_of(number);
    if (queue == nullptr) {
        if (!lost_ && !device_.caller_has_come(block)) return false;
        in_host_ = true;
        called_ = nullptr;
        const bool done = HostBackend::issue(number, block);
        in_host_ = false;
        return done;
    }
    if (lost_) return true;
    const Operation& operation = program_.operations[number];
    for (const std::size_t before : operation.after) {
        // The host has done operations of its own that come before this one.
        if (DeviceQueue* other = queue_of(before)) queue->wait_for(*other, tickets_[before]);
    }
    tickets_[number] = queue->launch(launches_[number], name_of(operation.purpose));
    return true;
}

bool DeviceBackend::issue_all() {
    if (!repeats_) return false;
    if (buffers_ != recorded_arrays_) {
        recorded_arrays_ = buffers_;  // As long as before: nothing is allocated.
        recorded_.reset();
        return false;
    }
    if (recorded_ == nullptr) record();
    repeats_ = recorded_ != nullptr;
    if (!repeats_) return false;
    replay_.recorded = recorded_.get();
    device_.queue(Queue::work)->launch(replay_, "all steps, as recorded");
    return true;
}

void DeviceBackend::record() {
    DeviceQueue& queue = *device_.queue(Queue::work);
    recorded_ = queue.record([&] {
        for (std::size_t i = 0; i < launches_.size(); ++i) {
            queue.launch(launches_[i], name_of(program_.operations[i].purpose));
        }
    });
}

bool DeviceBackend::done(std::size_t number) {
    DeviceQueue* queue = queue_of(number);
    return queue == nullptr || queue->done(tickets_[number]);
}

void DeviceBackend::wait(std::size_t number) {
    if (DeviceQueue* queue = queue_of(number)) queue->wait(tickets_[number]);
}

bool DeviceBackend::finish(bool block) {
    if (lost_) return true;
    if (!told_caller_) device_.precede_caller();
    told_caller_ = true;
    return device_.idle(block);
}

bool DeviceBackend::hands_over() {
    if (!host_waits_ || lost_) return false;
    device_.put_in_order();
    return true;
}

bool DeviceBackend::carry_on_without_device() {
    const bool by_device = called_ != nullptr && called_->by_device;
    if (lost_ || (in_host_ && !by_device)) return false;
    give_up_device_exchanges();
    for_each_exchange([](Exchange& exchange) { exchange.given_up = exchange.by_device; });
    device_.settle();
    stand_ins_.resize(buffers_.size());
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
        if (program_.buffers[i].space != MemorySpace::device) continue;
        stand_ins_[i].resize(usize(program_.buffers[i].room()));
    }
    return lost_ = true;
}

void DeviceBackend::give_up_device_exchanges() {
    for_each_exchange([](Exchange& exchange) {
        if (exchange.by_device) exchange.channel->give_up();
    });
    std::erase_if(open_, [](const Exchange* one) { return one->by_device; });
}

void DeviceBackend::run_on(const DeviceView& view, std::size_t number) {
    const Queue queue = program_.operations[number].queue;
    Buffers& reached = reached_[static_cast<std::size_t>(queue)];
    std::transform(buffers_.begin(), buffers_.end(), reached.begin(),
                   [&](std::byte* buffer) { return view.reach(buffer); });
    compute(number, view, reached);
}

std::unique_ptr<PreparedWork> DeviceBackend::copies(const Operation& operation,
                                                    const std::vector<CopyTask>& tasks) {
    if (operation.queue != Queue::exchange && !tasks.empty()) {
        if (auto kernel = device_.device().copies(tasks)) return kernel;
    }
    return HostBackend::copies(operation, tasks);
}

std::unique_ptr<PreparedWork> DeviceBackend::hops(const Operation& operation,
                                                  const std::vector<CopyTask>& tasks) {
    if (auto kernel = device_.device().hops(tasks)) return kernel;
    return HostBackend::hops(operation, tasks);
}

std::unique_ptr<PreparedWork> DeviceBackend::scaling(const Operation& operation,
                                                     const ScaleOp& op) {
    if (operation.queue != Queue::exchange) {
        if (auto kernel = device_.device().scaling(op.precision, op.slice, op.factor))
            return kernel;
    }
    return HostBackend::scaling(operation, op);
}

std::unique_ptr<FusedRun> DeviceBackend::pass(const FusedOp& op, EnginePlans& plans) {
    Device& device = device_.device();
    if (default_engine_of(device.name()) == nullptr) return HostBackend::pass(op, plans);
    return std::make_unique<FusedRun>(op, buffers_lie(), plans, workers_.team, device);
}

void DeviceBackend::clear(std::byte* memory, Index bytes) {
    const auto work = [&](const DeviceView& view) {
        HostBackend::clear(view.reach(memory), bytes);
    };
    DeviceQueue& queue = *device_.queue(Queue::work);
    queue.wait(queue.launch(work, "clear scratch memory"));
}

std::byte* DeviceBackend::for_messages(int buffer, const ExchangeTask& task) const {
    const auto index = usize(buffer);
    const bool on_device = program_.buffers[index].space == MemorySpace::device;
    const bool by_mpi = transport(task.transport).carries != Carries::device;
    if (!on_device || !by_mpi) return at(buffer);
    // MPI would stumble over the memory of a device that has failed.
    if (lost_) return const_cast<std::byte*>(stand_ins_[index].data());
    return device_.device().for_mpi(at(buffer));
}

std::byte* DeviceBackend::reached(std::byte* memory) const {
    std::byte* result = nullptr;
    const auto look = [&](const DeviceView& view) { result = view.reach(memory); };
    DeviceQueue& queue = *device_.queue(Queue::work);
    queue.wait(queue.launch(look, "look where the memory of other ranks is"));
    return result;
}

}  // namespace weft::core
