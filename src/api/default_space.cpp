#include "api/default_space.hpp"

#include <fmt/format.h>

#include "base/variables.hpp"
#include "weft/error.hpp"

namespace weft {

std::optional<Space> default_space() {
    const auto value = core::variable("WEFT_SPACE");
    if (!value) return {};
    try {
        return parse_space(*value);
    } catch (const Error& error) {
        throw Error(error.code(), fmt::format("WEFT_SPACE is '{}': {}", *value, error.what()));
    }
}

}  // namespace weft
