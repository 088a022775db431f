// From a plan to one rank's program.
#pragma once

#include "plan/plan.hpp"
#include "program/program.hpp"

namespace weft::core {

/// The operations of `rank`. Pure: any rank of any plan, without MPI.
Program lower(const Plan& plan, int rank);

}  // namespace weft::core
