// The bytes of a message by themselves, for nets of one process.
#pragma once

#include <cstddef>
#include <vector>

#include "base/work.hpp"

namespace weft::core {

/// The elements of slices in the order in which they travel.
std::vector<std::byte> gathered(const std::vector<Slice>& slices, Index element_bytes,
                                const std::byte* from);
/// The reverse, of a message to `rank`. Throws Error(system) if it has another length.
void deliver(const std::vector<std::byte>& bytes, const Message& receive, Index element_bytes,
             int rank, std::byte* to);

}  // namespace weft::core
