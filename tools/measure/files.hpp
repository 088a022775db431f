// Files that verbs write and read.
#pragma once

#include <string>

namespace weft::cli {

/// Throws Error(system) that names the file and says why, if it cannot be written or read.
void write_file(const std::string& path, const std::string& text);
std::string read_file(const std::string& path);

}  // namespace weft::cli
