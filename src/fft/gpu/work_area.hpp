// Memory on a device in which plans work that run one after the other.
#pragma once

#include <memory>

#include "device/device.hpp"

namespace weft::core {

class WorkArea {
  public:
    explicit WorkArea(Device& device) : device_(device) {}

    /// The bytes up to where another part of the area may start.
    static Index rounded(Index bytes) { return (bytes + 255) / 256 * 256; }

    [[nodiscard]] Device& device() const { return device_; }
    /// From now on there are so many bytes at least; none of the plans that use it is running.
    void require(Index bytes) {
        if (memory_ != nullptr && memory_->bytes() >= bytes) return;
        if (bytes == 0) return;
        memory_.reset();
        memory_ = device_.allocate(bytes, "transforms' work area");
    }
    [[nodiscard]] Index bytes() const { return memory_ ? memory_->bytes() : 0; }
    /// Where it is now: the next require() may move it. Null if nothing was required.
    [[nodiscard]] std::byte* data() const { return memory_ ? memory_->data() : nullptr; }

  private:
    Device& device_;
    std::unique_ptr<DeviceMemory> memory_;
};

}  // namespace weft::core
