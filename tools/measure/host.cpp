#include "measure/host.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.hpp"
#include "memory/processor.hpp"

namespace weft::cli {

std::string vectors() {
    const std::vector<std::string> flags = core::words(core::about_processor("flags"));
    const auto has = [&](const char* flag) {
        return std::find(flags.begin(), flags.end(), flag) != flags.end();
    };
    if (has("avx512f")) return "avx512";
    if (has("avx2")) return "avx2";
    return has("avx") ? "avx" : "other";
}

int cores() { return std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN))); }

Index cache_bytes(int level) {
    struct Cache {
        int name;
        Index usual;
    };
    constexpr std::array<Cache, 3> caches = {{{_SC_LEVEL1_DCACHE_SIZE, Index{32} << 10},
                                              {_SC_LEVEL2_CACHE_SIZE, Index{1} << 20},
                                              {_SC_LEVEL3_CACHE_SIZE, Index{32} << 20}}};
    const Cache& cache = caches.at(static_cast<std::size_t>(level - 1));
    const Index bytes = sysconf(cache.name);
    return bytes > 0 ? bytes : cache.usual;
}

std::string compiler() { return WEFT_COMPILER ", " WEFT_BUILD_TYPE; }

}  // namespace weft::cli
