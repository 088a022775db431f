// The queues of a device, as the programs of one transform use them.
#pragma once

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
    /// Whether all is done that was put in; throws what it has thrown.
    [[nodiscard]] bool idle(bool block) const {
        for (DeviceQueue* queue : {work_.get(), hops_.get()}) {
            if (block) queue->wait(queue->last());
            if (!queue->done(queue->last())) return false;
        }
        return true;
    }

  private:
    Device& device_;
    std::unique_ptr<DeviceQueue> work_;
    std::unique_ptr<DeviceQueue> hops_;
};

}  // namespace weft::core
