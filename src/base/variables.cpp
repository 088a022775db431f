#include "base/variables.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <limits>

namespace weft::core {

std::optional<std::string> variable(const char* name) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') return {};
    return value;
}

void refuse_variable(const char* name, std::string_view value, std::string_view allowed,
                     ErrorCode code) {
    throw Error(code, fmt::format("{} is '{}', but can be {}", name, value, allowed));
}

std::optional<bool> yes_or_no(const char* name) {
    const auto value = variable(name);
    if (!value) return {};
    if (*value != "yes" && *value != "no") refuse_variable(name, *value, "yes or no");
    return *value == "yes";
}

std::optional<int> whole_number(const char* name, int least, int most) {
    const auto value = variable(name);
    if (!value) return {};
    int number = 0;
    const char* last = value->data() + value->size();
    const auto [end, status] = std::from_chars(value->data(), last, number);
    if (status != std::errc() || end != last || number < least || number > most) {
        refuse_variable(name, *value, fmt::format("a whole number from {} to {}", least, most));
    }
    return number;
}

int ranks_per_node_of_environment() {
    return whole_number("WEFT_RANKS_PER_NODE", 1, std::numeric_limits<int>::max()).value_or(0);
}

bool wants_windows_of_mpi() {
    const auto value = variable("WEFT_WINDOWS");
    if (value && *value != "mpi") refuse_variable("WEFT_WINDOWS", *value, "mpi");
    return value.has_value();
}

bool wants_pinned_arrays() { return yes_or_no("WEFT_DEVICE_PIN").value_or(true); }

bool wants_graphs() { return yes_or_no("WEFT_DEVICE_GRAPHS").value_or(true); }

std::optional<bool> said_to_reach_devices() { return yes_or_no("WEFT_DEVICE_MPI"); }

void check_variables() {
    (void)ranks_per_node_of_environment();
    (void)wants_windows_of_mpi();
    (void)wants_pinned_arrays();
    (void)wants_graphs();
    (void)said_to_reach_devices();
}

}  // namespace weft::core
