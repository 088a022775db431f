// The queues of a device, as the programs of one transform use them.
#pragma once

#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "device/device.hpp"
#include "program/program.hpp"

namespace weft::core {

/// Programs that use it run one after the other: each has left its queues empty when it is done.
class DeviceWork {
  public:
    /// The device outlives it. `both_ways`: hops back have a queue of their own.
    explicit DeviceWork(Device& device, bool both_ways = false)
        : device_(device), work_(device.queue("work")), hops_(device.queue("hops")) {
        if (both_ways) back_ = device.queue("hops back");
        all_ = {work_.get(), hops_.get()};
        if (back_ != nullptr) all_.push_back(back_.get());
    }

    [[nodiscard]] Device& device() const { return device_; }
    /// Null for the queue of exchanges, which are the host's.
    [[nodiscard]] DeviceQueue* queue(Queue queue) const {
        if (queue == Queue::exchange) return nullptr;
        if (queue == Queue::work) return work_.get();
        return queue == Queue::hop_back && back_ != nullptr ? back_.get() : hops_.get();
    }
    /// Work goes between what the caller has put into this stream before and after; null: beside
    /// whatever the caller does. Nothing is under way.
    void set_caller(std::shared_ptr<DeviceQueue> stream) {
        caller_ = std::move(stream);
        followed_ = 0;
    }
    /// What is put in from now on comes after all that the caller has put into its stream.
    void follow_caller() {
        if (caller_ == nullptr) return;
        static constexpr auto nothing = [](const DeviceView&) {};  // A queue may call it later.
        followed_ = caller_->launch(nothing, "the caller's stream");
        for (DeviceQueue* queue : all_) queue->wait_for(*caller_, followed_);
    }
    /// Whether the caller's stream has done what the work follows; it waits if it may block.
    [[nodiscard]] bool caller_has_come(bool block) const {
        if (caller_ == nullptr || followed_ == 0) return true;
        if (block) caller_->wait(followed_);
        return caller_->done(followed_);
    }
    /// What the caller puts into its stream from now on comes after all that was put in here.
    void precede_caller() const {
        if (caller_ == nullptr) return;
        for (DeviceQueue* queue : all_) caller_->wait_for(*queue, queue->last());
    }
    /// What is put in from now on comes after all that was put in before, whatever the queue.
    void put_in_order() const {
        for (DeviceQueue* queue : all_) {
            for (DeviceQueue* other : all_) {
                if (other != queue) queue->wait_for(*other, other->last());
            }
        }
    }
    /// Whether all has run that was put in. Then it throws what some of it has thrown: whoever
    /// called may free what the work of any queue refers to.
    [[nodiscard]] bool idle(bool block) const {
        std::exception_ptr failure;
        for (DeviceQueue* queue : all_) {
            try {
                if (block) queue->wait(queue->last());
                if (!queue->done(queue->last())) return false;
            } catch (...) {
                failure = std::current_exception();
            }
        }
        if (failure) std::rethrow_exception(failure);
        return true;
    }
    /// Waits until all has run that was put in, whether it has failed or not.
    void settle() const noexcept {
        try {
            (void)idle(true);
        } catch (...) {  // NOLINT(bugprone-empty-catch): whoever waited for it was told.
        }
    }

  private:
    Device& device_;
    std::unique_ptr<DeviceQueue> work_;
    std::unique_ptr<DeviceQueue> hops_;
    std::unique_ptr<DeviceQueue> back_;  ///< null: hops go both ways in one queue
    std::vector<DeviceQueue*> all_;
    std::shared_ptr<DeviceQueue> caller_;
    DeviceQueue::Ticket followed_ = 0;  ///< of the caller's stream
};

}  // namespace weft::core
