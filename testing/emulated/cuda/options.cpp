#include "testing/emulated/cuda/options.hpp"

#include <limits>
#include <map>

#include "base/text.hpp"

namespace weft::core::emulated {

namespace {

constexpr const char* variable = "WEFT_EMULATED_DEVICE";

/// Of `name:12`.
Index number_after(const std::string& part, Index most) {
    const Index number = parse_index(part.substr(part.find(':') + 1), variable);
    if (number < 1 || number > most) {
        bad_request(std::string(variable) + ": '" + part + "' is not from 1 to " +
                    std::to_string(most));
    }
    return number;
}

/// Whether it is a word that fake devices do not have.
bool set_own(EmulatedOptions& options, const std::string& part) {
    using Presence = EmulatedOptions::Presence;
    static const std::map<std::string, Presence> presences = {{"none", Presence::no_device},
                                                              {"nodriver", Presence::no_driver},
                                                              {"olddriver", Presence::old_driver}};
    if (const auto found = presences.find(part); found != presences.end()) {
        options.presence = found->second;
    } else if (part.starts_with("memory:")) {
        options.memory = number_after(part, std::numeric_limits<Index>::max());
    } else if (part.starts_with("compute:")) {
        options.compute = static_cast<int>(number_after(part, 999));
    } else if (part.starts_with("units:")) {
        options.units = static_cast<int>(number_after(part, 4096));
    } else if (part.starts_with("nccl:")) {
        options.nccl = static_cast<int>(number_after(part, 99999));
    } else if (part.starts_with("patience:")) {
        options.patience = std::chrono::milliseconds(number_after(part, 86400000));
    } else {
        return false;
    }
    return true;
}

}  // namespace

EmulatedOptions emulated_options(const std::string& text) {
    EmulatedOptions options;
    std::string rest;
    for (const std::string& part : split(text, ',')) {
        if (!part.empty() && !set_own(options, part)) rest += part + ',';
    }
    options.fake = fake_options(rest, variable);
    return options;
}

}  // namespace weft::core::emulated
