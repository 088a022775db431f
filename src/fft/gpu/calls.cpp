#include "fft/gpu/calls.hpp"

#include <algorithm>
#include <utility>

#include "base/mapped.hpp"

namespace weft::core {

namespace {

constexpr std::size_t most_axes = 3;

bool is_one_call(const LineTransform& line, const std::vector<Loop>& axes) {
    return embedding(axes, &Loop::from, line.source_length()) &&
           embedding(axes, &Loop::to, line.target_length());
}

FftCalls calls_around(const LineTransform& line, std::vector<Loop> axes, std::vector<Loop> loops) {
    FftCalls calls{
        .line = line, .axes = std::move(axes), .batch = {}, .around = merged(std::move(loops))};
    const auto longest =
        std::max_element(calls.around.begin(), calls.around.end(),
                         [](const Loop& a, const Loop& b) { return a.extent < b.extent; });
    if (longest == calls.around.end()) return calls;
    calls.batch = *longest;
    calls.around.erase(longest);
    return calls;
}

/// The axes that one call transforms, the line's last: as many of the others as can be, those of
/// short steps first. The rest stays in `others`, which are sorted, the slowest first.
std::vector<Loop> axes_of_one_call(const LineTransform& line, const Loop& last,
                                   std::vector<Loop>& others) {
    std::vector<Loop> axes = {last};
    for (std::size_t i = others.size(); i-- > 0 && axes.size() < most_axes;) {
        std::vector<Loop> more = axes;
        more.insert(more.begin(), others[i]);
        if (!is_one_call(line, more)) continue;
        axes = std::move(more);
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return axes;
}

}  // namespace

Index FftCalls::count() const { return count_of(around); }

std::optional<std::vector<Index>> embedding(const std::vector<Loop>& axes, Index Loop::*step,
                                            Index last_extent) {
    std::vector<Index> result(axes.size());
    for (std::size_t k = 1; k < axes.size(); ++k) {
        const Index outer = axes[k - 1].*step;
        const Index inner = axes[k].*step;
        const Index extent = k + 1 == axes.size() ? last_extent : axes[k].extent;
        if (inner <= 0 || outer % inner != 0 || outer / inner < extent) return {};
        result[k] = outer / inner;
    }
    result[0] = axes.size() == 1 ? last_extent : axes[0].extent;
    if (axes.back().*step <= 0) return {};
    return result;
}

namespace {

/// All but the line's axis; of complex transforms, whose axes are alike, all but the one of the
/// shortest steps, which comes to be the line's. Axes of one element are no axes.
std::vector<Loop> other_axes(FftTask& task) {
    if (task.line.kind == Kind::c2c) {
        std::vector<Loop> axes = task.axes();
        std::erase_if(axes, [](const Loop& axis) { return axis.extent == 1; });
        if (axes.empty()) axes.push_back(task.line_axis());
        task.set_axes(std::move(axes));
    }
    std::vector<Loop> others = task.complex_axes;
    std::erase_if(others, [](const Loop& axis) { return axis.extent == 1; });
    if (task.line.kind == Kind::c2c) others.push_back(task.line_axis());
    std::sort(others.begin(), others.end(),
              [](const Loop& a, const Loop& b) { return a.from > b.from; });
    if (task.line.kind == Kind::c2c) {
        task.set_axes({others.back()});
        others.pop_back();
    }
    return others;
}

/// What is left to transform along the axes `left`, in the array of the complex side, once a call
/// has transformed `done`.
FftTask task_left(const FftTask& task, const std::vector<Loop>& done,
                  const std::vector<Loop>& left) {
    const bool in_source = task.line.kind == Kind::c2r;
    const auto within = [&](Loop loop) {
        (in_source ? loop.to : loop.from) = in_source ? loop.from : loop.to;
        return loop;
    };
    FftTask result{.line = task.line, .in_place = true};
    result.line.kind = Kind::c2c;
    result.set_axes(mapped(left, within));
    for (const Loop& loop : task.looped) result.looped.push_back(within(loop));
    for (const Loop& axis : done) result.looped.push_back(within(axis));
    result.looped.back().extent = task.line.complex_length();
    return result;
}

}  // namespace

std::vector<FftCalls> calls_of(const FftTask& whole) {
    FftTask task = whole;
    std::vector<Loop> left = other_axes(task);
    const std::vector<Loop> axes = axes_of_one_call(task.line, task.line_axis(), left);

    // The call across the two arrays has the axes that are left as loops.
    std::vector<Loop> loops = task.looped;
    loops.insert(loops.end(), left.begin(), left.end());
    std::vector<FftCalls> result = {calls_around(task.line, axes, loops)};
    if (left.empty()) return result;

    const bool before = task.line.kind == Kind::c2r;
    std::vector<FftCalls> more = calls_of(task_left(task, axes, left));
    for (FftCalls& one : more) one.side = before ? FftSide::source : FftSide::target;
    result.insert(before ? result.begin() : result.end(), more.begin(), more.end());
    return result;
}

bool keeps_its_place(const FftTask& task) {
    const Index from = task.line.source().bytes();
    const Index to = task.line.target().bytes();
    const auto stays = [&](const Loop& loop) {
        return loop.extent == 1 || loop.from * from == loop.to * to;
    };
    const bool line_stays = task.line.kind == Kind::c2c ? task.from_step == task.to_step
                                                        : task.from_step == 1 && task.to_step == 1;
    return line_stays && std::all_of(task.looped.begin(), task.looped.end(), stays) &&
           std::all_of(task.complex_axes.begin(), task.complex_axes.end(), stays);
}

FftTask contiguous_task(const FftTask& task) {
    FftTask result = task;
    result.from_offset = result.to_offset = 0;
    result.in_place = result.any_alignment = false;
    result.may_destroy_input = true;
    result.from_step = result.to_step = 1;
    Index from = task.line.source_length();
    Index to = task.line.target_length();
    const auto place = [&](std::vector<Loop>& loops) {
        for (std::size_t i = loops.size(); i-- > 0;) {
            loops[i].from = std::exchange(from, from * loops[i].extent);
            loops[i].to = std::exchange(to, to * loops[i].extent);
        }
    };
    place(result.complex_axes);
    place(result.looped);
    return result;
}

namespace {

/// Of one side: `array` is the step of the task, `memory` that of its contiguous_task.
std::vector<Loop> copied_loops(const FftTask& task, const FftTask& own, Index Loop::*step,
                               Index length, bool gathers) {
    std::vector<Loop> result;
    const auto add = [&](Index extent, Index array, Index memory) {
        result.push_back(gathers ? Loop{extent, array, memory} : Loop{extent, memory, array});
    };
    for (std::size_t i = 0; i < task.looped.size(); ++i) {
        add(task.looped[i].extent, task.looped[i].*step, own.looped[i].*step);
    }
    for (std::size_t i = 0; i < task.complex_axes.size(); ++i) {
        add(task.complex_axes[i].extent, task.complex_axes[i].*step, own.complex_axes[i].*step);
    }
    add(length, task.line_axis().*step, 1);
    return result;
}

}  // namespace

CopyTask gathering(const FftTask& task) {
    const FftTask own = contiguous_task(task);
    return {copied_loops(task, own, &Loop::from, task.line.source_length(), true),
            task.line.source().bytes(), 0, 0};
}

CopyTask scattering(const FftTask& task) {
    const FftTask own = contiguous_task(task);
    return {copied_loops(task, own, &Loop::to, task.line.target_length(), false),
            task.line.target().bytes(), 0, 0};
}

}  // namespace weft::core
