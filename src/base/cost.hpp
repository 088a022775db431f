// What serial work costs a core: what it reads, writes and computes, and how long that takes at a
// core's rates. The model prices plans by it, and threads share what is worth waking them.
//
// Units: seconds, bytes, bytes a second, flops a second.
//
// Example: 64 lines of 1024 complex numbers, out of place, are 64 * 5 * 1024 * 10 flops and read and
// write 1 MiB each. At 11e9 flops a second, and 4e9 bytes a second where 1 MiB is all that the cache
// holds, that is 0.30 ms of arithmetic and 0.52 ms of memory.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/transforms.hpp"

namespace weft::core {

/// Of one rank. What an operation reads and writes counts together.
struct MemoryRates {
    double cache = 0;      ///< bytes that an operation reads and writes without reaching memory
    double copy_rate = 1;  ///< of contiguous copies, and of transforms beyond the cache
    double pack_rate = 1;  ///< of copies that permute axes
    /// Of copies in the cache; nothing where these take no time that counts.
    std::optional<double> cache_rate{};
    bool operator==(const MemoryRates&) const = default;
};

/// Of one rank's serial transforms by the usual count, 5 n log2 n of a complex line of n.
struct EngineRates {
    double rate = 1;    ///< double precision, in the cache, no prime factor of n above 7
    double rough = 1;   ///< times this where n has a prime factor above 7
    double single = 1;  ///< times this in single precision
    std::string instruction_set{};
    bool operator==(const EngineRates&) const = default;
};

/// Of an engine on one core; a core of which nothing is known is so slow that all work counts.
struct CoreRates {
    EngineRates engine{};
    MemoryRates memory{};
};

/// Of one operation. Scratch memory, which stays in the caches, does not count; nor does what MPI
/// copies within.
struct Account {
    Index read = 0;     ///< bytes
    Index written = 0;  ///< bytes
    /// By the length of the lines: 5 n log2 n for each complex line of n, half of it for real ones.
    std::map<Index, double> flops;

    /// So many elements of lines of that length.
    void add_flops(Index elements, Index length, bool real);
    /// `reads`, `writes`: whether that side is memory at all.
    void add(const FftTask& task, bool reads, bool writes);
    bool operator==(const Account&) const = default;
};

/// All of a task's flops, by the usual count.
double flops(const FftTask& task);

/// Whether a length has no prime factor above 7.
bool smooth(Index n);
/// Seconds of so many flops on lines of that length.
double flop_seconds(const EngineRates& rates, double flops, Index length, bool single);
/// Seconds that memory adds to an operation that reads and writes so many bytes together: none
/// where they stay in the cache.
double pass_seconds(const MemoryRates& memory, double bytes);
/// Seconds that memory adds to an operation on so many bytes, which is part of a pass over `whole`
/// bytes: none where all of these stay in the cache.
double pass_seconds(const MemoryRates& memory, double bytes, double whole);
/// Seconds of a copy of so many bytes, read and written together, at that rate where they leave the
/// cache.
double copy_seconds(const MemoryRates& memory, double bytes, double rate);
/// Seconds of a task by itself.
double seconds(const FftTask& task, const CoreRates& rates);

}  // namespace weft::core
