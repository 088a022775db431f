// The queues of a device, as the programs of one transform use them.
#pragma once

#include <exception>
#include <memory>

#include "device/device.hpp"
#include "program/program.hpp"

namespace weft::core {

/// Programs that use it run one after the other: each has left its queues empty when it is done.
class DeviceWork {
  public:
    /// The device outlives it.
    explicit DeviceWork(Device& device)
        : device_(device), work_(device.queue("work")), hops_(device.queue("hops")) {}

    [[nodiscard]] Device& device() const { return device_; }
    /// Null for the queue of exchanges, which are the host's.
    [[nodiscard]] DeviceQueue* queue(Queue queue) const {
        if (queue == Queue::exchange) return nullptr;
        return queue == Queue::work ? work_.get() : hops_.get();
    }
    /// Whether all has run that was put in. Then it throws what some of it has thrown: whoever
    /// called may free what the work of any queue refers to.
    [[nodiscard]] bool idle(bool block) const {
        std::exception_ptr failure;
        for (DeviceQueue* queue : {work_.get(), hops_.get()}) {
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
};

}  // namespace weft::core
