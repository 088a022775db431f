#include "base/transforms.hpp"

#include <algorithm>
#include <utility>

namespace weft {

AxisKind inverse(AxisKind kind) {
    switch (kind) {
        case AxisKind::dct2:
            return AxisKind::dct3;
        case AxisKind::dct3:
            return AxisKind::dct2;
        case AxisKind::dst2:
            return AxisKind::dst3;
        case AxisKind::dst3:
            return AxisKind::dst2;
        case AxisKind::r2c:
            return AxisKind::c2r;
        case AxisKind::c2r:
            return AxisKind::r2c;
        default:
            return kind;
    }
}

Index logical_length(AxisKind kind, Index n) {
    if (kind == AxisKind::none) return 1;
    if (!core::is_real_to_real(kind)) return n;
    if (kind == AxisKind::dct1) return 2 * (n - 1);
    return kind == AxisKind::dst1 ? 2 * (n + 1) : 2 * n;
}

}  // namespace weft

namespace weft::core {

std::vector<Loop> FftTask::axes() const {
    std::vector<Loop> all = complex_axes;
    all.push_back(line_axis());
    return all;
}

void FftTask::set_axes(std::vector<Loop> axes) {
    const Loop last = axes.back();
    axes.pop_back();
    complex_axes = std::move(axes);
    line.length = last.extent;
    from_step = last.from;
    to_step = last.to;
}

std::vector<AxisKind> FftTask::axis_kinds() const {
    std::vector<AxisKind> all = kinds;
    all.push_back(line.axis);
    return all;
}

void FftTask::set_axis_kinds(std::vector<AxisKind> all) {
    line.axis = all.back();
    all.pop_back();
    kinds = std::move(all);
}

LineTransform FftTask::line_along(std::size_t axis) const {
    LineTransform result = line;
    if (axis == complex_axes.size()) return result;
    result.length = complex_axes[axis].extent;
    if (line.kind == Kind::r2r) {
        result.axis = kinds[axis];
    } else {
        result.kind = Kind::c2c;
    }
    return result;
}

bool is_empty(const FftTask& task) {
    const auto none = [](const Loop& loop) { return loop.extent == 0; };
    return task.line.length == 0 ||
           std::any_of(task.complex_axes.begin(), task.complex_axes.end(), none) ||
           std::any_of(task.looped.begin(), task.looped.end(), none);
}

std::vector<AxisTask> axis_by_axis(const FftTask& task) {
    const bool to_real = task.line.kind == Kind::c2r;
    const std::vector<Loop> axes = task.axes();
    const std::size_t last = axes.size() - 1;
    std::vector<AxisTask> passes;
    const auto add = [&](std::size_t axis, FftSide side) {
        FftTask one{.line = task.line_along(axis),
                    .looped = task.looped,
                    .from_offset = task.from_offset,
                    .to_offset = task.to_offset};
        std::vector<Loop> loops = axes;
        if (axis != last) loops.back().extent = task.line.complex_length();
        const auto stay = [&](Loop& loop) {
            (side == FftSide::source ? loop.to : loop.from) =
                side == FftSide::source ? loop.from : loop.to;
        };
        if (side != FftSide::across) {
            std::for_each(loops.begin(), loops.end(), stay);
            std::for_each(one.looped.begin(), one.looped.end(), stay);
            (side == FftSide::source ? one.to_offset : one.from_offset) =
                side == FftSide::source ? one.from_offset : one.to_offset;
        }
        const Loop line = loops[axis];
        loops.erase(loops.begin() + static_cast<std::ptrdiff_t>(axis));
        one.looped.insert(one.looped.end(), loops.begin(), loops.end());
        one.set_axes({line});
        passes.push_back({std::move(one), side});
    };
    if (!to_real) add(last, FftSide::across);
    for (std::size_t axis = last; axis-- > 0;) {
        add(axis, to_real ? FftSide::source : FftSide::target);
    }
    if (to_real) add(last, FftSide::across);
    return passes;
}

}  // namespace weft::core
