// A text in a file that many processes change: none sees a part of it, and none loses a change.
#pragma once

#include <string>

#include "base/function_ref.hpp"

namespace weft {

/// All that is in the file; empty if there is none. Throws Error(system) that names it if it cannot
/// be read, is no file, or has more than 256 MiB.
std::string read_text_file(const std::string& path);

/// All that is in the file, or comes through a pipe (`--machine <(program)`). Throws as
/// read_text_file does, and if there is no such file.
std::string read_existing_text_file(const std::string& path);

/// Replaces the text in one step, without a lock: for a file that one process writes. Readers see
/// the text before or after; the file keeps its rights, and a symbolic link stays one. Throws
/// Error(system) that names the file and says why, and leaves the text as it is.
void replace_text_file(const std::string& path, const std::string& text);

/// Seconds that a process waits for another one that holds the lock of a file.
constexpr double lock_patience = 10;

/// Replaces the text by what `change` makes of it. Processes and threads that do so at the same
/// time take turns: they lock `PATH.lock`, which stays. Readers see the text before or after. The
/// folder is made if there is none; a symbolic link stays one.
/// Throws Error(system) that names the file and says why, and leaves the text as it is, if it
/// cannot be read or written (a full disk, a folder that is read-only, what is no file, another
/// process that holds the lock for longer than `patience`, of which it gets a tenth of a second at
/// least and lock_patience at most); and what `change` throws.
void change_text_file(const std::string& path,
                      core::FunctionRef<std::string(const std::string&)> change,
                      double patience = lock_patience);

}  // namespace weft
