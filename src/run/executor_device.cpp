// How an executor uses a device: by its queues, whose work comes after what the program says.
#include <algorithm>
#include <stdexcept>

#include "base/engines.hpp"
#include "run/executor.hpp"

namespace weft::core {

Executor::~Executor() {
    if (device_ != nullptr) device_->settle();
}

namespace {

/// The buffer that an operation writes, for a kernel of the device.
template <class Op>
std::size_t target_of(const Op& op) {
    if constexpr (requires { static_cast<std::size_t>(op.to); }) {
        return static_cast<std::size_t>(op.to);
    }
    throw std::logic_error("an operation of this kind has no kernel");
}

}  // namespace

std::optional<Executor::Prepared> Executor::prepare_kernel(std::size_t number,
                                                           EnginePlans& plans) const {
    Device& device = device_->device();
    if (program_.operations[number].queue == Queue::exchange) return {};
    const auto& what = program_.operations[number].what;
    std::unique_ptr<DeviceKernel> kernel;
    if (std::holds_alternative<CopyOp>(what)) kernel = device.copies(copies_from(number));
    if (const auto* op = std::get_if<HopOp>(&what)) kernel = device.hops(op->copies);
    if (const auto* op = std::get_if<ScaleOp>(&what)) {
        kernel = device.scaling(op->precision, op->slice, op->factor);
    }
    if (kernel != nullptr) return kernel;
    const auto* fused = std::get_if<FusedOp>(&what);
    if (fused == nullptr || default_engine_of(device.name()) == nullptr) return {};
    return DeviceFused(*fused, past_, any_alignment_, plans, device);
}

void Executor::prepare_launches() {
    tickets_.resize(prepared_.size());
    launches_.reserve(prepared_.size());
    for (std::size_t i = 0; i < prepared_.size(); ++i) launches_.push_back({this, i});
    reached_.fill(buffers_);
    const std::vector<Operation>& all = program_.operations;
    const auto first = std::find_if(all.begin(), all.end(), [](const Operation& operation) {
        return operation.queue == Queue::exchange;
    });
    host_waits_ = first == all.end() || !first->after.empty();
    recorded_arrays_.assign(buffers_.size(), nullptr);
    repeats_ = std::all_of(all.begin(), all.end(),
                           [](const Operation& one) { return one.queue == Queue::work; });
}

bool Executor::replay() {
    if (buffers_ != recorded_arrays_) {
        recorded_arrays_ = buffers_;  // As long as before: nothing is allocated.
        recorded_.reset();
        return false;
    }
    if (recorded_ == nullptr) record();
    repeats_ = recorded_ != nullptr;
    if (!repeats_) return false;
    replay_.recorded = recorded_.get();
    device_->queue(Queue::work)->launch(replay_, "all steps, as recorded");
    next_ = prepared_.size();
    return true;
}

void Executor::record() {
    DeviceQueue& queue = *device_->queue(Queue::work);
    recorded_ = queue.record([&] {
        for (std::size_t i = 0; i < prepared_.size(); ++i) {
            queue.launch(launches_[i], name_of(program_.operations[i].purpose));
        }
    });
}

void Executor::launch(DeviceQueue& queue, const Operation& operation) {
    for (const std::size_t before : operation.after) {
        // The host has done operations of its own that come before this one.
        DeviceQueue* other = device_->queue(program_.operations[before].queue);
        if (other != nullptr) queue.wait_for(*other, tickets_[before]);
    }
    tickets_[next_] = queue.launch(launches_[next_], name_of(operation.purpose));
}

bool Executor::carry_on_without_device() {
    if (device_ == nullptr || without_device_ || in_exchange_) return false;
    give_up_device_exchanges();
    device_->settle();
    stand_ins_.resize(buffers_.size());
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
        if (program_.buffers[i].space != MemorySpace::device) continue;
        stand_ins_[i].resize(static_cast<std::size_t>(program_.buffers[i].room()));
    }
    return without_device_ = true;
}

void Executor::give_up_device_exchanges() {
    for (Prepared& one : prepared_) {
        auto* exchange = std::get_if<Exchange>(&one);
        if (exchange != nullptr && exchange->by_device) exchange->channel->give_up();
    }
    std::erase_if(open_, [](const Exchange* one) { return one->by_device; });
}

bool Executor::finish(bool block) {
    if (without_device_) return idle_ = true;
    if (!told_caller_) device_->precede_caller();
    told_caller_ = true;
    return idle_ = device_->idle(block);
}

bool Executor::hands_over() {
    if (device_ == nullptr || next_ != prepared_.size() || !host_waits_ || without_device_) {
        return false;
    }
    device_->put_in_order();
    return true;
}

bool Executor::is_due(bool block) {
    if (!device_->caller_has_come(block)) return false;
    for (const std::size_t before : program_.operations[next_].after) {
        DeviceQueue* queue = device_->queue(program_.operations[before].queue);
        if (queue == nullptr) continue;
        if (block) queue->wait(tickets_[before]);
        if (!queue->done(tickets_[before])) return false;
    }
    return true;
}

void Executor::run_on(const DeviceView& view, std::size_t number) {
    const Operation& operation = program_.operations[number];
    std::vector<std::byte*>& reached = reached_[static_cast<std::size_t>(operation.queue)];
    std::transform(buffers_.begin(), buffers_.end(), reached.begin(),
                   [&](std::byte* buffer) { return view.reach(buffer); });
    std::visit([&](const auto& op) { run_on(view, op, number, reached); }, operation.what);
}

void Executor::run_on(const DeviceView& view, const TransformOp& op, std::size_t number,
                      const std::vector<std::byte*>& at) {
    const auto& [plan, from_bytes, to_bytes] = prepared<Transform>(number);
    plan->execute_on(view, at[static_cast<std::size_t>(op.from)] + from_bytes,
                     at[static_cast<std::size_t>(op.to)] + to_bytes);
}

void Executor::run_on(const DeviceView& view, const OnwardOp& op, std::size_t number,
                      const std::vector<std::byte*>& at) {
    if (auto* kernel = std::get_if<std::unique_ptr<DeviceKernel>>(&onward(op, number))) {
        (*kernel)->run(view, source(op, number, at), at[target_of(op)]);
    } else {
        run(op, number, at);
    }
}

template <class Op>
void Executor::run_on(const DeviceView& view, const Op& op, std::size_t number,
                      const std::vector<std::byte*>& at) {
    if (auto* kernel = std::get_if<std::unique_ptr<DeviceKernel>>(&prepared_[number])) {
        (*kernel)->run(view, source(op, number, at), at[target_of(op)]);
    } else if (auto* fused = std::get_if<DeviceFused>(&prepared_[number])) {
        fused->run(view, at);
    } else if constexpr (requires { run(op, number, at); }) {
        run(op, number, at);
    }
}

std::byte* Executor::peer_at(const Place& place) const {
    if (!place.rank) return nullptr;
    std::byte* memory = region(place.buffer).of(*place.rank);
    if (device_ == nullptr) return memory;
    std::byte* reached = nullptr;
    const auto look = [&](const DeviceView& view) { reached = view.reach(memory); };
    DeviceQueue& queue = *device_->queue(Queue::work);
    queue.wait(queue.launch(look, "look where the memory of other ranks is"));
    return reached;
}

std::byte* Executor::for_messages(int buffer, const ExchangeTask& task) const {
    const auto index = static_cast<std::size_t>(buffer);
    const bool on_device = program_.buffers[index].space == MemorySpace::device;
    const bool by_mpi = transport(task.transport).carries != Carries::device;
    // MPI would stumble over the memory of a device that has failed.
    if (on_device && by_mpi && without_device_) {
        return const_cast<std::byte*>(stand_ins_[index].data());
    }
    return on_device && by_mpi ? device_->device().for_mpi(at(buffer)) : at(buffer);
}

}  // namespace weft::core
