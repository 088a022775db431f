// The option --machine: a description that weft has by name, or a file.
#pragma once

#include <string>

#include "model/machine_file.hpp"

namespace weft::cli {

/// A name, or the path of a file: it ends in .json or has a slash.
core::Machine machine_of(const std::string& name_or_path);
/// With the names that there are.
std::string machine_option_help();

}  // namespace weft::cli
