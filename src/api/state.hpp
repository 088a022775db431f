// What stands behind the public classes.
#pragma once

#include <mpi.h>

#include <optional>

#include "net/mpi.hpp"
#include "plan/plan.hpp"
#include "run/binding.hpp"
#include "weft/plan.hpp"

namespace weft {

struct Plan::State {
    core::Plan plan;
    MPI_Comm comm = MPI_COMM_NULL;  ///< null: made without MPI
    int rank = 0;
};

struct Transform::State {
    core::MpiNet net;
    std::optional<core::Binding> binding;

    explicit State(MPI_Comm comm) : net(comm) {}
};

/// The way of weft's own tools behind the public classes.
struct Internals {
    static const core::Plan& plan(const Plan& plan) { return plan.state_->plan; }
    static core::Binding& binding(Transform& transform) { return *transform.state_->binding; }
    /// Plan::bind for arrays whose element types only the plan knows. Collective.
    static Transform bind(const Plan& plan, std::byte* in, std::byte* out);
};

}  // namespace weft
