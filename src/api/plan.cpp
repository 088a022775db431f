#include "weft/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/fastest.hpp"
#include "api/state.hpp"
#include "base/text.hpp"
#include "exchange/via.hpp"
#include "fft/engine.hpp"
#include "net/agree.hpp"
#include "net/mpi.hpp"
#include "net/mpi_error.hpp"
#include "net/mpi_windows.hpp"
#include "net/progress_thread.hpp"
#include "plan/explain.hpp"
#include "program/lower.hpp"
#include "run/binding.hpp"
#include "tune/methods.hpp"

namespace weft {

using core::bad_request;

namespace {

/// Plans with the engine resolved, so that the plan's text is complete. Pure but for the question
/// which engines are built in.
core::Plan planned(const Problem& problem, Choice choice, int ranks) {
    choice.engine = core::resolve_engine(choice.engine);
    return core::make_plan(problem, choice, ranks);
}

int size_of(MPI_Comm comm) {
    int ranks = 0;
    core::check_mpi(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
    return ranks;
}

int rank_in(MPI_Comm comm) {
    int rank = 0;
    core::check_mpi(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    return rank;
}

/// Throws Error(not_available) if a move goes by a transport that this build lacks, or its messages
/// need more of MPI than it gives.
void require_transports(const core::Plan& plan) {
    if (plan.pipeline && plan.choice.tile->progress == TileProgress::thread) {
        core::require_several_threads();
    }
    for (const core::Stage& stage : plan.stages) {
        const auto* move = std::get_if<core::MoveStage>(&stage);
        if (move == nullptr) continue;
        const std::string reason = core::why_unavailable(core::parse_via(move->via).how());
        if (reason.empty()) continue;
        throw Error(ErrorCode::not_available,
                    fmt::format("via={} cannot run here: {}; `weft methods` lists what can",
                                move->via, reason));
    }
}

/// Collective: every rank plans by itself, and all make sure that they have the same plan.
/// `understood` says what is asked for, given the number of ranks.
std::shared_ptr<const Plan::State> plan_collectively(
    MPI_Comm comm, const std::string& asked,
    const std::function<core::PlanRequest(int)>& understood) {
    core::require_mpi(comm);
    core::require_same(comm, "the problem", asked);
    auto state = std::make_shared<Plan::State>();
    Choice choice;
    core::all_or_none(comm, [&] {
        const core::PlanRequest request = understood(size_of(comm));
        choice = request.choice;
        state->plan = planned(request.problem, core::unmeasured(choice), size_of(comm));
        require_transports(state->plan);
        state->comm = comm;
        state->rank = rank_in(comm);
    });
    core::require_same(comm, "the plan", core::to_string(state->plan));
    if (state->plan.moves() > 0) state->topology = core::NodeRanks(comm).topology(comm);
    state->falls_back_to_messages =
        (choice.via.empty() || choice.via == core::measured_via) && choice.via_of_move.empty();
    if (core::is_measured(choice)) state->plan = with_fastest_methods(*state, choice);
    return state;
}

std::string asked_text(const Problem& problem, const Choice& choice) {
    return to_string(problem) + "; " + to_string(choice);
}

}  // namespace

Plan::Plan(std::shared_ptr<const State> state) : state_(std::move(state)) {}

Plan::Plan(const Problem& problem, MPI_Comm comm, const Choice& choice)
    : state_(plan_collectively(comm, asked_text(problem, choice), [&](int ranks) {
          return core::PlanRequest{problem, choice, ranks, false};
      })) {}

Plan Plan::for_ranks(int ranks, const Problem& problem, const Choice& choice) {
    auto state = std::make_shared<State>();
    state->plan = planned(problem, choice, ranks);
    state->topology = core::assumed_topology(ranks);
    return Plan(std::move(state));
}

Plan Plan::parse(std::string_view text, MPI_Comm comm) {
    return Plan(plan_collectively(comm, std::string(text), [&](int ranks) {
        core::PlanRequest request = core::parse_plan_request(text);
        if (request.backward) {
            bad_request("the text is of a backward plan; bind the forward plan and call backward");
        }
        if (request.ranks != 0 && request.ranks != ranks) {
            bad_request(fmt::format("the text is of a plan for {} ranks, the communicator has {}",
                                    request.ranks, ranks));
        }
        return request;
    }));
}

Plan Plan::for_ranks(int ranks, std::string_view text) {
    const core::PlanRequest request = core::parse_plan_request(text);
    auto state = std::make_shared<State>();
    if (ranks != 0 && request.ranks != 0 && ranks != request.ranks) {
        bad_request(fmt::format("{} ranks are asked for, but the text is of a plan for {}", ranks,
                                request.ranks));
    }
    const int count = ranks != 0 ? ranks : std::max(request.ranks, 1);
    state->plan = planned(request.problem, request.choice, count);
    if (request.backward) state->plan = core::reverse(state->plan);
    state->topology = core::assumed_topology(count);
    return Plan(std::move(state));
}

const Problem& Plan::problem() const { return state_->plan.problem; }
const Choice& Plan::choice() const { return state_->plan.choice; }
int Plan::ranks() const { return state_->plan.ranks; }
int Plan::rank() const { return state_->rank; }

namespace {

const core::Layout& end_of(const core::Plan& plan, bool output) {
    return output ? plan.at.back() : plan.at.front();
}

void check_rank(const core::Plan& plan, int rank) {
    if (rank < 0 || rank >= plan.ranks) {
        bad_request(fmt::format("rank {}: the plan has ranks 0 to {}", rank, plan.ranks - 1));
    }
}

std::vector<Box> boxes(const core::Plan& plan, bool output, int rank) {
    check_rank(plan, rank);
    return end_of(plan, output).where.boxes(rank);
}

/// The box of that number; one without elements for box 0 of a rank that owns nothing.
core::StoredBox stored_box(const core::Plan& plan, bool output, int rank, int box) {
    check_rank(plan, rank);
    const core::Layout& layout = end_of(plan, output);
    const std::vector<core::StoredBox> all = layout.stored(rank);
    const std::vector<Index> zeros(layout.where.shape().size(), 0);
    if (all.empty() && box == 0) return {{zeros, zeros}, 0, zeros};
    if (box < 0 || box >= static_cast<int>(all.size())) {
        bad_request(fmt::format("box {} of rank {}: it owns {}", box, rank, all.size()));
    }
    return all[static_cast<std::size_t>(box)];
}

Index size(const core::Plan& plan, bool output, int rank) {
    check_rank(plan, rank);
    const core::Layout& layout = end_of(plan, output);
    if (!plan.problem.in_place) return layout.span(rank);
    const Index bytes = std::max(layout.bytes(rank), end_of(plan, !output).bytes(rank));
    return (bytes + layout.scalar.bytes() - 1) / layout.scalar.bytes();
}

}  // namespace

std::vector<Box> Plan::in_boxes(int rank) const { return boxes(state_->plan, false, rank); }
std::vector<Box> Plan::out_boxes(int rank) const { return boxes(state_->plan, true, rank); }
std::vector<int> Plan::in_order() const { return state_->plan.at.front().format.order; }
std::vector<int> Plan::out_order() const { return state_->plan.at.back().format.order; }
std::vector<Index> Plan::in_strides(int rank, int box) const {
    return stored_box(state_->plan, false, rank, box).strides;
}
std::vector<Index> Plan::out_strides(int rank, int box) const {
    return stored_box(state_->plan, true, rank, box).strides;
}
Index Plan::in_offset(int rank, int box) const {
    return stored_box(state_->plan, false, rank, box).offset;
}
Index Plan::out_offset(int rank, int box) const {
    return stored_box(state_->plan, true, rank, box).offset;
}
Index Plan::in_size(int rank) const { return size(state_->plan, false, rank); }
Index Plan::out_size(int rank) const { return size(state_->plan, true, rank); }

Index Plan::workspace_bytes(int rank) const {
    check_rank(state_->plan, rank);
    return state_->memory(rank).workspace_bytes;
}

Index Plan::window_bytes(int rank) const {
    check_rank(state_->plan, rank);
    return state_->memory(rank).all_window_bytes();
}

std::string Plan::text() const { return core::to_string(state_->plan); }
std::string Plan::explain() const { return core::explain(state_->plan, -1, state_->topology); }

namespace {

std::string type_name(const core::Scalar& scalar) {
    if (scalar.opaque_bytes != 0) return fmt::format("{}-byte elements", scalar.opaque_bytes);
    const char* real = scalar.precision == Precision::f64 ? "double" : "float";
    return scalar.complex ? fmt::format("complex<{}>", real) : real;
}

/// One field's array at one end.
struct EndArray {
    const char* name;
    core::Scalar scalar;
    void* data = nullptr;
    Index bytes = 0;
};

/// Whether arrays of a type hold such elements. A type without bytes is not known, and trusted.
template <class ElementType>
bool holds(const ElementType& type, const core::Scalar& scalar) {
    if (type.bytes == 0) return true;
    if (scalar.opaque_bytes != 0) return type.bytes == scalar.opaque_bytes;
    return type.number && core::Scalar{type.precision, type.complex} == scalar;
}

/// `other`: the other end's elements, by which an in-place array may be called as well.
template <class ElementType>
void check_type(const EndArray& end, const core::Scalar& other, const ElementType& type) {
    if (holds(type, end.scalar) || holds(type, other)) return;
    const std::string given = type.number ? type_name({type.precision, type.complex})
                                          : fmt::format("elements of {} bytes", type.bytes);
    bad_request(fmt::format("the {} array is of {}, the plan needs {}", end.name, given,
                            type_name(end.scalar)));
}

void check_address(const EndArray& end) {
    const core::Scalar& scalar = end.scalar;
    if (end.data == nullptr && end.bytes > 0) {
        bad_request(fmt::format("the {} array is null, but this rank owns {} elements", end.name,
                                end.bytes / scalar.bytes()));
    }
    if (scalar.opaque_bytes != 0) return;
    const auto unit = static_cast<std::uintptr_t>(scalar.precision == Precision::f64 ? 8 : 4);
    if (reinterpret_cast<std::uintptr_t>(end.data) % unit != 0) {
        bad_request(fmt::format("the {} array is not aligned to its element type ({} bytes)",
                                end.name, unit));
    }
}

bool overlap(const void* a, Index a_bytes, const void* b, Index b_bytes) {
    if (a_bytes == 0 || b_bytes == 0) return false;
    const auto first = reinterpret_cast<std::uintptr_t>(a);
    const auto second = reinterpret_cast<std::uintptr_t>(b);
    return first < second + static_cast<std::uintptr_t>(b_bytes) &&
           second < first + static_cast<std::uintptr_t>(a_bytes);
}

/// No two arrays of the fields may share memory, but for the two ends in place, which must be one.
void check_apart(const core::Plan& plan, std::vector<EndArray> arrays) {
    for (std::size_t i = 0; plan.problem.in_place && i + 1 < arrays.size(); i += 2) {
        if (arrays[i].data != arrays[i + 1].data) {
            bad_request("the plan is in place, but two different arrays are given");
        }
        arrays[i].bytes = std::max(arrays[i].bytes, arrays[i + 1].bytes);
        arrays[i + 1].bytes = 0;
    }
    std::erase_if(arrays, [](const EndArray& array) { return array.bytes == 0; });
    std::sort(arrays.begin(), arrays.end(),
              [](const EndArray& a, const EndArray& b) { return std::less<>()(a.data, b.data); });
    for (std::size_t i = 1; i < arrays.size(); ++i) {
        const EndArray& a = arrays[i - 1];
        const EndArray& b = arrays[i];
        if (!overlap(a.data, a.bytes, b.data, b.bytes)) continue;
        bad_request(
            fmt::format("the {} array ({} bytes) and the {} array ({} bytes) overlap by "
                        "address; give separate arrays, or plan with in_place",
                        a.name, a.bytes, b.name, b.bytes));
    }
}

void check_workspace(const Workspace& workspace, Index needed,
                     const std::vector<EndArray>& arrays) {
    if (workspace.data == nullptr && workspace.bytes == 0) return;
    if (workspace.bytes < needed) {
        bad_request(fmt::format("the workspace has {} bytes, but workspace_bytes(rank) is {}",
                                workspace.bytes, needed));
    }
    if (workspace.data == nullptr && needed > 0) {
        bad_request(fmt::format("the workspace is null, but has {} bytes", workspace.bytes));
    }
    if (reinterpret_cast<std::uintptr_t>(workspace.data) % core::alignment != 0) {
        bad_request(
            fmt::format("the workspace is not aligned to {} bytes; weft::allocate's memory "
                        "is",
                        core::alignment));
    }
    for (const EndArray& array : arrays) {
        if (overlap(workspace.data, workspace.bytes, array.data, array.bytes)) {
            bad_request(fmt::format("the workspace and the {} array overlap", array.name));
        }
    }
}

/// Collective. The numbers of the windows as which the fields' arrays of one end are shown; empty
/// if there is no use in it, or they cannot be.
std::vector<int> shown_windows(const core::Plan& plan, const Plan::State& state,
                               const std::vector<std::byte*>& arrays, core::Net& net) {
    std::vector<int> result;
    if (!core::stores_in_outputs(plan, state.topology) &&
        !core::reads_inputs(core::reverse(plan), state.topology)) {
        return result;
    }
    const Index bytes = plan.problem.in_place ? std::max(plan.at.front().bytes(state.rank),
                                                         plan.at.back().bytes(state.rank))
                                              : plan.at.back().bytes(state.rank);
    for (std::byte* array : arrays) {
        result.push_back(net.show(array, bytes));
        if (result.back() == -1) return {};
    }
    return result;
}

/// Collective. Without room for shared memory, and unless it was asked for, the programs become
/// those of ranks that are all on nodes of their own; their workspace is larger.
void join(const Plan::State& plan, std::unique_ptr<core::Programs>& programs, core::Net& net) {
    programs->join(net);
    try {
        programs->share(net, core::Sharing::node);
    } catch (const Error&) {  // On all ranks.
        if (!plan.falls_back_to_messages) throw;
        const core::Topology apart(plan.plan.ranks, 1);
        core::all_or_none(plan.comm, [&] {
            programs = std::make_unique<core::Programs>(plan.plan, plan.rank, apart);
        });
        programs->join(net);
        programs->share(net, core::Sharing::nobody);
    }
}

}  // namespace

Transform Plan::bind_arrays(const std::vector<Array>& in, const std::vector<Array>& out,
                            const Workspace& workspace) const {
    const core::Plan& plan = state_->plan;
    if (state_->comm == MPI_COMM_NULL) {
        bad_request(
            "this plan was made without a communicator and cannot be bound; make it with "
            "Plan(problem, comm)");
    }
    core::require_mpi(state_->comm);
    core::require_same(state_->comm, "the number of fields", std::to_string(in.size()));
    const int rank = state_->rank;
    std::unique_ptr<core::Programs> programs;
    core::all_or_none(state_->comm, [&] {
        if (in.size() != out.size()) {
            bad_request(fmt::format("{} input arrays and {} output arrays are given", in.size(),
                                    out.size()));
        }
        programs = std::make_unique<core::Programs>(plan, rank, state_->topology);
        const core::Layout& input = plan.at.front();
        const core::Layout& output = plan.at.back();
        std::vector<EndArray> arrays;
        for (std::size_t field = 0; field < in.size(); ++field) {
            const EndArray source{"input", input.scalar, in[field].data, input.bytes(rank)};
            const EndArray target{"output", output.scalar, out[field].data, output.bytes(rank)};
            check_type(source, plan.problem.in_place ? target.scalar : source.scalar,
                       in[field].type);
            check_type(target, plan.problem.in_place ? source.scalar : target.scalar,
                       out[field].type);
            check_address(source);
            check_address(target);
            arrays.push_back(source);
            arrays.push_back(target);
        }
        check_apart(plan, arrays);
        check_workspace(workspace, programs->workspace_bytes(), arrays);
    });
    auto state = std::make_unique<Transform::State>(state_->comm);
    const auto addresses = [](const std::vector<Array>& arrays) {
        std::vector<std::byte*> result;
        result.reserve(arrays.size());
        for (const Array& array : arrays) result.push_back(static_cast<std::byte*>(array.data));
        return result;
    };
    const std::vector<int> out_windows = shown_windows(plan, *state_, addresses(out), state->net);
    const std::vector<int> in_windows =
        shown_windows(core::reverse(plan), *state_, addresses(in), state->net);
    if (!out_windows.empty() || !in_windows.empty()) {
        const core::Shown shown{!in_windows.empty(), !out_windows.empty()};
        core::all_or_none(state_->comm, [&] {
            programs = std::make_unique<core::Programs>(plan, rank, state_->topology, shown);
        });
    }
    join(*state_, programs, state->net);
    core::all_or_none(state_->comm, [&] {
        state->team.emplace(plan.choice.threads);
        auto* place = static_cast<std::byte*>(workspace.data);
        if (place == nullptr || workspace.bytes < programs->workspace_bytes()) {
            state->workspace = core::Buffer(programs->workspace_bytes());
            place = state->workspace.data();
        }
        for (std::size_t field = 0; field < in.size(); ++field) {
            const auto window = [&](const std::vector<int>& windows) {
                return windows.empty() ? -1 : windows[field];
            };
            const core::BoundArrays arrays{static_cast<std::byte*>(in[field].data),
                                           static_cast<std::byte*>(out[field].data),
                                           window(in_windows), window(out_windows)};
            state->fields.push_back(std::make_unique<core::Binding>(
                *programs, plan.choice, core::Workers{*state->team}, state->net, arrays, place));
        }
    });
    state->programs = std::move(programs);
    for (const auto& field : state->fields) field->connect();
    state->make_instance();
    return Transform(std::move(state));
}

}  // namespace weft
