// The exchange methods as named values: choice.via = weft::via::alltoallw. `weft methods` describes
// each one, its requirements, and whether it can run. Some take a number in their text, as
// "kway(3)".
#pragma once

namespace weft::via {

#define WEFT_TRANSPORT(id, name, ...) inline constexpr const char* id = name;
#define WEFT_METHOD(id, name, ...) inline constexpr const char* id = name;
#include "weft/methods.def"

/// The fastest method, found by timing all when the plan is made.
inline constexpr const char* fastest = "auto";

}  // namespace weft::via
