// The files of machines/, which are compiled in so that they are known by name anywhere.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace weft::core {

/// Name and JSON of each, ascending by name. CMake makes the definition (src/model/machines.cmake).
const std::vector<std::pair<std::string_view, std::string_view>>& machine_texts();

}  // namespace weft::core
