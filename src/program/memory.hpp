// The memory that the transforms of a plan need on one rank besides the caller's arrays.
#pragma once

#include <vector>

#include "plan/environment.hpp"
#include "plan/plan.hpp"
#include "program/program.hpp"

namespace weft::core {

/// Forward and backward share it.
struct Memory {
    Index workspace_bytes = 0;
    std::vector<Index> region_bytes;  ///< of each work region

    [[nodiscard]] Index all_region_bytes() const;
    bool operator==(const Memory&) const = default;
};

Memory memory_of(const Program& forward, const Program& backward);
/// Of the plan and its reverse on that rank, by their outlines.
Memory memory_of(const Plan& plan, int rank, const Environment& environment = {});

}  // namespace weft::core
