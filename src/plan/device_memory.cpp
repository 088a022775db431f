#include "plan/device_memory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/index.hpp"
#include "base/text.hpp"
#include "base/transforms.hpp"

namespace weft::core {

namespace {

/// Slots begin at multiples of so many bytes, as all buffers do.
constexpr Index unit = 64;

/// Four slots, and what an engine of the device works in.
Index parts_of(const Placement& place) { return place.own_engines ? 7 : 4; }

/// Bytes of a line, before or after the transform, whichever are more.
Index line_bytes(const Plan& plan, std::size_t stage, int axis) {
    const TransformStage& transform = *transform_at(plan, stage);
    const Layout& from = plan.at[stage];
    const Layout& to = plan.at[stage + 1];
    const auto bytes_in = [&](const Layout& layout) {
        return layout.where.shape()[usize(axis)] * layout.scalar.bytes();
    };
    const bool is_r2c_axis = halves(transform.kind) && axis == transform.axes.back();
    if (is_r2c_axis) return std::max(bytes_in(from), bytes_in(to));
    return std::max(from.where.shape()[usize(axis)], to.where.shape()[usize(axis)]) *
           Scalar{from.scalar.precision, transform.kind != Kind::r2r}.bytes();
}

Index longest_line(const Plan& plan) {
    Index longest = 0;
    for (std::size_t stage = 0; stage < plan.stages.size(); ++stage) {
        const TransformStage* transform = transform_at(plan, stage);
        if (transform == nullptr) continue;
        for (const int axis : transform->axes) {
            longest = std::max(longest, line_bytes(plan, stage, axis));
        }
    }
    return longest;
}

}  // namespace

Index slot_bytes(const Placement& place) { return place.memory / parts_of(place) / unit * unit; }

Index least_memory(const Plan& plan) {
    return (longest_line(plan) + unit - 1) / unit * unit * parts_of(plan.placements.first());
}

void require_room_for_lines(const Plan& plan) {
    const Placement& place = plan.placements.first();
    const Index least = least_memory(plan);
    if (place.memory >= least) return;
    plan.placements.refuse(fmt::format(
        "the device transforms at least one line of {} bytes at a time; this needs {}(memory:{})",
        longest_line(plan), place.device, least));
}

Index pieces_in(Index bytes, Index piece) {
    constexpr Index most = 64;
    if (piece == 0) return 1;
    return std::clamp<Index>((bytes + piece - 1) / piece, 1, most);
}

}  // namespace weft::core
