// Which version of a library an engine has.
#pragma once

#include <string>
#include <string_view>

namespace weft::study {

/// What the library that is loaded says of itself; weft's own version for its own engines, empty
/// where nothing is known.
std::string engine_version(std::string_view engine);

}  // namespace weft::study
