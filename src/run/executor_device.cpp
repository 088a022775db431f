// How an executor uses a device: by its queues, whose work comes after what the program says.
#include <algorithm>

#include "run/executor.hpp"

namespace weft::core {

Executor::~Executor() {
    if (device_ != nullptr) device_->settle();
}

void Executor::prepare_launches() {
    tickets_.resize(prepared_.size());
    launches_.reserve(prepared_.size());
    for (std::size_t i = 0; i < prepared_.size(); ++i) launches_.push_back({this, i});
    reached_.fill(buffers_);
}

void Executor::launch(DeviceQueue& queue, const Operation& operation) {
    for (const std::size_t before : operation.after) {
        // The host has done operations of its own that come before this one.
        DeviceQueue* other = device_->queue(queue_of(program_.operations[before]));
        if (other != nullptr) queue.wait_for(*other, tickets_[before]);
    }
    tickets_[next_] = queue.launch(launches_[next_], name_of(operation.purpose));
}

bool Executor::finish(bool block) {
    if (!told_caller_) device_->precede_caller();
    told_caller_ = true;
    return idle_ = device_->idle(block);
}

bool Executor::hands_over() {
    if (device_ == nullptr || next_ != prepared_.size()) return false;
    device_->put_in_order();
    return true;
}

bool Executor::is_due(bool block) {
    for (const std::size_t before : program_.operations[next_].after) {
        DeviceQueue* queue = device_->queue(queue_of(program_.operations[before]));
        if (queue == nullptr) continue;
        if (block) queue->wait(tickets_[before]);
        if (!queue->done(tickets_[before])) return false;
    }
    return true;
}

void Executor::run_on(const DeviceView& view, std::size_t number) {
    const Operation& operation = program_.operations[number];
    std::vector<std::byte*>& reached = reached_[static_cast<std::size_t>(queue_of(operation))];
    std::transform(buffers_.begin(), buffers_.end(), reached.begin(),
                   [&](std::byte* buffer) { return view.reach(buffer); });
    const auto run_it = [&](const auto& op) {
        if constexpr (requires { run(op, number, reached); }) run(op, number, reached);
    };
    std::visit(run_it, operation.what);
}

std::byte* Executor::for_messages(int buffer) const {
    const bool on_device =
        program_.buffers[static_cast<std::size_t>(buffer)].space == MemorySpace::device;
    return on_device ? device_->device().for_mpi(at(buffer)) : at(buffer);
}

}  // namespace weft::core
