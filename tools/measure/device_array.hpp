// An array in a device's memory, and a copy of it on the host, for what reads and writes elements.
//
//     DeviceArray array(core::device("cuda"), 800, "input");
//     fill(array.mirror());
//     array.put();              // from the mirror to the device
//     transform(array.data());
//     array.fetch();            // from the device to the mirror
//     look_at(array.mirror());
#pragma once

#include <memory>
#include <string>

#include "device/device.hpp"
#include "memory/buffer.hpp"

namespace weft::cli {

class DeviceArray {
  public:
    /// Throws Error(system) if the device has not so much memory.
    DeviceArray(core::Device& device, Index bytes, const std::string& name);

    /// Of memory of the device that somebody else has allocated, and frees after this.
    DeviceArray(core::Device& device, std::byte* data, Index bytes, const std::string& name);

    /// On the device.
    [[nodiscard]] std::byte* data() const { return data_; }
    [[nodiscard]] Index bytes() const { return bytes_; }
    /// On the host; what it holds is undefined until `fetch`. Allocated when it is first asked for.
    [[nodiscard]] std::byte* mirror();
    void put();
    void fetch();
    /// Zeros on the device; gives the mirror back.
    void clear();

  private:
    core::Device& device_;
    std::unique_ptr<core::DeviceMemory> memory_;  ///< null: somebody else's
    std::byte* data_;
    Index bytes_;
    std::unique_ptr<core::DeviceQueue> queue_;
    core::Buffer mirror_;
};

}  // namespace weft::cli
