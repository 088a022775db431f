#include "net/device_comms.hpp"

#include <fmt/format.h>

#include "device/devices.hpp"

namespace weft::core {

namespace {

/// `cuda, hip`: the devices that have some here.
std::string devices_with_comms() {
    std::string text;
    for (const DeviceKind* kind : device_kinds()) {
        if (kind->comms == nullptr) continue;
        text += (text.empty() ? "" : ", ") + std::string(kind->name);
    }
    return text;
}

}  // namespace

const DeviceComms* device_comms(std::string_view device) {
    const DeviceKind* kind = find_device_kind(device);
    return kind == nullptr || kind->comms == nullptr ? nullptr : &kind->comms();
}

std::string why_no_device_comms(std::string_view device) {
    if (device_comms(device) != nullptr) return "";
    const std::string with = devices_with_comms();
    if (with.empty()) {
        return "this weft was built without NCCL: install it beside CUDA (or RCCL beside HIP) and "
               "build again";
    }
    if (device.empty()) {
        return fmt::format("the plan is computed on the host; say space= and one of {}", with);
    }
    return fmt::format("space={} has neither NCCL nor RCCL in this build; {} has", device, with);
}

}  // namespace weft::core
