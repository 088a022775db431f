// Binding a plan to arrays: every step is agreed on by all ranks before the next.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "api/state.hpp"
#include "base/text.hpp"
#include "net/agree.hpp"
#include "net/mpi.hpp"
#include "plan/fuse.hpp"
#include "program/lower.hpp"
#include "run/binding.hpp"
#include "weft/plan.hpp"

namespace weft {

using core::bad_request;

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

/// Throws Error(bad_request) unless the plan can work with these arrays; one for each end of each
/// field.
template <class Fields>
void check_arrays(const core::Plan& plan, int rank, const Fields& in, const Fields& out,
                  const Workspace& workspace, Index workspace_bytes) {
    if (in.count != out.count) {
        bad_request(
            fmt::format("{} input arrays and {} output arrays are given", in.count, out.count));
    }
    const core::Layout& input = plan.at.front();
    const core::Layout& output = plan.at.back();
    std::vector<EndArray> arrays;
    arrays.reserve(2 * in.count);
    for (std::size_t field = 0; field < in.count; ++field) {
        const auto from = in[field];
        const auto to = out[field];
        const EndArray source{"input", input.scalar, from.data, input.bytes(rank)};
        const EndArray target{"output", output.scalar, to.data, output.bytes(rank)};
        check_type(source, plan.problem.in_place ? target.scalar : source.scalar, from.type);
        check_type(target, plan.problem.in_place ? source.scalar : target.scalar, to.type);
        check_address(source);
        check_address(target);
        arrays.push_back(source);
        arrays.push_back(target);
    }
    check_apart(plan, arrays);
    check_workspace(workspace, workspace_bytes, arrays);
}

/// The arrays of one end, and as which of the net's windows they are shown.
struct End {
    std::vector<std::byte*> arrays;
    std::vector<int> windows;  ///< empty: they are not shown

    [[nodiscard]] int window(std::size_t field) const {
        return windows.empty() ? -1 : windows[field];
    }
};

/// Collective. Shows the arrays of the end that a plan writes, if there is use in it and all ranks
/// of each node can map them.
void show(const Plan::State& state, const core::Plan& plan, End& end, core::Net& net) {
    bool useful = false;
    Index bytes = 0;
    core::all_or_none(state.comm, [&] {
        const core::Environment environment{state.topology};
        useful = core::wants_output_exposed(plan, environment) ||
                 core::wants_input_exposed(core::reverse(plan), environment);
        bytes = plan.at.back().bytes(state.rank);
        if (plan.problem.in_place) bytes = std::max(bytes, plan.at.front().bytes(state.rank));
        end.windows.reserve(end.arrays.size());
    });
    if (!useful) return;
    for (std::byte* array : end.arrays) {
        end.windows.push_back(net.show(array, bytes));
        if (end.windows.back() != -1) continue;
        end.windows.clear();
        return;
    }
}

/// Collective. Without room for shared memory, and unless it was asked for, all redistributions go
/// by messages, which takes more workspace.
void join(const Plan::State& plan, std::unique_ptr<core::Programs>& programs, core::Net& net) {
    programs->join(net);
    try {
        programs->share(net);
    } catch (const Error&) {  // On all ranks.
        if (!plan.falls_back_to_messages) throw;
        core::all_or_none(plan.comm, [&] {
            core::Environment environment{plan.topology};
            environment.regions = false;
            programs = std::make_unique<core::Programs>(plan.plan, plan.rank, environment);
        });
        programs->join(net);
    }
}

/// Local: everything of the transform that needs memory or threads of this rank alone.
void make_fields(const core::Plan& plan, const Workspace& workspace, const End& in, const End& out,
                 Transform::State& state) {
    state.team.emplace(plan.choice.threads);
    auto* place = static_cast<std::byte*>(workspace.data);
    if (place == nullptr || workspace.bytes < state.programs->workspace_bytes()) {
        state.workspace = core::Buffer(state.programs->workspace_bytes());
        place = state.workspace.data();
    }
    state.fields.reserve(in.arrays.size());
    for (std::size_t field = 0; field < in.arrays.size(); ++field) {
        const core::BoundArrays arrays{in.arrays[field], out.arrays[field], in.window(field),
                                       out.window(field)};
        state.fields.push_back(std::make_unique<core::Binding>(
            *state.programs, plan.choice, core::Workers{*state.team}, *state.net, arrays, place));
    }
}

}  // namespace

Transform Plan::bind_arrays(const Fields& in, const Fields& out, const Workspace& workspace) const {
    const core::Plan& plan = state_->plan;
    MPI_Comm comm = state_->comm;
    if (comm == MPI_COMM_NULL) {
        bad_request(
            "this plan was made without a communicator and cannot be bound; make it with "
            "Plan(problem, comm)");
    }
    core::require_mpi(comm);
    core::require_same(comm, "the number of fields", [&] { return std::to_string(in.count); });
    std::unique_ptr<Transform::State> state;
    End from;
    End to;
    core::all_or_none(comm, [&] {
        state = std::make_unique<Transform::State>();
        auto& programs = state->programs;
        programs = std::make_unique<core::Programs>(plan, state_->rank,
                                                    core::Environment{state_->topology});
        check_arrays(plan, state_->rank, in, out, workspace, programs->workspace_bytes());
        for (std::size_t field = 0; field < in.count; ++field) {
            from.arrays.push_back(static_cast<std::byte*>(in[field].data));
            to.arrays.push_back(static_cast<std::byte*>(out[field].data));
        }
    });
    state->net.emplace(comm);
    std::optional<core::Plan> reverse;
    core::all_or_none(comm, [&] { reverse = core::reverse(plan); });
    show(*state_, plan, to, *state->net);
    show(*state_, *reverse, from, *state->net);
    if (!from.windows.empty() || !to.windows.empty()) {
        core::all_or_none(comm, [&] {
            const core::Environment environment{state_->topology, true, !from.windows.empty(),
                                                !to.windows.empty()};
            state->programs = std::make_unique<core::Programs>(plan, state_->rank, environment);
        });
    }
    join(*state_, state->programs, *state->net);
    core::all_or_none(comm, [&] { make_fields(plan, workspace, from, to, *state); });
    for (const auto& field : state->fields) field->connect();
    state->make_instance();
    return Transform(std::move(state));
}

}  // namespace weft
