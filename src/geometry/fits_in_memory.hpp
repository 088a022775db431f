// Whether arrays with padding or strides of the caller's can be addressed.
#pragma once

#include <string_view>

#include "geometry/layout.hpp"

namespace weft::core {

/// Throws Error(bad_request) if padding or strides make arrays of more than 2^62 bytes, or lay
/// elements of one box on top of each other. `end`: `in` or `out`, for the message.
void check_fits_in_memory(const Layout& layout, std::string_view end);

}  // namespace weft::core
