#include "program/box_passes.hpp"

#include <algorithm>
#include <utility>

#include "base/index.hpp"
#include "program/layout_tasks.hpp"

namespace weft::core {

BoxPasses::BoxPasses(const Plan& plan, std::size_t stage, const StoredBox& before,
                     const StoredBox& after, const PassCaches& caches)
    : transform_(std::get<TransformStage>(plan.stages[stage])),
      source_(plan.at[stage].scalar),
      order_(plan.at[stage + 1].format.order),
      before_(before),
      after_(after),
      caches_(caches),
      gathers_(transform_.reads != Access::layout && plan.at[stage - 1].where.sparse()),
      scatters_(transform_.writes != Access::layout && plan.at[stage + 2].where.sparse()) {
    if (transform_.reads != Access::layout && !gathers_) entry_ = transform_.entry;
    const bool mirrored = entry_ && entry_ == order_.back();
    const bool has_exit = transform_.writes != Access::layout || mirrored;
    if (has_exit && !scatters_) exit_ = transform_.exit;
    if (is_single()) entry_ = exit_ = transform_.axes.front();
    choose_repeat();
    if (after_.box.empty() || is_single()) return;
    choose_between();
    lay_out_scratch();
}

void BoxPasses::add(Sides sides, const std::vector<BufferRef>& places, PartLimit& limit,
                    std::vector<FusedOp>& ops) {
    if (after_.box.empty() || sides.to.empty()) return;
    entered_.place = left_.place = static_cast<int>(places.size()) - 1;
    choose_lines(sides);
    if (!repeat_) return add_pass({0, 1}, sides, ops.emplace_back(FusedOp{1, places, {}}), limit);
    for (const auto& [span, within] : cut(sides, *repeat_, after_.box)) {
        for (Index i = 0; i < span.count; ++i) {
            FusedOp& op = ops.emplace_back(FusedOp{span.extent, places, {}});
            add_pass({span.begin + i * span.extent, span.extent}, within, op, limit);
        }
    }
}

/// The slowest axis that is not transformed; with a single transformed axis, one more must
/// remain for the lanes.
void BoxPasses::choose_repeat() {
    std::vector<int> others;
    for (const int axis : order_) {
        const auto& axes = transform_.axes;
        if (std::count(axes.begin(), axes.end(), axis) == 0) others.push_back(axis);
    }
    if (others.size() > (is_single() ? 1U : 0U)) repeat_ = others.front();
}

/// The axes between the lines of the entry axis and those of the exit axis, in groups that are
/// transformed together: lines of which a part is kept are alone.
void BoxPasses::choose_between() {
    std::vector<int> axes = transform_.axes;
    const auto has_lines = [&](int axis) { return axis == entry_ || axis == exit_; };
    std::erase_if(axes, has_lines);
    if (axes.empty()) return;
    const TransformStage rest = core::part_of(transform_, axes);
    if (rest.kept.empty()) {
        between_ = {axes};
        return;
    }
    for (const int axis : kept_order(rest)) between_.push_back({axis});
    // Contiguous lines that keep a part are copied as well, so they are transformed while there are
    // fewest: first where parts are gathered, and last where they are scattered.
    if (rest.reproducible || halves(rest.kind) || gathers_ == scatters_) return;
    std::stable_partition(between_.begin(), between_.end(), [&](const std::vector<int>& group) {
        return (group.front() == order_.back()) == gathers_;
    });
}

/// The box once some axes are transformed, as those have it behind the stage.
Box BoxPasses::with_done(const std::vector<int>& done) const {
    Box box = before_.box;
    for (const int axis : done) {
        box.lo[usize(axis)] = after_.box.lo[usize(axis)];
        box.hi[usize(axis)] = after_.box.hi[usize(axis)];
    }
    return box;
}

/// Along each axis there is room for as many elements as are ever there.
void BoxPasses::lay_out_scratch() {
    std::vector<Box> held;
    std::vector<int> done;
    if (gathers_) held.push_back(before_.box);
    if (entry_) held.push_back(with_done(done = {*entry_}));
    for (const std::vector<int>& group : between_) {
        done.insert(done.end(), group.begin(), group.end());
        held.push_back(with_done(done));
    }
    if (!exit_ && !scatters_) held.pop_back();
    Box largest = held.front();
    for (const Box& box : held) {
        for (const int axis : transform_.axes) {
            const auto a = usize(axis);
            largest.hi[a] = std::max(largest.hi[a], box.hi[a]);
        }
    }
    std::vector<int> lines;
    if (entry_) lines.push_back(*entry_);
    if (exit_) lines.push_back(*exit_);
    scratch_ = pass_scratch(largest, between(), order_, repeat_, lines);
    if (entry_ || gathers_) entered_.where.stored = in_scratch(held.front());
    if (exit_ || scatters_) left_.where.stored = in_scratch(held.back());
}

/// The lines that lie in parts, and the order of these parts.
void BoxPasses::choose_lines(Sides& sides) {
    if (is_single()) {
        first_ = lines(*entry_, sides);
    } else {
        if (entry_) first_ = lines(*entry_, {sides.from, {&entered_}});
        if (exit_) last_ = lines(*exit_, {{&left_}, sides.to});
    }
    const auto sort = [](std::vector<const PlacedBox*>& parts, int axis) {
        std::stable_sort(parts.begin(), parts.end(), [&](const auto* a, const auto* b) {
            return a->where.lo(axis) < b->where.lo(axis);
        });
    };
    if (entry_) sort(sides.from, *entry_);
    if (exit_) sort(sides.to, *exit_);
}
Lines BoxPasses::lines(int axis, const Sides& sides) const {
    const TransformStage along = core::part_of(transform_, {axis});
    const bool reads_scratch = sides.from.front() == &left_;
    const bool writes_scratch = sides.to.front() == &entered_;
    std::vector<int> around;
    for (const int other : order_) {
        if (other != axis && other != repeat_) around.push_back(other);
    }
    const auto along_line = [&](const PlacedBox* part) { return part->where.stride(axis) == 1; };
    const bool contiguous = std::any_of(sides.from.begin(), sides.from.end(), along_line) ||
                            std::any_of(sides.to.begin(), sides.to.end(), along_line);
    LineTransform line{.kind = along.kind,
                       .sign = transform_.sign,
                       .precision = source_.precision,
                       .length = std::max(before_.box.extent(axis), after_.box.extent(axis)),
                       .axis = kind_along(along, axis),
                       .reproducible = transform_.reproducible};
    set_kept(line, transform_, axis);
    return {
        .line = line,
        .complex = transform_.kind == Kind::r2r && source_.complex,
        .caches = caches_.of_lines(contiguous, reads_scratch ? scratch_.bytes : 0, writes_scratch),
        .axis = axis,
        .around = lanes_last(std::move(around), sides)};
}

void BoxPasses::add_pass(const Steps& steps, const Sides& sides, FusedOp& op,
                         PartLimit& limit) const {
    const auto add = [&](const Lines& lines, Box box, const Sides& between) {
        if (repeat_) box.lo[usize(*repeat_)] = steps.first;
        if (repeat_) box.hi[usize(*repeat_)] = steps.first + steps.count;
        add_lines(lines, repeat_, box, between, limit, op);
    };
    if (is_single()) return add(*first_, after_.box, sides);
    op.scratch = op.places[usize(entered_.place)].buffer;
    op.scratch_bytes = scratch_.bytes;
    // Where lines are read the other axes are as before the stage, elsewhere as after it.
    if (gathers_) add_gather(steps.first, sides.from, op);
    if (first_) add(*first_, before_.box, {sides.from, {&entered_}});
    add_between(steps.first, sides, op);
    if (last_) add(*last_, after_.box, {{&left_}, sides.to});
    if (scatters_) add_scatter(steps.first, sides.to, op);
    limit.count((gathers_ ? sides.from.size() : 0) + (scatters_ ? sides.to.size() : 0));
}

/// What there is of a box in one step.
Box BoxPasses::step_of(Box box, Index step) const {
    if (!repeat_) return box;
    box.lo[usize(*repeat_)] = step;
    box.hi[usize(*repeat_)] = step + 1;
    return box;
}

BoxPasses::StepSlices BoxPasses::slices_of(Index first, const BlockedBox& part,
                                           const StoredBox& scratch) const {
    BlockedBox here = part;
    if (repeat_) {
        here.stored.offset += part.distance(*repeat_, first);
        if (part.cuts(*repeat_)) here.blocks.reset();
    }
    here.stored.box = step_of(part.stored.box, first);
    BlockedBox there{part_of(here.stored.box, scratch), here.blocks};
    if (there.blocks) there.blocks->step = there.blocks->extent * there.stride(there.blocks->axis);
    return {here.slice(order_), there.slice(order_), repeat_ ? part.stride(*repeat_) : 0};
}

void BoxPasses::add_gather(Index first, const std::vector<const PlacedBox*>& parts,
                           FusedOp& op) const {
    const StoredBox& scratch = entered_.where.stored;
    const Index bytes = between().bytes();
    const Box box = step_of(scratch.box, first);
    op.work.emplace_back(FusedClear{BlockedBox{part_of(box, scratch)}.slice(order_), bytes,
                                    entered_.place, box, repeat_});
    for (const PlacedBox* part : parts) {
        const StepSlices slices = slices_of(first, part->where, scratch);
        op.work.emplace_back(FusedCopy{copy_task(slices.part, slices.scratch, bytes), part->place,
                                       entered_.place, slices.step, 0});
    }
}

void BoxPasses::add_scatter(Index first, const std::vector<const PlacedBox*>& parts,
                            FusedOp& op) const {
    for (const PlacedBox* part : parts) {
        const StepSlices slices = slices_of(first, part->where, left_.where.stored);
        op.work.emplace_back(
            FusedCopy{.task = copy_task(slices.scratch, slices.part, between().bytes()),
                      .from = left_.place,
                      .to = part->place,
                      .to_step = slices.step});
    }
}

/// The axes in between, if there are any: of the first step.
void BoxPasses::add_between(Index first, const Sides& sides, FusedOp& op) const {
    std::vector<int> done;
    if (entry_) done.push_back(*entry_);
    for (std::size_t i = 0; i < between_.size(); ++i) {
        const bool reads_scratch = entry_ || gathers_ || i > 0;
        const bool writes_scratch = exit_ || scatters_ || i + 1 < between_.size();
        const Box here = with_done(done);
        done.insert(done.end(), between_[i].begin(), between_[i].end());
        const Box next = with_done(done);
        add_group(first, between_[i],
                  reads_scratch
                      ? Side{in_scratch(here), entered_.place, true}
                      : Side{sides.from.front()->where.stored, sides.from.front()->place, false},
                  writes_scratch
                      ? Side{in_scratch(next), entered_.place, true}
                      : Side{sides.to.front()->where.stored, sides.to.front()->place, false},
                  op);
    }
}
void BoxPasses::add_group(Index first, const std::vector<int>& axes, const Side& from,
                          const Side& to, FusedOp& op) const {
    const TransformStage rest = core::part_of(transform_, axes);
    const auto step = [&](const StoredBox& stored) {
        Box one = stored.box;
        if (repeat_) one.lo[usize(*repeat_)] = first;
        if (repeat_) one.hi[usize(*repeat_)] = first + 1;
        return part_of(one, stored);
    };
    FftTask task = fft_task(rest, source_, step(from.stored), step(to.stored), order_);
    task.in_place = from.is_scratch && to.is_scratch;
    task.may_destroy_input = from.is_scratch;
    task.caches.far_from = caches_.far() && !from.is_scratch;
    task.caches.stream = caches_.stream() && !to.is_scratch;
    // A task of reals counts both parts of complex numbers.
    const Index unit = rest.kind == Kind::r2r && source_.complex ? 2 : 1;
    const auto along = [&](const Side& side) {
        return repeat_ ? unit * side.stored.strides[usize(*repeat_)] : 0;
    };
    task.any_alignment = along(from) * task.line.source().bytes() % alignment != 0 ||
                         along(to) * task.line.target().bytes() % alignment != 0;
    const auto buffer = [&](const Side& side) { return op.places[usize(side.place)].buffer; };
    op.work.emplace_back(
        TransformOp{std::move(task), buffer(from), buffer(to), along(from), along(to)});
}

}  // namespace weft::core
