// Memory of other processes of this machine, read through the kernel: Linux's cross-memory attach.
#pragma once

#include <cstddef>
#include <string>

#include "weft/box.hpp"

namespace weft::core {

/// Why this system does not let a process read another one's memory, and what would help; empty if
/// it seems to let it.
std::string why_no_cross_memory();

/// Reads so many bytes at an address of another process. Throws Error(system) that quotes the
/// system.
void read_memory(int process, const std::byte* address, std::byte* to, Index bytes);

}  // namespace weft::core
