// The programs of both directions of a plan on one rank.
#pragma once

#include "net/net.hpp"
#include "plan/environment.hpp"
#include "plan/plan.hpp"
#include "program/program.hpp"

namespace weft::core {

/// The programs of one rank for a plan and its reverse, and the memory that they share.
struct Programs {
    Program forward;
    Program backward;
    Memory memory;

    Programs(const Plan& plan, int rank, const Environment& environment = {});
    /// Collective over the net: joins all groups, in the order of the operations.
    void join(Net& net) const;
    /// Collective, after that: the work regions. Throws on all ranks if there is no memory for
    /// them.
    void share(Net& net) const;
};

}  // namespace weft::core
