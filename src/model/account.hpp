// What the operations of a program do to memory, and how much they compute.
#pragma once

#include <map>
#include <vector>

#include "program/program.hpp"

namespace weft::core {

/// Of one operation. Scratch memory, which stays in the caches, does not count; nor does what MPI
/// copies within.
struct Account {
    Index read = 0;     ///< bytes
    Index written = 0;  ///< bytes
    /// By the length of the lines: 5 n log2 n for each complex line of n, half of it for real ones.
    std::map<Index, double> flops;
    bool operator==(const Account&) const = default;
};

std::vector<Account> accounts(const Program& program);

}  // namespace weft::core
