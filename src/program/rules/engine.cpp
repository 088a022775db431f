// A transform by calls of the engine, from one layout to the next.
#include <algorithm>

#include "base/index.hpp"
#include "plan/placement.hpp"
#include "program/layout_tasks.hpp"
#include "program/rules/rule.hpp"

namespace weft::core {

namespace {

/// Whether a task may write where it reads: every element of the result lies where the line it
/// comes from does. For real data complex numbers then cover pairs of real ones.
bool fits_in_place(const FftTask& task) {
    if (!task.line.is_whole()) return false;
    const Index from_unit = task.line.source().numbers();
    const Index to_unit = task.line.target().numbers();
    const auto same = [&](Index from, Index to) { return from * from_unit == to * to_unit; };
    const auto fits = [&](const Loop& loop) {
        return loop.extent == 1 || same(loop.from, loop.to);
    };
    if (!same(task.from_offset, task.to_offset)) return false;
    if (!std::all_of(task.looped.begin(), task.looped.end(), fits)) return false;
    if (!std::all_of(task.complex_axes.begin(), task.complex_axes.end(), fits)) return false;
    const Loop line = task.line_axis();
    if (!halves(task.line.kind)) return fits(line);
    return line.extent == 1 || (line.from == 1 && line.to == 1);
}

/// Some of a stage's axes, between layouts of the rank. `keeps_source`: what they read is to
/// stay as it is.
void add_transform(Lowering& lowering, int stage, const TransformStage& transform,
                   const Layout& from, const Layout& to, bool keeps_source) {
    const int rank = lowering.rank();
    const std::vector<FftTask> tasks = fft_tasks(transform, from, to, rank);
    Value made{to.bytes(rank)};
    const bool fits = std::all_of(tasks.begin(), tasks.end(), fits_in_place);
    if (fits && !keeps_source) made.over = lowering.here;
    made.same_elements = !halves(transform.kind) && transform.kept.empty();
    const bool ends_stage = &to == &lowering.at(stage + 1);
    const ValueId target = ends_stage ? lowering.make(stage + 1, made) : lowering.draft.add(made);
    for (FftTask task : tasks) {
        task.may_destroy_input = !keeps_source;
        lowering.add(stage, TransformOp{task, lowering.here, target});
    }
    lowering.here = target;
}

/// Whether the stage is a c2r transform of several axes whose input stays as it is.
bool keeps_what_c2r_destroys(const Lowering& lowering, int stage) {
    const TransformStage& transform = *lowering.transform(stage);
    return transform.kind == Kind::c2r && transform.axes.size() > 1 && lowering.keeps_source(stage);
}

/// Libraries of devices take longer for complex axes apart from the real one than for a copy and
/// all axes.
bool prefers_copies(const Lowering& lowering) {
    const Placement& place = lowering.plan.placement(lowering.rank());
    return place.own_engines && place.traits.wants_contiguous;
}

}  // namespace

std::optional<std::string> why_not_axis_by_axis(const Lowering& lowering, int stage) {
    const TransformStage& transform = *lowering.transform(stage);
    if (transform.kept.empty()) return "all lines are whole";
    if (transform.axes.size() == 1) return "it has one axis";
    return {};
}

int lower_axis_by_axis(Lowering& lowering, int stage) {
    const TransformStage& transform = *lowering.transform(stage);
    const Layout& end = lowering.at(stage + 1);
    const std::vector<int> order = kept_order(transform);
    const Layout* here = &lowering.at(stage);
    const std::vector<Layout> between = layouts_between_axes(transform, *here, end);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Layout& next = i < between.size() ? between[i] : end;
        add_transform(lowering, stage, part_of(transform, {order[i]}), *here, next,
                      i == 0 && lowering.keeps_source(stage));
        here = &next;
    }
    return stage + 1;
}

std::optional<std::string> why_not_complex_axes_first(const Lowering& lowering, int stage) {
    if (!keeps_what_c2r_destroys(lowering, stage)) {
        return "no c2r transform of several axes must keep its input";
    }
    if (prefers_copies(lowering)) return "the engine takes longer than for a copy";
    return {};
}

int lower_complex_axes_first(Lowering& lowering, int stage) {
    const TransformStage& transform = *lowering.transform(stage);
    const Layout& from = lowering.at(stage);
    const Layout between{from.where, dense(from.format), from.scalar};
    TransformStage complex_axes{transform.axes, Kind::c2c, transform.sign};
    complex_axes.axes.pop_back();
    complex_axes.reproducible = transform.reproducible;
    TransformStage real_axis{{transform.axes.back()}, Kind::c2r, transform.sign};
    real_axis.reproducible = transform.reproducible;
    add_transform(lowering, stage, complex_axes, from, between, true);
    add_transform(lowering, stage, real_axis, between, lowering.at(stage + 1), false);
    return stage + 1;
}

std::optional<std::string> why_not_copy_first(const Lowering& lowering, int stage) {
    if (keeps_what_c2r_destroys(lowering, stage) && prefers_copies(lowering)) return {};
    if (lowering.in_one_array()) {
        const std::vector<FftTask> tasks = fft_tasks(*lowering.transform(stage), lowering.at(stage),
                                                     lowering.at(stage + 1), lowering.rank());
        if (!std::all_of(tasks.begin(), tasks.end(), fits_in_place)) return {};
    }
    return "no array is permuted into itself, and no engine destroys an input that must be kept";
}

int lower_copy_first(Lowering& lowering, int stage) {
    const Layout& from = lowering.at(stage);
    const Layout copied{from.where, dense(from.format), from.scalar};
    const ValueId copy = lowering.draft.add(Value{copied.bytes(lowering.rank())});
    lowering.copy(stage, Purpose::reorder, copies_between(from, copied, lowering.rank()),
                  lowering.here, copy);
    lowering.here = copy;
    add_transform(lowering, stage, *lowering.transform(stage), copied, lowering.at(stage + 1),
                  false);
    return stage + 1;
}

std::optional<std::string> why_not_engine(const Lowering& /*lowering*/, int /*stage*/) {
    return {};
}

int lower_engine(Lowering& lowering, int stage) {
    add_transform(lowering, stage, *lowering.transform(stage), lowering.at(stage),
                  lowering.at(stage + 1), lowering.keeps_source(stage));
    return stage + 1;
}

}  // namespace weft::core
