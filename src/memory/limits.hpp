// What the system still gives this process.
#pragma once

#include <string>

#include "weft/box.hpp"

namespace weft::core {

/// Bytes that this machine, or the container's share of it, could still give; very many if that
/// cannot be told.
Index available_memory();
/// Bytes that are free in /dev/shm, where MPI keeps shared memory; very many if that cannot be
/// told.
Index free_shared_memory();
/// Whether the system promises so many bytes of private memory: shared memory is promised without
/// limit.
bool is_promised(Index bytes);
/// Whether this process has so many free addresses in one piece (RLIMIT_AS, `ulimit -v`).
bool has_addresses(Index bytes);
/// Whether this process may open so many more files (RLIMIT_NOFILE, `ulimit -n`).
bool has_descriptors(int files);
/// How many files this process may have open.
Index most_descriptors();
/// The largest file that this process may make (RLIMIT_FSIZE, `ulimit -f`).
Index most_file_bytes();
/// The limits of this process that shared memory is subject to, with the commands that show them.
std::string limits_text();

}  // namespace weft::core
