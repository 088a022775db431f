#include "weft/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/state.hpp"
#include "base/text.hpp"
#include "fft/engine.hpp"
#include "net/agree.hpp"
#include "net/mpi.hpp"
#include "net/mpi_error.hpp"
#include "plan/explain.hpp"
#include "run/binding.hpp"

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

/// Collective: every rank plans by itself, and all make sure that they have the same plan.
std::shared_ptr<const Plan::State> plan_collectively(MPI_Comm comm, const std::string& asked,
                                                     const std::function<core::Plan(int)>& make) {
    core::require_mpi(comm);
    core::require_same(comm, "the problem", asked);
    auto state = std::make_shared<Plan::State>();
    core::all_or_none(comm, [&] {
        state->plan = make(size_of(comm));
        state->comm = comm;
        state->rank = rank_in(comm);
    });
    core::require_same(comm, "the plan", core::to_string(state->plan));
    return state;
}

std::string asked_text(const Problem& problem, const Choice& choice) {
    return to_string(problem) + "; " + to_string(choice);
}

}  // namespace

Plan::Plan(std::shared_ptr<const State> state) : state_(std::move(state)) {}

Plan::Plan(const Problem& problem, MPI_Comm comm, const Choice& choice)
    : state_(plan_collectively(comm, asked_text(problem, choice),
                               [&](int ranks) { return planned(problem, choice, ranks); })) {}

Plan Plan::for_ranks(int ranks, const Problem& problem, const Choice& choice) {
    auto state = std::make_shared<State>();
    state->plan = planned(problem, choice, ranks);
    return Plan(std::move(state));
}

Plan Plan::parse(std::string_view text, MPI_Comm comm) {
    return Plan(plan_collectively(comm, std::string(text), [&](int ranks) {
        const core::PlanRequest request = core::parse_plan_request(text);
        if (request.backward) {
            bad_request("the text is of a backward plan; bind the forward plan and call backward");
        }
        if (request.ranks != 0 && request.ranks != ranks) {
            bad_request(fmt::format("the text is of a plan for {} ranks, the communicator has {}",
                                    request.ranks, ranks));
        }
        return planned(request.problem, request.choice, ranks);
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
    const Box box = end_of(plan, output).where.box(rank);
    if (box.empty()) return {};
    return {box};
}

std::vector<Index> end_strides(const core::Plan& plan, bool output, int rank) {
    check_rank(plan, rank);
    const core::Layout& layout = end_of(plan, output);
    return core::strides(layout.format, layout.where.box(rank));
}

Index size(const core::Plan& plan, bool output, int rank) {
    check_rank(plan, rank);
    const Index mine = end_of(plan, output).count(rank);
    return plan.problem.in_place ? std::max(mine, end_of(plan, !output).count(rank)) : mine;
}

}  // namespace

std::vector<Box> Plan::in_boxes(int rank) const { return boxes(state_->plan, false, rank); }
std::vector<Box> Plan::out_boxes(int rank) const { return boxes(state_->plan, true, rank); }
std::vector<int> Plan::in_order() const { return state_->plan.at.front().format.order; }
std::vector<int> Plan::out_order() const { return state_->plan.at.back().format.order; }
std::vector<Index> Plan::in_strides(int rank) const {
    return end_strides(state_->plan, false, rank);
}
std::vector<Index> Plan::out_strides(int rank) const {
    return end_strides(state_->plan, true, rank);
}
Index Plan::in_size(int rank) const { return size(state_->plan, false, rank); }
Index Plan::out_size(int rank) const { return size(state_->plan, true, rank); }

Index Plan::workspace_bytes(int rank) const {
    check_rank(state_->plan, rank);
    return core::Programs(state_->plan, rank).workspace_bytes();
}

std::string Plan::text() const { return core::to_string(state_->plan); }
std::string Plan::explain() const { return core::explain(state_->plan); }

namespace {

std::string type_name(Precision precision, bool complex) {
    const std::string real = precision == Precision::f64 ? "double" : "float";
    return complex ? "complex<" + real + ">" : real;
}

void check_array(const core::Layout& layout, Index elements, const char* name, const void* data,
                 Precision precision, bool complex) {
    if (layout.scalar != core::Scalar{precision, complex}) {
        bad_request(fmt::format("the {} array is of {}, the plan needs {}", name,
                                type_name(precision, complex),
                                type_name(layout.scalar.precision, layout.scalar.complex)));
    }
    if (data == nullptr && elements > 0) {
        bad_request(
            fmt::format("the {} array is null, but this rank owns {} elements", name, elements));
    }
    const auto unit = static_cast<std::uintptr_t>(precision == Precision::f64 ? 8 : 4);
    if (reinterpret_cast<std::uintptr_t>(data) % unit != 0) {
        bad_request(
            fmt::format("the {} array is not aligned to its element type ({} bytes)", name, unit));
    }
}

void check_overlap(const core::Plan& plan, const void* in, Index in_bytes, const void* out,
                   Index out_bytes) {
    if (plan.problem.in_place) {
        if (in != out) bad_request("the plan is in place, but two different arrays are given");
        return;
    }
    if (in_bytes == 0 || out_bytes == 0) return;
    const auto a = reinterpret_cast<std::uintptr_t>(in);
    const auto b = reinterpret_cast<std::uintptr_t>(out);
    if (a < b + static_cast<std::uintptr_t>(out_bytes) &&
        b < a + static_cast<std::uintptr_t>(in_bytes)) {
        bad_request(
            fmt::format("the input array ({} bytes) and the output array ({} bytes) overlap "
                        "by address; give separate arrays, or plan with in_place",
                        in_bytes, out_bytes));
    }
}

}  // namespace

Transform Plan::bind_arrays(const Array& in, const Array& out) const {
    const core::Plan& plan = state_->plan;
    if (state_->comm == MPI_COMM_NULL) {
        bad_request(
            "this plan was made without a communicator and cannot be bound; make it with "
            "Plan(problem, comm)");
    }
    core::require_mpi(state_->comm);
    const int rank = state_->rank;
    const core::Layout& input = plan.at.front();
    const core::Layout& output = plan.at.back();
    std::unique_ptr<core::Programs> programs;
    core::all_or_none(state_->comm, [&] {
        check_array(input, in_size(rank), "input", in.data, in.type.precision, in.type.complex);
        check_array(output, out_size(rank), "output", out.data, out.type.precision,
                    out.type.complex);
        check_overlap(plan, in.data, input.bytes(rank), out.data, output.bytes(rank));
        programs = std::make_unique<core::Programs>(plan, rank);
    });
    auto state = std::make_unique<Transform::State>(state_->comm);
    programs->join(state->net);
    core::all_or_none(state_->comm, [&] {
        state->binding.emplace(*programs, core::engine(plan.choice.engine), plan.choice.effort,
                               state->net, static_cast<std::byte*>(in.data),
                               static_cast<std::byte*>(out.data));
    });
    return Transform(std::move(state));
}

Transform Internals::bind(const Plan& plan, std::byte* in, std::byte* out) {
    const auto array = [&](bool output, std::byte* data) {
        const core::Scalar& scalar = end_of(plan.state_->plan, output).scalar;
        return Plan::Array{data, {scalar.precision, scalar.complex}};
    };
    return plan.bind_arrays(array(false, in), array(true, out));
}

}  // namespace weft
