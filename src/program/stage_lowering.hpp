// What one stage of a plan does on one rank.
#pragma once

#include <vector>

#include "program/chain.hpp"
#include "program/lower_fused.hpp"

namespace weft::core {

/// Adds the steps of that stage to the chain.
void lower_stage(const Plan& plan, const ArrayUse& use, int rank, int stage, FusedLowering& fused,
                 Chain& chain);
/// All of them.
void lower_stages(const Plan& plan, const ArrayUse& use, int rank, FusedLowering& fused,
                  Chain& chain);

}  // namespace weft::core
