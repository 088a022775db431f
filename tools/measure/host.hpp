// The machine that this process runs on, as far as it matters to a measurement. Needs no MPI.
#pragma once

#include <string>

#include "weft/box.hpp"

namespace weft::cli {

/// The widest vectors it has: `avx512`, `avx2`, `avx` or `other`.
std::string vectors();
/// All cores, also where a launcher has bound this process to some of them.
int cores();
/// The data cache of level 1 to 3 that a core sees; a usual size where the system tells none.
Index cache_bytes(int level);

/// The compiler's name and version, and the type of the build.
std::string compiler();

}  // namespace weft::cli
