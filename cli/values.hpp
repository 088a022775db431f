// The values that options take, from the tables that read them: what shells complete by.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft::cli {

/// Of an option as `--pack`, by the word that help has for what it takes. A value that goes on in
/// parentheses ends with them open: `slab(`. Empty if any number, file or name will do.
std::vector<std::string> values_of(const std::string& option);

}  // namespace weft::cli
