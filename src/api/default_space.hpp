// Where plans are computed whose text does not say it.
#pragma once

#include <optional>

#include "weft/choice.hpp"

namespace weft {

/// What WEFT_SPACE says; nothing if it is not set. Throws Error(bad_request) that quotes the
/// variable if its value is no space.
std::optional<Space> default_space();

}  // namespace weft
