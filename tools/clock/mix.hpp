// Hashes of sequences of numbers.
#pragma once

#include <cstdint>

namespace weft::core {

/// The hash of a sequence whose hash was `hash`, with one number more.
constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t number) {
    hash ^= number + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2);
    hash *= 0xff51afd7ed558ccdULL;
    return hash ^ (hash >> 32);
}

}  // namespace weft::core
