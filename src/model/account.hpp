// What the operations of a program do to memory, and how much they compute.
#pragma once

#include <vector>

#include "base/cost.hpp"
#include "program/program.hpp"

namespace weft::core {

std::vector<Account> accounts(const Program& program);

/// Bytes in other ranks' memory that an operation reads or writes.
Index far_bytes(const Operation& operation);

}  // namespace weft::core
