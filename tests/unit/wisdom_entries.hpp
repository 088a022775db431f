// Entries of wisdom to try things on.
#pragma once

#include <fmt/format.h>

#include "tune/wisdom.hpp"
#include "weft/problem.hpp"

namespace weft::core::test {

/// Two ranks on one node, tuned on that day of May 2024.
inline WisdomEntry entry_of(const std::string& problem, int day = 10) {
    WisdomEntry entry;
    entry.key.problem = weft::to_string(parse_problem(problem));
    entry.key.ranks = 2;
    entry.key.site = {"Z80", "AVX2", "Open MPI v4.1.4", 1, 2, "block", 1, "1.2.3"};
    entry.choice = "decomposition=slab; via=alltoallv; engine=native";
    entry.evidence = {fmt::format("2024-05-{:02}T12:00:00Z", day),
                      "measure",
                      1.5,
                      20,
                      {2e-3, 1.9e-3, 2.2e-3, 9},
                      {{"via=alltoallw", Measured{3e-3, 2.8e-3, 3.5e-3, 3}, ""},
                       {"via=cma", std::nullopt, "not possible here"}}};
    return entry;
}

inline Wisdom wisdom_of(const std::vector<WisdomEntry>& entries) {
    Wisdom wisdom;
    for (const WisdomEntry& entry : entries) merge(wisdom, entry);
    return wisdom;
}

}  // namespace weft::core::test
