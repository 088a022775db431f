#include "program/fused.hpp"

#include <algorithm>
#include <utility>

#include "base/index.hpp"
#include "program/layout_tasks.hpp"
#include "program/pass_caches.hpp"

namespace weft::core {

namespace {

Index bytes_of(const StoredBox& stored, const Scalar& scalar) {
    return stored.box.volume() * scalar.bytes();
}

/// The passes over one box of the rank. A pass repeats its work along the slowest axis that is not
/// transformed, for as long as no part begins or ends: it reads lines along the entry axis into
/// scratch memory, transforms the axes in between, and writes lines along the exit axis from there.
/// A single axis needs no scratch memory.
class BoxPasses {
  public:
    BoxPasses(const Plan& plan, std::size_t stage, const StoredBox& before, const StoredBox& after,
              Index shared_cache = 0)
        : transform_(std::get<TransformStage>(plan.stages[stage])),
          source_(plan.at[stage].scalar),
          order_(plan.at[stage + 1].format.order),
          before_(before),
          after_(after),
          caches_(bytes_of(before, source_), bytes_of(after, plan.at[stage + 1].scalar),
                  transform_.writes == Access::layout, shared_cache) {
        if (transform_.reads != Access::layout) entry_ = transform_.entry;
        const bool mirrored = entry_ && !is_single() && entry_ == order_.back();
        if (transform_.writes != Access::layout || mirrored) exit_ = transform_.exit;
        if (is_single()) entry_ = exit_ = transform_.axes.front();
        choose_repeat();
        if (!after_.box.empty() && !is_single()) lay_out_scratch();
    }

    [[nodiscard]] Index scratch_bytes() const { return scratch_bytes_; }
    /// Of the last of the places scratch memory is made, if it is needed.
    void add(Sides sides, const std::vector<Place>& places, PartLimit& limit,
             std::vector<FusedOp>& ops) {
        if (after_.box.empty()) return;
        scratch_.place = static_cast<int>(places.size()) - 1;
        choose_lines(sides);
        if (!repeat_)
            return add_pass({0, 1}, sides, ops.emplace_back(FusedOp{1, places, {}}), limit);
        for (const auto& [span, within] : cut(sides, *repeat_, after_.box)) {
            for (Index i = 0; i < span.count; ++i) {
                FusedOp& op = ops.emplace_back(FusedOp{span.extent, places, {}});
                add_pass({span.begin + i * span.extent, span.extent}, within, op, limit);
            }
        }
    }

  private:
    /// Steps along the repeated axis.
    struct Steps {
        Index first = 0;
        Index count = 1;
    };

    [[nodiscard]] bool is_single() const { return transform_.axes.size() == 1; }
    /// What lies in scratch memory.
    [[nodiscard]] Scalar between() const {
        return {source_.precision, transform_.kind != Kind::r2r || source_.complex};
    }

    /// The slowest axis that is not transformed; with a single transformed axis, one more must
    /// remain for the lanes.
    void choose_repeat() {
        std::vector<int> others;
        for (const int axis : order_) {
            const auto& axes = transform_.axes;
            if (std::count(axes.begin(), axes.end(), axis) == 0) others.push_back(axis);
        }
        if (others.size() > (is_single() ? 1U : 0U)) repeat_ = others.front();
    }

    /// Holds the box without steps along the repeated axis. Rows along the fastest axis have room
    /// for whole tiles; where it is short, as fields that lie in turn are, rows go along the axis
    /// above it as well, unless lines do.
    void lay_out_scratch() {
        const Box& box = transform_.kind == Kind::c2r ? before_.box : after_.box;
        StoredBox& stored = scratch_.where.stored;
        stored = {box, 0, std::vector<Index>(box.lo.size(), 0)};
        const Index tile = tile_bytes / between().bytes();
        std::vector<int> inner(order_.rbegin(), order_.rend());
        if (repeat_) std::erase(inner, *repeat_);
        Index elements = 0;
        Index stride = 1;
        for (auto axis = inner.begin(); axis != inner.end(); ++axis) {
            stored.strides[usize(*axis)] = stride;
            const Index row = stride * box.extent(*axis);
            const bool few = row > 1 && row <= few_lines && axis + 1 != inner.end();
            if (elements == 0 && few && axis[1] != entry_ && axis[1] != exit_) {
                stride = row;
                continue;
            }
            if (elements == 0) {
                elements = stride = (row + tile - 1) / tile * tile;
            } else {
                elements += (box.extent(*axis) - 1) * stride;
                stride *= box.extent(*axis);
            }
            // Rows a power of two of bytes apart would all meet in a few sets of a cache.
            constexpr Index conflict = 512;
            const Index bytes = stride * between().bytes();
            if (bytes >= conflict && bytes % conflict == 0) stride += 128 / between().bytes();
        }
        scratch_bytes_ = (elements * between().bytes() + alignment - 1) / alignment * alignment;
    }

    /// The lines that lie in parts, and the order of these parts.
    void choose_lines(Sides& sides) {
        if (is_single()) {
            first_ = lines(*entry_, sides);
        } else {
            if (entry_) first_ = lines(*entry_, {sides.from, {&scratch_}});
            if (exit_) last_ = lines(*exit_, {{&scratch_}, sides.to});
        }
        const auto sort = [](std::vector<const PlacedBox*>& parts, int axis) {
            std::stable_sort(parts.begin(), parts.end(), [&](const auto* a, const auto* b) {
                return a->where.lo(axis) < b->where.lo(axis);
            });
        };
        if (entry_) sort(sides.from, *entry_);
        if (exit_) sort(sides.to, *exit_);
    }
    [[nodiscard]] Lines lines(int axis, const Sides& sides) const {
        const TransformStage along = core::part_of(transform_, {axis});
        const bool reads_scratch = sides.from.front() == &scratch_;
        const bool writes_scratch = sides.to.front() == &scratch_;
        std::vector<int> around;
        for (const int other : order_) {
            if (other != axis && other != repeat_) around.push_back(other);
        }
        const auto along_line = [&](const PlacedBox* part) {
            return part->where.stride(axis) == 1;
        };
        const bool contiguous = std::any_of(sides.from.begin(), sides.from.end(), along_line) ||
                                std::any_of(sides.to.begin(), sides.to.end(), along_line);
        LineTransform line{.kind = along.kind,
                           .sign = transform_.sign,
                           .precision = source_.precision,
                           .length = std::max(before_.box.extent(axis), after_.box.extent(axis)),
                           .axis = kind_along(along, axis),
                           .reproducible = transform_.reproducible};
        set_kept(line, transform_);
        return {.line = line,
                .complex = transform_.kind == Kind::r2r && source_.complex,
                .caches = caches_.of_lines(contiguous, reads_scratch ? scratch_bytes_ : 0,
                                           writes_scratch),
                .axis = axis,
                .around = lanes_last(std::move(around), sides)};
    }

    void add_pass(const Steps& steps, const Sides& sides, FusedOp& op, PartLimit& limit) const {
        const auto add = [&](const Lines& lines, Box box, const Sides& between) {
            if (repeat_) box.lo[usize(*repeat_)] = steps.first;
            if (repeat_) box.hi[usize(*repeat_)] = steps.first + steps.count;
            add_lines(lines, repeat_, box, between, limit, op);
        };
        if (is_single()) return add(*first_, after_.box, sides);
        op.scratch = op.places[usize(scratch_.place)].buffer;
        op.scratch_bytes = scratch_bytes_;
        // Where lines are read the other axes are as before the stage, elsewhere as after it.
        if (first_) add(*first_, before_.box, {sides.from, {&scratch_}});
        add_between(steps.first, first_ ? scratch_ : *sides.from.front(),
                    last_ ? scratch_ : *sides.to.front(), op);
        if (last_) add(*last_, after_.box, {{&scratch_}, sides.to});
    }

    /// The axes in between, if there are any: of the first step.
    void add_between(Index first, const PlacedBox& from, const PlacedBox& to, FusedOp& op) const {
        std::vector<int> axes = transform_.axes;
        std::erase_if(axes, [&](int axis) { return axis == entry_ || axis == exit_; });
        if (axes.empty()) return;
        const TransformStage rest = core::part_of(transform_, axes);
        const auto step = [&](const StoredBox& stored) {
            Box one = stored.box;
            if (repeat_) one.lo[usize(*repeat_)] = first;
            if (repeat_) one.hi[usize(*repeat_)] = first + 1;
            return part_of(one, stored);
        };
        const bool reads_scratch = &from == &scratch_;
        const bool writes_scratch = &to == &scratch_;
        FftTask task =
            fft_task(rest, source_, step(from.where.stored), step(to.where.stored), order_);
        task.in_place = reads_scratch && writes_scratch;
        task.may_destroy_input = reads_scratch;
        task.caches.far_from = caches_.far() && !reads_scratch;
        task.caches.stream = caches_.stream() && !writes_scratch;
        // A task of reals counts both parts of complex numbers.
        const Index unit = rest.kind == Kind::r2r && source_.complex ? 2 : 1;
        const auto along = [&](const PlacedBox& side) {
            return repeat_ ? unit * side.where.stride(*repeat_) : 0;
        };
        task.any_alignment = along(from) * task.line.source().bytes() % alignment != 0 ||
                             along(to) * task.line.target().bytes() % alignment != 0;
        const auto buffer = [&](const PlacedBox& side) {
            return op.places[usize(side.place)].buffer;
        };
        op.work.emplace_back(
            TransformOp{std::move(task), buffer(from), buffer(to), along(from), along(to)});
    }

    const TransformStage& transform_;
    Scalar source_;
    const std::vector<int>& order_;
    const StoredBox& before_;
    const StoredBox& after_;
    PassCaches caches_;
    std::optional<int> entry_{};  ///< the axes of lines ..
    std::optional<int> exit_{};
    std::optional<int> repeat_{};
    PlacedBox scratch_{{}, 0, true};
    Index scratch_bytes_ = 0;
    std::optional<Lines> first_{};  ///< .. and these lines, where they lie in parts
    std::optional<Lines> last_{};
};

/// The parts of each of the rank's boxes.
std::vector<Sides> by_box(const FusedEnds& ends, std::size_t boxes) {
    std::vector<Sides> result(boxes);
    for (const PlacedBox& part : ends.from) result[usize(part.own)].from.push_back(&part);
    for (const PlacedBox& part : ends.to) result[usize(part.own)].to.push_back(&part);
    return result;
}

}  // namespace

void FusedEnds::add(std::vector<PlacedBox> FusedEnds::*side, int buffer,
                    const std::vector<RegionPart>& parts, int rank) {
    std::vector<PlacedBox>& boxes = this->*side;
    const auto own = static_cast<int>(places.size());
    places.push_back({buffer});
    for (const RegionPart& part : parts) {
        const bool other = part.of_peer && part.peer != rank;
        if (other && places.back().rank != part.peer) places.push_back({buffer, part.peer});
        const int place = other ? static_cast<int>(places.size()) - 1 : own;
        boxes.push_back({part.where, place, part.padded, part.own});
        // Blocks that lie side by side are none.
        std::optional<Blocks>& blocks = boxes.back().where.blocks;
        if (blocks && blocks->step == blocks->extent * boxes.back().where.stride(blocks->axis))
            blocks.reset();
        while (boxes.size() > 1) {
            PlacedBox& before = boxes[boxes.size() - 2];
            const PlacedBox& last = boxes.back();
            if (before.place != last.place || before.own != last.own ||
                !before.where.join(last.where))
                break;
            before.padded = before.padded && last.padded;
            boxes.pop_back();
        }
    }
}

std::vector<FusedOp> fused_transform(const Plan& plan, std::size_t stage, int rank,
                                     const FusedEnds& ends, Index shared_cache) {
    const std::vector<StoredBox> before = plan.at[stage].stored(rank);
    const std::vector<StoredBox> after = plan.at[stage + 1].stored(rank);
    const std::vector<Sides> sides = by_box(ends, before.size());
    PartLimit limit(rank);
    std::vector<FusedOp> ops;
    for (std::size_t i = 0; i < before.size(); ++i) {
        BoxPasses(plan, stage, before[i], after[i], shared_cache)
            .add(sides[i], ends.places, limit, ops);
    }
    return ops;
}

Index fused_scratch_bytes(const Plan& plan, std::size_t stage, int rank) {
    const std::vector<StoredBox> before = plan.at[stage].stored(rank);
    const std::vector<StoredBox> after = plan.at[stage + 1].stored(rank);
    Index most = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        most = std::max(most, BoxPasses(plan, stage, before[i], after[i]).scratch_bytes());
    }
    return most;
}

}  // namespace weft::core
