// Binding a plan to arrays: every step is agreed on by all ranks before the next.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "api/pinned_arrays.hpp"
#include "api/reach.hpp"
#include "api/state.hpp"
#include "base/function_ref.hpp"
#include "base/text.hpp"
#include "device/devices.hpp"
#include "exchange/via.hpp"
#include "model/default_plan.hpp"
#include "net/agree.hpp"
#include "net/mpi.hpp"
#include "plan/fuse.hpp"
#include "plan/placement.hpp"
#include "program/lower.hpp"
#include "run/programs.hpp"
#include "weft/plan.hpp"

namespace weft {

using core::bad_request;

namespace {

/// The arrays of one end, and as what the net exposes them.
struct End {
    std::vector<std::byte*> arrays;
    std::vector<core::SharedRegion*> regions;  ///< empty: they are not exposed

    [[nodiscard]] core::SharedRegion* region(std::size_t field) const {
        return regions.empty() ? nullptr : regions[field];
    }
};

/// Local: how many bytes of each array of the end that a plan writes the ranks of a node may reach;
/// nothing if there is no use in it.
std::optional<Index> exposed_bytes(const Plan::State& state, const core::Plan& plan) {
    const core::Environment unexposed{state.environment.nodes, state.environment.regions};
    const bool useful = core::wants_output_exposed(plan, unexposed) ||
                        core::wants_input_exposed(core::reverse(plan), unexposed);
    if (!useful) return std::nullopt;
    const Index bytes = plan.at.back().bytes(state.rank);
    if (!plan.problem.in_place) return bytes;
    return std::max(bytes, plan.at.front().bytes(state.rank));
}

/// Collective. Exposes the arrays of an end, if all ranks of each node can map them.
void expose(std::optional<Index> bytes, End& end, core::Net& net) {
    if (!bytes) return;
    for (std::byte* array : end.arrays) {
        end.regions.push_back(net.expose(array, *bytes));
        if (end.regions.back() != nullptr) continue;
        end.regions.clear();
        return;
    }
}

/// Whether a move of the plan goes by a transport that makes use of buffers that stay the same.
bool has_fixed_buffers(const core::Plan& plan) {
    return std::any_of(plan.stages.begin(), plan.stages.end(), [](const core::Stage& stage) {
        const auto* move = std::get_if<core::RedistributionStage>(&stage);
        return move != nullptr && core::transport(core::message_transport(move->via)).fixed_buffers;
    });
}

/// What is done to bind a plan, in steps on which the ranks agree one by one.
class Binder {
  public:
    /// `arrays`: of what memory those of calls are, if none are taken.
    Binder(const std::shared_ptr<const Plan::State>& plan, Memory arrays)
        : plan_(plan), arrays_(arrays) {}

    /// Collective. `check` is run on each rank before anything is shared.
    std::unique_ptr<Transform::State> bind(std::size_t fields, const Workspace& workspace,
                                           core::FunctionRef<void(ArrayChecks&)> check);
    /// Local, in `check`: the arrays that are bound.
    void take(const detail::ArrayList& in, const detail::ArrayList& out);

  private:
    [[nodiscard]] const core::Plan& plan() const { return plan_->plan; }
    /// Whether some rank computes on a device.
    [[nodiscard]] bool has_device() const { return plan().placements.on_device(); }
    /// Where this rank computes.
    [[nodiscard]] const core::Placement& here() const { return plan().placement(plan_->rank); }
    /// Local, once the arrays have been checked: the device on which this rank computes, if any.
    void find_device();
    /// Local: of a rank of the host beside those of a device.
    void check_arrays_of_host();
    /// Local: a workspace that is given has to be memory in which the plan computes.
    void check_space_of(const Workspace& workspace) const;
    /// Collective: where all ranks' arrays lie, and whether their MPI reaches the device.
    void agree_on_device();
    /// Local: the programs for the environment as far as it is known.
    void lower() {
        state_->programs = std::make_unique<core::Programs>(plan(), plan_->rank, environment_);
    }
    /// Local: makes the programs, and checks that the workspace is enough for them.
    void lower_for(const Workspace& workspace);
    /// Collective. Exposes the arrays, if there is use in it.
    void expose_arrays();
    /// Collective. Lowers again if other arrays are exposed than was assumed.
    void lower_again();
    /// Collective. Without room for shared memory, and unless it was asked for, all redistributions
    /// go by messages, which takes more workspace.
    void share();
    /// Local: all that needs memory or threads of this rank alone.
    void make(std::size_t fields, const Workspace& workspace);
    void make_executors(std::size_t fields, std::byte* workspace);
    /// Local: the device's memory that is taken is what the plan's space allows.
    void check_memory(Index engine_bytes) const;
    /// Whether some array is no multiple of so many bytes.
    [[nodiscard]] bool lies_anyhow(Index multiple) const;

    std::shared_ptr<const Plan::State> plan_;
    Memory arrays_;
    core::Environment environment_;  ///< as far as it is known
    core::Device* device_ = nullptr;
    ArrayChecks::Whose whose_;
    std::unique_ptr<Transform::State> state_;
    bool has_arrays_ = false;
    End in_;
    End out_;
};

void Binder::take(const detail::ArrayList& in, const detail::ArrayList& out) {
    has_arrays_ = true;
    for (std::size_t field = 0; field < in.count; ++field) {
        in_.arrays.push_back(static_cast<std::byte*>(in[field]));
        out_.arrays.push_back(static_cast<std::byte*>(out[field]));
    }
}

std::unique_ptr<Transform::State> Binder::bind(std::size_t fields, const Workspace& workspace,
                                               core::FunctionRef<void(ArrayChecks&)> check) {
    core::all_or_none(plan_->comm, [&] {
        state_ = std::make_unique<Transform::State>();
        environment_ = plan_->environment;
        state_->checks.emplace(plan(), plan_->rank, fields, workspace);
        check(*state_->checks);
        find_device();
        if (!has_device()) lower_for(workspace);
    });
    if (has_device()) {
        agree_on_device();
        core::all_or_none(plan_->comm, [&] { lower_for(workspace); });
    }
    // Tuning binds plans that it makes for one trial, without the pool.
    state_->net.emplace(plan_->pool != nullptr ? plan_->pool : core::pool_of(plan_->comm), device_);
    if (has_arrays_) expose_arrays();
    lower_again();
    share();
    core::all_or_none(plan_->comm, [&] { make(fields, workspace); });
    for (const auto& one : state_->executors) one->connect();
    state_->make_execution();
    return std::move(state_);
}

void Binder::find_device() {
    if (here().on_device()) device_ = &core::device(here().device);
    whose_.device = arrays_ == Memory::device;
    if (has_arrays_) whose_ = state_->checks->whose(device_);
    if (device_ == nullptr && has_device()) return check_arrays_of_host();
    if (device_ == nullptr && whose_.device) {
        bad_request(
            fmt::format("{} memory of a device, but the plan is computed on the host; say space= "
                        "and the device's name in the plan's choice",
                        has_arrays_ ? "an array is" : "calls are to bring"));
    }
}

void Binder::check_arrays_of_host() {
    if (has_arrays_ && whose_.device) {
        bad_request(
            fmt::format("an array is memory of a device, but rank {} computes on the host with "
                        "space={}; give it memory of the host",
                        plan_->rank, plan().placements.text()));
    }
    // Ranks of the device say whose memory theirs are.
    whose_ = {};
}

void Binder::check_space_of(const Workspace& workspace) const {
    if (workspace.bytes == 0) return;
    const core::Device* owner = core::device_of(workspace.data);
    const std::string_view other = core::unused_device_of(workspace.data);
    if (owner == device_ && other.empty()) return;
    bad_request(
        fmt::format("the workspace is memory of {}, but the plan is computed on {}; give memory "
                    "of that, or none",
                    other.empty() ? std::string(core::name_of(owner))
                                  : fmt::format("another device ({})", other),
                    core::name_of(device_)));
}

void Binder::lower_for(const Workspace& workspace) {
    lower();
    state_->checks->check_workspace(state_->programs->memory.workspace_bytes);
    check_space_of(workspace);
}

void Binder::agree_on_device() {
    const bool host = core::on_any_rank(plan_->comm, whose_.host);
    const bool device = core::on_any_rank(plan_->comm, whose_.device);
    // Ranks of the host and of the device read no regions of each other.
    if (core::asks_for_regions(plan()) && !plan().placements.mixed()) {
        bool shared = false;
        core::all_or_none(plan_->comm, [&] { shared = device_->why_not_shared().empty(); });
        environment_.device_regions = !core::on_any_rank(plan_->comm, !shared);
    }
    const bool reached = agreed_reach(plan_->comm, plan_->rank, plan(), device_, environment_);
    core::all_or_none(plan_->comm, [&] {
        if (host && device) {
            bad_request(
                fmt::format("some arrays are memory of the host, others of {}; all ranks{} and "
                            "fields give the same kind",
                            plan().placements.first().device,
                            plan().placements.mixed() ? " of the device" : ""));
        }
        environment_.device_arrays = device;
        if (device) state_->arrays_of = device_;
        environment_.mpi_reaches_device = reached;
    });
}

void Binder::expose_arrays() {
    std::optional<Index> of_out;
    std::optional<Index> of_in;
    core::all_or_none(plan_->comm, [&] {
        of_out = exposed_bytes(*plan_, plan());
        of_in = exposed_bytes(*plan_, core::reverse(plan()));
        out_.regions.reserve(out_.arrays.size());
        in_.regions.reserve(in_.arrays.size());
    });
    expose(of_out, out_, *state_->net);
    expose(of_in, in_, *state_->net);
}

void Binder::lower_again() {
    const bool input = !in_.regions.empty();
    const bool output = !out_.regions.empty();
    if (input == environment_.input_exposed && output == environment_.output_exposed) return;
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
        in_.regions.clear();
        out_.regions.clear();
    });
    state_->programs->join(net);
}

bool Binder::lies_anyhow(Index multiple) const {
    const auto lies_so = [&](const std::byte* array) {
        return core::past_alignment(array) % multiple != 0;
    };
    return std::any_of(in_.arrays.begin(), in_.arrays.end(), lies_so) ||
           std::any_of(out_.arrays.begin(), out_.arrays.end(), lies_so);
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
    auto* place = static_cast<std::byte*>(workspace.data);
    const core::Memory& memory = state.programs->memory;
    const bool brings = place != nullptr && workspace.bytes >= memory.workspace_bytes;
    if (device_ != nullptr) {
        if (!brings || !device_->owns(place)) {
            state.device_workspace = device_->allocate(memory.workspace_bytes, "workspace");
            place = state.device_workspace->data();
        }
        state.staging = device_->allocate_pinned(memory.staging_bytes);
        if (!environment_.device_arrays) {
            state.pinned = pinned_arrays(*device_, *state.programs, in_.arrays, out_.arrays);
        }
        state.device_work.emplace(*device_, here().memory > 0);
    } else if (!brings) {
        state.workspace = core::Buffer(memory.workspace_bytes);
        place = state.workspace.data();
    }
    make_executors(fields, place);
}

void Binder::make_executors(std::size_t fields, std::byte* workspace) {
    Transform::State& state = *state_;
    const std::string& name = here().engine;
    const auto chosen = core::engine_on(device_, name);
    const core::FftEngine& engine = *chosen;
    core::Workers workers{*state.team};
    if (state.team->size() > 1) workers.rates = core::core_rates(core::modest_machine(), name);
    core::EnginePlans plans(engine, plan().choice.effort, workers);
    // On a device an engine works in the device's memory, to which the host's arrays are copied.
    const bool engine_reads_arrays = device_ == nullptr || environment_.device_arrays;
    if (!has_arrays_ && engine_reads_arrays) {
        state.checks->require_multiples_of(engine.alignment(), name);
    }
    const auto add = [&](const core::Program& program, const core::Bound& bound) {
        state.executors.push_back(
            std::make_unique<core::Executor>(program, bound, plans, workers, *state.net));
        return state.executors.back().get();
    };
    // Fields take turns, so that the executors of one serve them all, unless they have to know
    // their arrays. On a device each has its own, so that one may be put in before another has run;
    // with it on the ranks of the host, since executors are connected by all ranks.
    const bool exposed = !in_.regions.empty() || !out_.regions.empty();
    const bool fixed = has_arrays_ && (exposed || has_fixed_buffers(plan()));
    const bool anyhow = lies_anyhow(engine.alignment());
    core::Turn forward;
    core::Turn backward;
    for (std::size_t field = 0; field < fields; ++field) {
        core::Bound bound{.workspace = workspace, .fixed = fixed, .any_alignment = anyhow};
        if (device_ != nullptr) {
            bound.device = &*state.device_work;
            bound.staging = state.staging->data();
        }
        if (has_arrays_) {
            bound.in = in_.arrays[field];
            bound.out = out_.arrays[field];
            bound.in_region = in_.region(field);
            bound.out_region = out_.region(field);
        }
        if (field == 0 || fixed || has_device()) {
            forward.executor = add(state.programs->forward, bound);
            backward.executor = add(state.programs->backward, bound.reversed());
        }
        forward.input = backward.output = bound.in;
        forward.output = backward.input = bound.out;
        state.forward.push_back(forward);
        state.backward.push_back(backward);
    }
    state.has_arrays = has_arrays_;
    check_memory(engine.work_bytes());
}

void Binder::check_memory(Index engine_bytes) const {
    const Index bytes = state_->programs->memory.workspace_bytes + engine_bytes;
    if (here().memory == 0 || bytes <= here().memory) return;
    plan().placements.refuse(
        fmt::format("{} bytes are taken, of which the engine works in {} for such lengths; say {} "
                    "without memory, or space=host",
                    bytes, engine_bytes, here().device));
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
    const auto count = static_cast<std::size_t>(std::max(fields, 0));
    const bool device = arrays == Memory::device;
    require_bindable(*state_, count,
                     device ? ", without arrays, for the device's" : ", without arrays");
    Binder binder(state_, arrays);
    return Transform(binder.bind(count, workspace, [&](ArrayChecks& /*checks*/) {
        if (fields < 0) bad_request(fmt::format("{} fields are asked for", fields));
    }));
}

}  // namespace weft
