// What stands behind the public classes.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <vector>

#include "api/memory_of_ranks.hpp"
#include "base/topology.hpp"
#include "memory/buffer.hpp"
#include "net/mpi.hpp"
#include "plan/plan.hpp"
#include "run/binding.hpp"
#include "run/started.hpp"
#include "weft/plan.hpp"

namespace weft {

struct Plan::State {
    core::Plan plan;
    MPI_Comm comm = MPI_COMM_NULL;  ///< null: made without MPI
    int rank = 0;
    core::Topology topology{};            ///< without MPI: assumed
    bool falls_back_to_messages = false;  ///< where memory cannot be shared
    std::shared_ptr<MemoryOfRanks> known_memory = std::make_shared<MemoryOfRanks>();

    [[nodiscard]] core::Memory memory(int of_rank) const {
        return known_memory->of(of_rank,
                                [&] { return core::memory_of(plan, of_rank, {topology}); });
    }
};

struct Transform::State {
    std::optional<core::MpiNet> net;
    core::Buffer workspace;  ///< empty if the caller gave one
    std::unique_ptr<core::Programs> programs;
    std::optional<core::Team> team;  ///< of all fields, which take turns
    std::vector<std::unique_ptr<core::Binding>> fields;
    std::optional<core::Instance> instance;  ///< of all fields

    State() = default;
    /// Completes what is started, unless MPI is finalised.
    [[gnu::visibility("hidden")]] ~State();
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    /// Collective, once the fields are connected.
    [[gnu::visibility("hidden")]] void make_instance();
};

/// The way of weft's own tools behind the public classes.
struct Internals {
    static const core::Plan& plan(const Plan& plan) { return plan.state_->plan; }
    static Plan plan(const Plan::State& state) {
        return Plan(std::make_shared<const Plan::State>(state));
    }
    static const core::Programs& programs(const Transform& transform) {
        return *transform.state_->programs;
    }
    /// Of its only field.
    static core::Binding& binding(Transform& transform) {
        return *transform.state_->fields.front();
    }
};

}  // namespace weft
