// Indices of weft are signed, those of the standard library are not.
#pragma once

#include <concepts>
#include <cstddef>
#include <numeric>
#include <vector>

namespace weft::core {

/// A number that is not negative, as std::size_t: `box.lo[usize(axis)]`.
constexpr std::size_t usize(std::integral auto number) { return static_cast<std::size_t>(number); }

/// 0, 1, .. below that number: all axes, all ranks.
inline std::vector<int> all_below(std::integral auto number) {
    std::vector<int> all(usize(number));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

}  // namespace weft::core
