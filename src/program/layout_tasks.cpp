#include "program/layout_tasks.hpp"

#include <algorithm>
#include <utility>

#include "base/index.hpp"
#include "program/real_parts.hpp"

namespace weft::core {

namespace {

/// The axes as a task lists them: those of a reproducible one so that they are done in axis_order,
/// the last one first, but the line of c2r last.
std::vector<int> listed_axes(const TransformStage& transform) {
    if (!transform.reproducible) return transform.axes;
    std::vector<int> axes = axis_order(transform);
    std::reverse(axes.begin(), axes.end() - (transform.kind == Kind::c2r ? 1 : 0));
    return axes;
}

/// Whether a batch goes on with the lines of the next one: boxes of columns that follow each other
/// in memory are one batch. Then it has them as well.
bool take_along(FftTask& batch, const FftTask& next) {
    if (batch.looped.size() > 1 || next.looped.size() > 1) return false;
    const Loop one = batch.looped.empty() ? Loop{} : batch.looped.front();
    const Loop more = next.looped.empty() ? Loop{} : next.looped.front();
    const Index from = next.from_offset - batch.from_offset;
    const Index to = next.to_offset - batch.to_offset;
    if (from % one.extent != 0 || to % one.extent != 0) return false;
    const Loop all{one.extent + more.extent, from / one.extent, to / one.extent};
    const auto steps_like = [&](const Loop& loop) {
        return loop.extent == 1 || (loop.from == all.from && loop.to == all.to);
    };
    if (!steps_like(one) || !steps_like(more)) return false;
    FftTask like = next;
    like.looped = batch.looped;
    like.from_offset = batch.from_offset;
    like.to_offset = batch.to_offset;
    if (like != batch) return false;
    batch.looped = {all};
    return true;
}

}  // namespace

FftTask fft_task(const TransformStage& transform, const Scalar& source, const StoredBox& from,
                 const StoredBox& to, const std::vector<int>& order) {
    FftTask task{.line = {.kind = transform.kind,
                          .sign = transform.sign,
                          .precision = source.precision,
                          .reproducible = transform.reproducible},
                 .from_offset = from.offset,
                 .to_offset = to.offset};
    const auto loop = [&](int axis) {
        const auto a = usize(axis);
        // The logical length of an r2c axis is that of the real side.
        const Index extent = std::max(from.box.extent(axis), to.box.extent(axis));
        return Loop{extent, from.strides[a], to.strides[a]};
    };
    const std::vector<int> listed = listed_axes(transform);
    std::vector<Loop> axes;
    std::vector<AxisKind> kinds;
    axes.reserve(listed.size());
    for (const int axis : listed) {
        axes.push_back(loop(axis));
        kinds.push_back(kind_along(transform, axis));
    }
    task.set_axes(std::move(axes));
    if (listed.size() == 1) set_kept(task.line, transform, listed.front());
    if (transform.kind == Kind::r2r) task.set_axis_kinds(std::move(kinds));
    for (const int axis : order) {
        if (std::count(transform.axes.begin(), transform.axes.end(), axis) != 0) continue;
        task.looped.push_back(loop(axis));
    }
    return transform.kind == Kind::r2r && source.complex ? on_real_parts(std::move(task)) : task;
}

std::vector<FftTask> fft_tasks(const TransformStage& transform, const Layout& from,
                               const Layout& to, int rank) {
    const std::vector<StoredBox> sources = from.stored(rank);
    const std::vector<StoredBox> targets = to.stored(rank);
    std::vector<FftTask> tasks;
    tasks.reserve(sources.size());
    for (std::size_t i = 0; i < sources.size(); ++i) {
        FftTask task = fft_task(transform, from.scalar, sources[i], targets[i], from.format.order);
        if (sources.size() > 1) task.looped = merged(std::move(task.looped));
        if (tasks.empty() || !take_along(tasks.back(), task)) tasks.push_back(std::move(task));
    }
    return tasks;
}

std::vector<Layout> layouts_between_axes(const TransformStage& transform, const Layout& from,
                                         const Layout& to) {
    std::vector<Layout> result;
    std::vector<Index> shape = from.where.shape();
    for (const int axis : kept_order(transform)) {
        shape[usize(axis)] = to.where.shape()[usize(axis)];
        const Scalar& scalar = transform.kind == Kind::c2r ? from.scalar : to.scalar;
        result.push_back({from.where.reshaped(shape), dense(from.format), scalar});
    }
    result.pop_back();
    return result;
}

std::vector<CopyTask> copies_between(const Layout& from, const Layout& to, int rank) {
    const std::vector<StoredBox> sources = from.stored(rank);
    const std::vector<StoredBox> targets = to.stored(rank);
    const std::vector<int>& order = to.format.order;
    std::vector<CopyTask> copies;
    copies.reserve(sources.size());
    for (std::size_t i = 0; i < sources.size(); ++i) {
        copies.push_back(copy_task(slice_of(sources[i].box, sources[i], order),
                                   slice_of(targets[i].box, targets[i], order),
                                   from.scalar.bytes()));
    }
    return copies;
}

Slice real_numbers(const Slice& elements, Index width) {
    std::vector<Run> all = elements.runs;
    for (Run& run : all) run.stride *= width;
    if (width > 1) all.push_back({width, 1});
    Slice result{elements.offset * width, {}};
    for (const Run& run : all) {
        if (run.extent == 1) continue;
        const bool follows =
            !result.runs.empty() && result.runs.back().stride == run.extent * run.stride;
        if (follows) {
            result.runs.back() = {result.runs.back().extent * run.extent, run.stride};
        } else {
            result.runs.push_back(run);
        }
    }
    return result;
}

std::vector<Slice> real_slices(const Layout& layout, int rank) {
    std::vector<Slice> result;
    for (const StoredBox& stored : layout.stored(rank)) {
        result.push_back(real_numbers(slice_of(stored.box, stored, layout.format.order),
                                      layout.scalar.numbers()));
    }
    return result;
}

}  // namespace weft::core
