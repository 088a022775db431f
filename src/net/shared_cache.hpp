// Whether the ranks of a node reach each other's results in a cache.
#pragma once

#include <optional>

#include "weft/box.hpp"

namespace weft::core {

class CommPool;
struct PooledGroup;

/// This rank's share, in bytes, of the last cache of its core, if others of its node read there
/// what it has written faster than they read it in memory; 0 if not. Measured the first time, in
/// some 100 microseconds, and kept with the pool: what the processor says of its caches is not
/// enough, since virtual machines say it of cores that are far apart. Collective, but without
/// communication once it is known.
Index shared_cache(PooledGroup& all);
Index shared_cache(CommPool& pool);
/// Local: nothing on all ranks before it was measured.
std::optional<Index> known_shared_cache(const CommPool& pool);

}  // namespace weft::core
