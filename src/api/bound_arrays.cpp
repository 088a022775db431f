#include "api/bound_arrays.hpp"

#include <algorithm>
#include <optional>

#include "base/variables.hpp"
#include "net/agree.hpp"
#include "plan/fuse.hpp"

namespace weft {

namespace {

/// Pinning takes some 100 microseconds, in which a device copies megabytes from memory that is not.
constexpr Index least_bytes = Index{1} << 20;

Index bytes_of(const core::Program& program, core::Role role) {
    const auto found =
        std::find_if(program.buffers.begin(), program.buffers.end(),
                     [&](const core::BufferSpec& buffer) { return buffer.role == role; });
    return found == program.buffers.end() ? 0 : found->bytes;
}

/// Local: how many bytes of each array of the end that a plan writes, and its reverse reads, the
/// ranks of a node may reach; nothing if there is no use in it.
std::optional<Index> exposed_bytes(const Plan::State& state, const core::Plan& plan,
                                   const core::Plan& reverse) {
    const core::Environment unexposed{state.environment.nodes, state.environment.regions};
    const bool useful = core::wants_output_exposed(plan, unexposed) ||
                        core::wants_input_exposed(reverse, unexposed);
    if (!useful) return std::nullopt;
    const Index bytes = plan.at.back().bytes(state.rank);
    if (!plan.problem.in_place) return bytes;
    return std::max(bytes, plan.at.front().bytes(state.rank));
}

}  // namespace

void BoundArrays::take(const detail::ArrayList& in, const detail::ArrayList& out) {
    taken_ = true;
    for (std::size_t field = 0; field < in.count; ++field) {
        in_.arrays.push_back(static_cast<std::byte*>(in[field]));
        out_.arrays.push_back(static_cast<std::byte*>(out[field]));
    }
}

void BoundArrays::End::expose(Index bytes, core::Net& net) {
    for (std::byte* array : arrays) {
        regions.push_back(net.expose(array, bytes));
        if (regions.back() != nullptr) continue;
        regions.clear();
        return;
    }
}

void BoundArrays::expose(const Plan::State& plan, core::Net& net) {
    std::optional<Index> of_out;
    std::optional<Index> of_in;
    core::all_or_none(plan.comm, [&] {
        const core::Plan backward = core::reverse(plan.plan);
        of_out = exposed_bytes(plan, plan.plan, backward);
        of_in = exposed_bytes(plan, backward, plan.plan);
        out_.regions.reserve(out_.arrays.size());
        in_.regions.reserve(in_.arrays.size());
    });
    if (of_out) out_.expose(*of_out, net);
    if (of_in) in_.expose(*of_in, net);
}

void BoundArrays::hide() {
    in_.regions.clear();
    out_.regions.clear();
}

std::vector<std::unique_ptr<core::DeviceMemory>> BoundArrays::pinned(
    core::Device& device, const core::Programs& programs) const {
    std::vector<std::unique_ptr<core::DeviceMemory>> result;
    if (!core::wants_pinned_arrays()) return result;
    const auto pin = [&](const std::vector<std::byte*>& arrays, Index bytes) {
        if (bytes < least_bytes) return;
        for (std::byte* array : arrays) {
            if (auto pinned = device.pin(array, bytes)) result.push_back(std::move(pinned));
        }
    };
    pin(in_.arrays, bytes_of(programs.forward, core::Role::input));
    if (in_.arrays != out_.arrays) pin(out_.arrays, bytes_of(programs.forward, core::Role::output));
    return result;
}

bool BoundArrays::lie_anyhow(Index multiple) const {
    const auto lies_so = [&](const std::byte* array) {
        return core::past_alignment(array) % multiple != 0;
    };
    return std::any_of(in_.arrays.begin(), in_.arrays.end(), lies_so) ||
           std::any_of(out_.arrays.begin(), out_.arrays.end(), lies_so);
}

void BoundArrays::give(std::size_t field, core::Bound& bound) const {
    if (!taken_) return;
    bound.in = in_.arrays[field];
    bound.out = out_.arrays[field];
    bound.in_region = in_.region(field);
    bound.out_region = out_.region(field);
}

}  // namespace weft
