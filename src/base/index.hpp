// Indices of weft are signed, those of the standard library are not.
#pragma once

#include <concepts>
#include <cstddef>

namespace weft::core {

/// A number that is not negative, as std::size_t: `box.lo[usize(axis)]`.
constexpr std::size_t usize(std::integral auto number) { return static_cast<std::size_t>(number); }

}  // namespace weft::core
