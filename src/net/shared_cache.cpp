#include "net/shared_cache.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <numeric>
#include <optional>
#include <sstream>
#include <string>

#include "base/index.hpp"
#include "net/agree.hpp"
#include "net/mpi.hpp"
#include "net/mpi_region.hpp"
#include "net/node_ranks.hpp"
#include "weft/error.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace weft::core {

namespace {

constexpr Index measured_bytes = Index{1} << 16;
/// Behind them is the number of the core that wrote them.
constexpr Index room = measured_bytes + 64;

/// How many numbers a list like "0-3,8" names.
int count_of(const std::string& list) {
    std::istringstream text(list);
    int count = 0;
    for (std::string range; std::getline(text, range, ',');) {
        int first = 0;
        int last = 0;
        char dash = 0;
        std::istringstream numbers(range);
        if (!(numbers >> first)) return 0;
        count += numbers >> dash >> last ? last - first + 1 : 1;
    }
    return count;
}

/// A rank's share of this core's last cache, where so many ranks are on the node; 0 if the system
/// does not say. A virtual machine may name a cache of a whole processor, of which it has a few cores.
Index share_of_last_cache(int ranks) {
    const std::string folder =
        fmt::format("/sys/devices/system/cpu/cpu{}/cache/index3/", sched_getcpu());
    std::ifstream size(folder + "size");
    Index kilobytes = 0;
    std::string cores;
    if (!(size >> kilobytes) || !(std::ifstream(folder + "shared_cpu_list") >> cores)) return 0;
    constexpr Index most = Index{32} << 20;
    return std::min((kilobytes << 10) / std::clamp(count_of(cores), 1, ranks), most);
}

#ifdef __SSE2__
void write(std::byte* memory, bool past_caches) {
    const __m128i ones = _mm_set1_epi32(1);
    auto* to = reinterpret_cast<__m128i*>(memory);
    auto* end = reinterpret_cast<__m128i*>(memory + measured_bytes);
    for (; to != end; ++to) past_caches ? _mm_stream_si128(to, ones) : _mm_store_si128(to, ones);
    if (past_caches) _mm_sfence();
}
#else
/// There are no stores past the caches that could be slower.
void write(std::byte* /*memory*/, bool /*past_caches*/) {}
#endif

int& core_of(std::byte* memory) { return *reinterpret_cast<int*>(memory + measured_bytes); }

std::uint64_t sum(const std::byte* memory) {
    const auto* numbers = reinterpret_cast<const std::uint64_t*>(memory);
    std::uint64_t sums[8] = {};
    for (Index i = 0; i < measured_bytes / 8; ++i) sums[i % 8] += numbers[i];
    return std::accumulate(std::begin(sums), std::end(sums), std::uint64_t{0});
}

template <class Work>
double seconds(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The least seconds in which this rank writes its region and reads those of two others, of which
/// one is as far away by number as any. A time does not count where both were on one core, as
/// ranks may be that no launcher has bound; nothing if none does.
std::optional<double> seconds_of(MPI_Comm all, const MpiRegion& region, bool past_caches) {
    const NodeRanks& node = region.node();
    std::byte* own = region.of_place(node.rank());
    std::optional<double> least;
    for (int turn = 0; turn < 4; ++turn) {
        double taken = 0;
        all_or_none(all, [&] {
            taken += seconds([&] { write(own, past_caches); });
            core_of(own) = sched_getcpu();
        });
        volatile std::uint64_t read = 0;
        bool apart = true;
        const auto read_of = [&](int distance) {
            std::byte* other = region.of_place((node.rank() + distance) % node.size());
            apart = apart && core_of(other) != sched_getcpu();
            read = read + sum(other);
        };
        all_or_none(all, [&] {
            taken += seconds([&] {
                read_of(1);
                if (node.size() > 3) read_of(node.size() / 2);
            });
        });
        if (apart) least = std::min(least.value_or(taken), taken);
    }
    return least;
}

Index measured(PooledGroup& all) {
    const auto node = node_ranks(all);
    const MpiRegion region(all.comm, node, room);
    const std::optional<double> cached = seconds_of(all.comm, region, false);
    const std::optional<double> in_memory = seconds_of(all.comm, region, true);
    constexpr double clearly = 0.8;
    Index share = 0;
    all_or_none(all.comm, [&] {
        if (cached && in_memory && *cached < clearly * *in_memory)
            share = share_of_last_cache(node->size());
    });
    return share;
}

}  // namespace

Index shared_cache(PooledGroup& all) {
    if (all.shared_cache) return *all.shared_cache;
    try {
        all.shared_cache = measured(all);
    } catch (const Error&) {  // On all ranks: no room for the regions.
        all.shared_cache = 0;
    }
    return *all.shared_cache;
}

}  // namespace weft::core
