// A small generator whose numbers are the same on every platform and for every seed
// (splitmix64: a counter passed through a mixing function), so that a seed names a test.
#pragma once

#include <cstdint>
#include <vector>

#include "base/index.hpp"
#include "weft/box.hpp"

namespace weft::core {

/// The mixing function of splitmix64.
std::uint64_t mix(std::uint64_t x);

class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(mix(seed)) {}

    std::uint64_t next();
    /// Uniform in low .. high, both included.
    Index between(Index low, Index high);
    /// True once in n times, on average.
    bool once_in(int n) { return between(1, n) == 1; }

    template <class T>
    const T& pick(const std::vector<T>& items) {
        return items[usize(between(0, static_cast<Index>(items.size()) - 1))];
    }
    template <class T>
    void shuffle(std::vector<T>& items) {
        for (std::size_t i = items.size(); i > 1; --i) {
            std::swap(items[i - 1], items[usize(between(0, static_cast<Index>(i) - 1))]);
        }
    }

  private:
    std::uint64_t state_;
};

}  // namespace weft::core
