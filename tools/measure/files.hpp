// Files that verbs write and read.
#pragma once

#include <string>

namespace weft::cli {

/// Writes to stderr. What becomes of that does not matter: fmt::print would throw where it cannot
/// be written, in the midst of another error.
void say_error(const std::string& text);

/// Throws Error(system) that names the file and says why, if it cannot be written or read.
void write_file(const std::string& path, const std::string& text);
/// The same in one step: a process that is stopped leaves the file as it was.
void replace_file(const std::string& path, const std::string& text);
/// Throws as write_file() does if that could not write the file; leaves the file as it is.
void require_writable(const std::string& path);
std::string read_file(const std::string& path);

}  // namespace weft::cli
