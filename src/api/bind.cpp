// Binding a plan to arrays: every step is agreed on by all ranks before the next.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "api/bound_arrays.hpp"
#include "api/bound_device.hpp"
#include "api/state.hpp"
#include "base/function_ref.hpp"
#include "base/index.hpp"
#include "base/text.hpp"
#include "exchange/via.hpp"
#include "model/default_plan.hpp"
#include "net/agree.hpp"
#include "net/mpi.hpp"
#include "net/shared_cache.hpp"
#include "plan/fuse.hpp"
#include "plan/placement.hpp"
#include "program/lower.hpp"
#include "run/programs.hpp"
#include "weft/plan.hpp"

namespace weft {

using core::bad_request;

namespace {

/// Whether a redistribution of the plan goes by a transport that makes use of buffers that stay the same.
bool has_fixed_buffers(const core::Plan& plan) {
    return std::any_of(plan.stages.begin(), plan.stages.end(), [](const core::Stage& stage) {
        const auto* redistribution = std::get_if<core::RedistributionStage>(&stage);
        return redistribution != nullptr &&
               core::transport(core::message_transport(redistribution->via)).fixed_buffers;
    });
}

/// What is done to bind a plan, in steps on which the ranks agree one by one.
class Binder {
  public:
    /// `arrays`: of what memory those of calls are, if none are taken.
    Binder(const std::shared_ptr<const Plan::State>& plan, Memory arrays)
        : plan_(plan), device_(*plan, arrays) {}

    /// Collective. `check` is run on each rank before anything is shared.
    std::unique_ptr<Transform::State> bind(std::size_t fields, const Workspace& workspace,
                                           core::FunctionRef<void(ArrayChecks&)> check);
    /// Local, in `check`: the arrays that are bound.
    void take(const detail::ArrayList& in, const detail::ArrayList& out) { arrays_.take(in, out); }

  private:
    [[nodiscard]] const core::Plan& plan() const { return plan_->plan; }
    /// Whether some rank computes on a device.
    [[nodiscard]] bool has_device() const { return plan().placements.on_device(); }
    /// Where this rank computes.
    [[nodiscard]] const core::Placement& here() const { return plan().placement(plan_->rank); }
    /// Local: the programs for the environment as far as it is known.
    void lower() {
        state_->programs = std::make_unique<core::Programs>(plan(), plan_->rank, environment_);
    }
    /// Local: makes the programs, and checks that the workspace is enough for them.
    void lower_for(const Workspace& workspace);
    /// Collective. Lowers again if other arrays are exposed than was assumed, or if the ranks of a
    /// node turn out to share a cache.
    void lower_again(core::CommPool& pool);
    /// Collective. Without room for shared memory, and unless it was asked for, all redistributions
    /// go by messages, which takes more workspace.
    void share();
    /// Local: all that needs memory or threads of this rank alone.
    void make(std::size_t fields, const Workspace& workspace);
    void make_executors(std::size_t fields, std::byte* workspace);

    std::shared_ptr<const Plan::State> plan_;
    BoundDevice device_;
    core::Environment environment_;  ///< as far as it is known
    std::unique_ptr<Transform::State> state_;
    BoundArrays arrays_;
};

std::unique_ptr<Transform::State> Binder::bind(std::size_t fields, const Workspace& workspace,
                                               core::FunctionRef<void(ArrayChecks&)> check) {
    core::all_or_none(plan_->comm, [&] {
        state_ = std::make_unique<Transform::State>();
        environment_ = plan_->environment;
        if (plan_->pool != nullptr) {
            environment_.shared_cache = core::known_shared_cache(*plan_->pool).value_or(0);
        }
        state_->checks.emplace(plan(), plan_->rank, fields, workspace);
        check(*state_->checks);
        device_.find(arrays_.taken() ? &*state_->checks : nullptr);
        if (!has_device()) lower_for(workspace);
    });
    if (has_device()) {
        device_.agree(environment_);
        core::all_or_none(plan_->comm, [&] { lower_for(workspace); });
    }
    // Tuning binds plans that it makes for one trial, without the pool.
    const auto pool = plan_->pool != nullptr ? plan_->pool : core::pool_of(plan_->comm);
    state_->net.emplace(pool, device_.get());
    if (arrays_.taken()) arrays_.expose(*plan_, *state_->net);
    lower_again(*pool);
    share();
    core::all_or_none(plan_->comm, [&] { make(fields, workspace); });
    for (const auto& one : state_->runs.executors) one->connect();
    state_->make_execution();
    return std::move(state_);
}

void Binder::lower_for(const Workspace& workspace) {
    lower();
    state_->checks->check_workspace(state_->programs->memory.workspace_bytes);
    device_.check(workspace);
}

void Binder::lower_again(core::CommPool& pool) {
    const bool input = arrays_.input_exposed();
    const bool output = arrays_.output_exposed();
    const bool reaches = input || output || !state_->programs->memory.region_bytes.empty();
    const bool measures = reaches && !has_device() && !core::known_shared_cache(pool);
    if (reaches && !has_device()) environment_.shared_cache = core::shared_cache(pool);
    if (!measures && input == environment_.input_exposed && output == environment_.output_exposed) {
        return;
    }
    environment_.input_exposed = input;
    environment_.output_exposed = output;
    core::all_or_none(plan_->comm, [&] { lower(); });
}

void Binder::share() {
    core::Net& net = *state_->net;
    state_->programs->join(net);
    try {
        state_->programs->share(net);
        return;
    } catch (const Error&) {  // On all ranks.
        if (!plan_->falls_back_to_messages) throw;
    }
    core::all_or_none(plan_->comm, [&] {
        environment_.regions = false;
        lower();
        arrays_.hide();
    });
    state_->programs->join(net);
}

void Binder::make(std::size_t fields, const Workspace& workspace) {
    Transform::State& state = *state_;
    auto runs = std::make_shared<Plan::State>(*plan_);
    runs->plan = core::fuse(plan(), environment_);
    runs->environment = environment_;
    runs->known_memory = std::make_shared<MemoryOfRanks>();
    state.plan = std::move(runs);
    // The kernels of a device need one thread that puts them into its queues.
    state.team.emplace(here().own_engines ? 1 : plan().choice.threads);
    core::Device* device = device_.get();
    std::byte* place = state.memory.take(device, state.programs->memory, workspace);
    if (device != nullptr) {
        if (environment_.device_arrays) state.arrays_of = device;
        if (!environment_.device_arrays) {
            state.memory.pinned = arrays_.pinned(*device, *state.programs);
        }
        state.device_work.emplace(*device, here().memory > 0);
    }
    make_executors(fields, place);
}

void Binder::make_executors(std::size_t fields, std::byte* workspace) {
    Transform::State& state = *state_;
    const std::string& name = here().engine;
    const auto chosen = core::engine_on(device_.get(), name);
    const core::FftEngine& engine = *chosen;
    core::Workers workers{*state.team};
    if (state.team->size() > 1) workers.rates = core::core_rates(core::modest_machine(), name);
    core::EnginePlans plans(engine, plan().choice.effort, workers);
    // On a device an engine works in the device's memory, to which the host's arrays are copied.
    const bool engine_reads_arrays = device_.get() == nullptr || environment_.device_arrays;
    if (!arrays_.taken() && engine_reads_arrays) {
        state.checks->require_multiples_of(engine.alignment(), name);
    }
    const auto add = [&](const core::Program& program, const core::Bound& bound) {
        state.runs.executors.push_back(
            std::make_unique<core::Executor>(program, bound, plans, workers, *state.net));
        return state.runs.executors.back().get();
    };
    // Fields take turns, so that the executors of one serve them all, unless they have to know
    // their arrays. On a device each has its own, so that one may be put in before another has run;
    // with it on the ranks of the host, since executors are connected by all ranks.
    const bool exposed = arrays_.input_exposed() || arrays_.output_exposed();
    const bool fixed = arrays_.taken() && (exposed || has_fixed_buffers(plan()));
    core::Bound shared{.workspace = workspace,
                       .fixed = fixed,
                       .any_alignment = arrays_.lie_anyhow(engine.alignment())};
    if (device_.get() != nullptr) {
        shared.device = &*state.device_work;
        shared.staging = state.memory.staging->data();
    }
    core::Turn forward;
    core::Turn backward;
    for (std::size_t field = 0; field < fields; ++field) {
        core::Bound bound = shared;
        arrays_.give(field, bound);
        if (field == 0 || fixed || has_device()) {
            forward.executor = add(state.programs->forward, bound);
            backward.executor = add(state.programs->backward, bound.reversed());
        }
        forward.input = backward.output = bound.in;
        forward.output = backward.input = bound.out;
        state.runs.forward.push_back(forward);
        state.runs.backward.push_back(backward);
    }
    state.has_arrays = arrays_.taken();
    const Index engine_bytes = engine.work_bytes();
    device_.check_memory(state.programs->memory.workspace_bytes + engine_bytes, engine_bytes);
}

/// Collective, before anything else.
/// `kind`: of the arrays.
void require_bindable(const Plan::State& plan, std::size_t fields, const char* kind) {
    if (plan.comm == MPI_COMM_NULL) {
        bad_request(
            "this plan was made without a communicator and cannot be bound; make it with "
            "Plan(problem, comm)");
    }
    core::require_mpi(plan.comm);
    core::require_same(plan.comm, "the number of fields",
                       [&] { return std::to_string(fields) + kind; });
}

}  // namespace

Transform Plan::bind_arrays(const detail::ArrayList& in, const detail::ArrayList& out,
                            const Workspace& workspace) const {
    require_bindable(*state_, in.count, "");
    Binder binder(state_, Memory::host);
    return Transform(binder.bind(in.count, workspace, [&](ArrayChecks& checks) {
        checks.check(in, out);
        binder.take(in, out);
    }));
}

Transform Plan::bind_fields(int fields, Memory arrays, const Workspace& workspace) const {
    const auto count = core::usize(std::max(fields, 0));
    const bool device = arrays == Memory::device;
    require_bindable(*state_, count,
                     device ? ", without arrays, for the device's" : ", without arrays");
    Binder binder(state_, arrays);
    return Transform(binder.bind(count, workspace, [&](ArrayChecks& /*checks*/) {
        if (fields < 0) bad_request(fmt::format("{} fields are asked for", fields));
    }));
}

}  // namespace weft
