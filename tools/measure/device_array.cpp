#include "measure/device_array.hpp"

#include <algorithm>

namespace weft::cli {

DeviceArray::DeviceArray(core::Device& device, Index bytes, const std::string& name)
    : device_(device),
      memory_(device.allocate(bytes, name)),
      data_(memory_->data()),
      bytes_(memory_->bytes()),
      queue_(device.queue(name)) {}

DeviceArray::DeviceArray(core::Device& device, std::byte* data, Index bytes,
                         const std::string& name)
    : device_(device), data_(data), bytes_(bytes), queue_(device.queue(name)) {}

std::byte* DeviceArray::mirror() {
    if (mirror_.data() == nullptr) mirror_ = core::Buffer(bytes());
    return mirror_.data();
}

void DeviceArray::put() { queue_->wait(queue_->copy(mirror(), data(), bytes(), "put")); }

void DeviceArray::fetch() { queue_->wait(queue_->copy(data(), mirror(), bytes(), "fetch")); }

void DeviceArray::clear() {
    const auto kernel = device_.clearing(bytes());
    const auto clearing = [&](const core::DeviceView& view) {
        if (kernel) {
            kernel->run(view, nullptr, data());
        } else {
            std::fill_n(view.reach(data()), bytes(), std::byte{0});
        }
    };
    queue_->wait(queue_->launch(clearing, "clear"));
    mirror_ = core::Buffer();
}

}  // namespace weft::cli
