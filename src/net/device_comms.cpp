#include "net/device_comms.hpp"

#include <fmt/format.h>

#include "base/devices.hpp"

namespace weft::core {

namespace {

using Find = const DeviceComms& (*)();

#define WEFT_FOUND_COMMS_1(name) &name##_comms
#define WEFT_FOUND_COMMS_0(name) nullptr
#define WEFT_JOIN_COMMS(a, b) a##b
#define WEFT_FOUND_COMMS(name, has) WEFT_JOIN_COMMS(WEFT_FOUND_COMMS_, has)(name)

/// By the table; null: this build has none.
constexpr std::array<Find, device_table.size()> found = {
#define WEFT_DEVICE(name, ...) WEFT_FOUND_COMMS(name, WEFT_HAS_COMMS_##name),
#include "base/devices.def"
};

/// `cuda, emulated`: the devices that have some here.
std::string devices_with_comms() {
    std::string text;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i] == nullptr) continue;
        text += (text.empty() ? "" : ", ") + std::string(device_table[i].name);
    }
    return text;
}

}  // namespace

const DeviceComms* device_comms(std::string_view device) {
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (device_table[i].name == device) return found[i] == nullptr ? nullptr : &found[i]();
    }
    return nullptr;
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
    return fmt::format("space={} has none in this build; {} has", device, with);
}

}  // namespace weft::core
