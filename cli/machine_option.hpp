// The option --machine: a description that weft has by name, or a file.
#pragma once

#include <string>

namespace weft::cli {

/// With the names that there are.
std::string machine_option_help();

}  // namespace weft::cli
