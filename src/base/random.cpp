#include "base/random.hpp"

namespace weft::core {

std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31U);
}

std::uint64_t Random::next() { return mix(state_++); }

Index Random::between(Index low, Index high) {
    const auto span = static_cast<std::uint64_t>(high - low) + 1;
    return low + static_cast<Index>(next() % span);
}

}  // namespace weft::core
