// What stands behind the public classes.
#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <vector>

#include "api/arrays.hpp"
#include "api/memory_of_ranks.hpp"
#include "base/no_copy.hpp"
#include "device/device.hpp"
#include "memory/buffer.hpp"
#include "net/mpi.hpp"
#include "plan/environment.hpp"
#include "plan/plan.hpp"
#include "run/device_work.hpp"
#include "run/in_flight.hpp"
#include "run/programs.hpp"
#include "weft/plan.hpp"

namespace weft {

struct Plan::State {
    core::Plan plan;
    std::shared_ptr<core::CommPool> pool;  ///< null: made without MPI
    MPI_Comm comm = MPI_COMM_NULL;         ///< the pool's, of weft alone; null: without MPI
    int rank = 0;
    /// Where it is bound; nodes without MPI are assumed, and arrays are exposed where the plan says
    /// that they are.
    core::Environment environment{};
    bool falls_back_to_messages = false;  ///< where memory cannot be shared
    std::shared_ptr<MemoryOfRanks> known_memory = std::make_shared<MemoryOfRanks>();

    [[nodiscard]] core::Memory memory(int of_rank) const {
        return known_memory->of(of_rank,
                                [&] { return core::memory_of(plan, of_rank, environment); });
    }
};

/// What is taken of memory for a Transform.
struct TransformMemory {
    core::Buffer workspace;  ///< of the host; empty if the caller gave one, or a device computes
    std::unique_ptr<core::DeviceMemory> device_workspace;
    std::unique_ptr<core::DeviceMemory> staging;              ///< with a device
    std::vector<std::unique_ptr<core::DeviceMemory>> pinned;  ///< arrays of the host

    /// Local. The workspace in which the programs run: the given one, where it is of the right
    /// memory and large enough. `device`: null for the host.
    std::byte* take(core::Device* device, const core::Memory& needed, const Workspace& given);
};

/// Who runs the fields of a Transform.
struct FieldRuns {
    /// Of both directions, for each field where they have to know the field's arrays; otherwise for
    /// all, if there are fields.
    std::vector<std::unique_ptr<core::Executor>> executors;
    std::vector<core::Turn> forward;  ///< one for each field
    std::vector<core::Turn> backward;

    [[nodiscard]] std::vector<core::Turn>& turns(bool back) { return back ? backward : forward; }
};

struct Transform::State : core::NoCopy {
    std::shared_ptr<const Plan::State> plan;  ///< that runs
    std::optional<core::MpiNet> net;
    TransformMemory memory;
    std::unique_ptr<core::Programs> programs;
    std::optional<core::Team> team;               ///< of all fields, which take turns
    std::optional<core::DeviceWork> device_work;  ///< where this rank computes on a device
    FieldRuns runs;
    std::optional<ArrayChecks> checks;
    bool has_arrays = false;                  ///< that were bound; otherwise calls are given them
    const core::Device* arrays_of = nullptr;  ///< whose memory the arrays are; null: the host's
    std::optional<core::Execution> execution;

    /// Completes what is started, unless MPI is finalised.
    [[gnu::visibility("hidden")]] ~State();

    /// Collective, once all is bound and connected.
    [[gnu::visibility("hidden")]] void make_execution();
    /// Local. Starts it on the arrays that were bound, on those of a call.
    [[gnu::visibility("hidden")]] void start(bool backward);
    [[gnu::visibility("hidden")]] void run(bool backward);  ///< and waits for it
    [[gnu::visibility("hidden")]] void start_on(bool backward, const detail::ArrayList& in,
                                                const detail::ArrayList& out);
    /// Local; nothing: starts are in order with no stream.
    [[gnu::visibility("hidden")]] void set_stream(std::optional<void*> stream);
};

/// The way of weft's own tools behind the public classes.
struct Internals {
    static const core::Plan& plan(const Plan& plan) { return plan.state_->plan; }
    /// The communicator on which binding it is agreed; null: made without MPI.
    static MPI_Comm comm(const Plan& plan) { return plan.state_->comm; }
    static Plan plan(const Plan::State& state) {
        return Plan(std::make_shared<const Plan::State>(state));
    }
    static const core::Programs& programs(const Transform& transform) {
        return *transform.state_->programs;
    }
    /// Of its only field, on the bound arrays.
    static core::Executor& executor(Transform& transform, bool backward) {
        return *transform.state_->runs.turns(backward).front().executor;
    }
};

/// The list of transforms that this process has started, of whatever communicators they are. It is
/// an attribute of MPI_COMM_SELF, and goes in MPI_Finalize, or with the last who holds it. Local.
std::shared_ptr<core::InFlight> in_flight_of_process();

}  // namespace weft
