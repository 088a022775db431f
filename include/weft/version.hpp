// The version of weft.
#pragma once

#include <string>

#define WEFT_VERSION_MAJOR 0
#define WEFT_VERSION_MINOR 2
#define WEFT_VERSION_PATCH 0

#pragma GCC visibility push(default)

namespace weft {

/// The version of the library that is linked, such as `0.2.0`.
std::string version();

}  // namespace weft

#pragma GCC visibility pop
