#include "program/fused.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "exchange/via.hpp"
#include "program/transform_task.hpp"

namespace weft::core {

namespace {

/// Beyond, asking for the next tile's elements pays: some other array has been in the caches since.
constexpr Index far_bytes = Index{1} << 18;
/// Beyond, what lies in scratch memory is not all in the nearer caches.
constexpr Index near_bytes = Index{3} << 17;
/// Beyond, what is written is better read from memory than from another core's caches, and makes
/// room there for what is read.
constexpr Index stream_bytes = Index{3} << 19;

/// Which of a transform's axes may come first (last): a halved axis is r2c's first and c2r's last.
std::vector<int> candidates(const TransformStage& transform, bool first) {
    const bool halved_only = transform.kind == (first ? Kind::r2c : Kind::c2r);
    if (transform.axes.size() == 1 || halved_only) return {transform.axes.back()};
    if (transform.kind == Kind::c2c) return transform.axes;
    return {transform.axes.begin(), transform.axes.end() - 1};
}

/// The axis which the move cuts, rather than one that stays whole; and not the fastest one, so that
/// lines lie side by side.
int best_axis(const std::vector<int>& axes, const Distribution& other_side, int fastest) {
    return *std::max_element(axes.begin(), axes.end(), [&](int a, int b) {
        const auto value = [&](int axis) {
            return (other_side.local(axis) ? 0 : 2) + (axis == fastest ? 0 : 1);
        };
        return value(a) < value(b);
    });
}

std::size_t at(int axis) { return static_cast<std::size_t>(axis); }

Index bytes_of(const StoredBox& stored, const Scalar& scalar) {
    return stored.box.volume() * scalar.bytes();
}

/// Where intervals of an axis begin and end so that no part begins or ends within one.
std::vector<Index> cuts(int axis, const Box& region, const std::vector<PlacedBox>& from,
                        const std::vector<PlacedBox>& to) {
    std::set<Index> all = {region.lo[at(axis)], region.hi[at(axis)]};
    for (const auto* side : {&from, &to}) {
        for (const PlacedBox& part : *side) {
            for (const Index cut : {part.stored.box.lo[at(axis)], part.stored.box.hi[at(axis)]}) {
                if (cut > region.lo[at(axis)] && cut < region.hi[at(axis)]) all.insert(cut);
            }
        }
    }
    return {all.begin(), all.end()};
}

/// Whether the part spans the cell in all axes but `line`.
bool covers(const Box& part, const Box& cell, int line) {
    for (int axis = 0; axis < cell.axes(); ++axis) {
        if (axis == line) continue;
        if (part.lo[at(axis)] > cell.lo[at(axis)] || part.hi[at(axis)] < cell.hi[at(axis)]) {
            return false;
        }
    }
    return true;
}

/// One axis of a stage between parts of the array: which lines there are and how they are gone
/// through.
struct LinesBetween {
    Kind kind = Kind::c2c;
    int sign = -1;
    Precision precision = Precision::f64;
    int axis = 0;
    Index length = 1;
    std::vector<PlacedBox> from;
    std::vector<PlacedBox> to;
    bool far = false;
    bool far_to = false;
    bool stream = false;
};

/// The loops around lines: the repeated one first, lanes of tiles last.
class LoopOrder {
  public:
    /// `repeat`: -1 for none.
    LoopOrder(const LinesBetween& lines, int repeat, const std::vector<int>& order)
        : repeat_(repeat) {
        for (const int axis : order) {
            if (axis != lines.axis && axis != repeat) inner_.push_back(axis);
        }
        if (inner_.empty()) return;
        const auto adjacent = [&](int axis) {
            int value = 0;
            for (const PlacedBox& part : lines.to)
                value |= part.stored.strides[at(axis)] == 1 ? 2 : 0;
            for (const PlacedBox& part : lines.from) {
                value |= part.stored.strides[at(axis)] == 1 ? 1 : 0;
            }
            const Box& some = lines.to.empty() ? Box{} : lines.to.front().stored.box;
            const Index extent = some.lo.empty() ? 0 : some.extent(axis);
            return std::pair(extent > 1 ? value : -1, extent);
        };
        const auto lanes = std::max_element(
            inner_.begin(), inner_.end(), [&](int a, int b) { return adjacent(a) < adjacent(b); });
        std::rotate(lanes, lanes + 1, inner_.end());
    }
    [[nodiscard]] const std::vector<int>& inner() const { return inner_; }
    [[nodiscard]] int lanes() const { return inner_.empty() ? -1 : inner_.back(); }
    [[nodiscard]] std::vector<Index> of_box(const Box& box) const {
        return picked([&](int axis) { return box.extent(axis); }, 1);
    }
    [[nodiscard]] std::vector<Index> of_strides(const std::vector<Index>& strides) const {
        return picked([&](int axis) { return strides[at(axis)]; }, 0);
    }

  private:
    template <class Value>
    [[nodiscard]] std::vector<Index> picked(const Value& value, Index none) const {
        std::vector<Index> result = {repeat_ == -1 ? none : value(repeat_)};
        for (const int axis : inner_) result.push_back(value(axis));
        if (inner_.empty()) result.push_back(none);
        return result;
    }

    int repeat_;
    std::vector<int> inner_;
};

std::vector<LinePart> parts_of_cell(const std::vector<PlacedBox>& side, const Box& cell, int line,
                                    const LoopOrder& loops) {
    std::vector<LinePart> result;
    for (const PlacedBox& part : side) {
        const StoredBox& stored = part.stored;
        if (!covers(stored.box, cell, line)) continue;
        Index offset = stored.offset;
        for (int axis = 0; axis < cell.axes(); ++axis) {
            if (axis == line) continue;
            offset += (cell.lo[at(axis)] - stored.box.lo[at(axis)]) * stored.strides[at(axis)];
        }
        result.push_back({part.place, stored.box.lo[at(line)], stored.box.extent(line), offset,
                          stored.strides[at(line)], loops.of_strides(stored.strides)});
    }
    return result;
}

/// Whether all parts of the cell can be read (written) up to the end of a last tile of lanes.
bool has_room(const std::vector<PlacedBox>& side, const Box& cell, int line, int lanes,
              Index tile) {
    return lanes != -1 && std::all_of(side.begin(), side.end(), [&](const PlacedBox& part) {
               const Box& box = part.stored.box;
               if (!covers(box, cell, line)) return true;
               const Index begin = cell.lo[at(lanes)] - box.lo[at(lanes)];
               const bool ends_there = cell.hi[at(lanes)] == box.hi[at(lanes)];
               return part.padded && part.stored.strides[at(lanes)] == 1 && begin % tile == 0 &&
                      (ends_there || cell.extent(lanes) % tile == 0);
           });
}

/// Of the lines in `region`, tasks for as many cells as the parts' edges make.
void add_lines(const LinesBetween& lines, const Box& region, int repeat,
               const std::vector<int>& order, FusedOp& op) {
    const LoopOrder loops(lines, repeat, order);
    Box cell = region;
    const auto add_cells = [&](const auto& self, std::size_t depth) -> void {
        if (depth < loops.inner().size()) {
            const int axis = loops.inner()[depth];
            const std::vector<Index> ends = cuts(axis, region, lines.from, lines.to);
            for (std::size_t i = 1; i < ends.size(); ++i) {
                cell.lo[at(axis)] = ends[i - 1];
                cell.hi[at(axis)] = ends[i];
                self(self, depth + 1);
            }
            return;
        }
        PartsTask task{lines.kind, lines.sign, lines.precision, lines.length, loops.of_box(cell),
                       {},         {},         lines.far,       lines.far_to, lines.stream};
        task.from = parts_of_cell(lines.from, cell, lines.axis, loops);
        task.to = parts_of_cell(lines.to, cell, lines.axis, loops);
        const Index tile = tile_bytes / Scalar{lines.precision, true}.bytes();
        task.reads_beyond = has_room(lines.from, cell, lines.axis, loops.lanes(), tile);
        task.writes_beyond = has_room(lines.to, cell, lines.axis, loops.lanes(), tile);
        op.work.emplace_back(std::move(task));
    };
    add_cells(add_cells, 0);
}

/// The passes over one box of the rank.
class BoxPasses {
  public:
    BoxPasses(const Plan& plan, std::size_t stage, const StoredBox& before, const StoredBox& after,
              const FusedEnds& ends)
        : transform_(std::get<TransformStage>(plan.stages[stage])),
          source_(plan.at[stage].scalar),
          target_(plan.at[stage + 1].scalar),
          order_(plan.at[stage + 1].format.order),
          before_(before),
          after_(after),
          from_(ends.from ? meeting(*ends.from, before.box)
                          : std::vector<PlacedBox>{{before, source_place}}),
          to_(ends.to ? meeting(*ends.to, after.box)
                      : std::vector<PlacedBox>{{after, target_place}}) {
        if (ends.from) entry_ = entry_axis(plan, stage);
        if (ends.to) exit_ = exit_axis(plan, stage);
        far_ = bytes_of(before, source_) > far_bytes;
        stream_ = bytes_of(after, target_) > stream_bytes;
        choose_repeat();
    }

    /// Bytes of scratch memory; transforms of one axis need none.
    [[nodiscard]] Index scratch_bytes() const {
        return after_.box.empty() || transform_.axes.size() == 1 ? 0 : room_of_scratch();
    }
    void add(const std::vector<Place>& places, std::vector<FusedOp>& ops) const {
        if (after_.box.empty()) return;
        if (repeat_ == -1) {
            add_work({0, 1}, ops.emplace_back(FusedOp{1, places, {}}));
            return;
        }
        const std::vector<Index> ends = cuts(repeat_, after_.box, from_, to_);
        for (std::size_t i = 1; i < ends.size(); ++i) {
            const Steps steps{ends[i - 1], ends[i]};
            add_work(steps, ops.emplace_back(FusedOp{steps.end - steps.begin, places, {}}));
        }
    }

  private:
    /// Of the repeated axis, if there is one.
    struct Steps {
        Index begin = 0;
        Index end = 1;
    };
    [[nodiscard]] Box restricted(Box box, const Steps& steps) const {
        if (repeat_ == -1) return box;
        box.lo[at(repeat_)] = steps.begin;
        box.hi[at(repeat_)] = steps.end;
        return box;
    }

    static std::vector<PlacedBox> meeting(const std::vector<PlacedBox>& all, const Box& box) {
        std::vector<PlacedBox> result;
        for (const PlacedBox& part : all) {
            if (!intersect(part.stored.box, box).empty()) result.push_back(part);
        }
        return result;
    }

    /// The slowest axis that is not transformed; with a single transformed axis, one more must
    /// remain for the lanes.
    void choose_repeat() {
        std::vector<int> others;
        for (const int axis : order_) {
            const auto& axes = transform_.axes;
            if (std::count(axes.begin(), axes.end(), axis) == 0) others.push_back(axis);
        }
        const bool single = transform_.axes.size() == 1;
        if (others.size() > (single ? 1U : 0U)) repeat_ = others.front();
    }

    /// The box that scratch memory holds, without steps along the repeated axis.
    [[nodiscard]] StoredBox scratch() const {
        StoredBox result{transform_.kind == Kind::c2r ? before_.box : after_.box, 0, {}};
        result.strides.assign(result.box.lo.size(), 0);
        Index stride = 1;
        for (auto axis = order_.rbegin(); axis != order_.rend(); ++axis) {
            if (*axis == repeat_) continue;
            result.strides[at(*axis)] = stride;
            stride *= stride == 1 ? row_room() : result.box.extent(*axis);
            // Rows a power of two of bytes apart would all meet in a few sets of a cache.
            constexpr Index conflict = 512;
            const Index bytes = stride * complex().bytes();
            if (bytes >= conflict && bytes % conflict == 0) stride += 128 / complex().bytes();
        }
        return result;
    }
    /// Of whole tiles along the fastest axis.
    [[nodiscard]] Index row_room() const {
        const int fastest = order_.back() == repeat_ ? *(order_.end() - 2) : order_.back();
        const Box& box = transform_.kind == Kind::c2r ? before_.box : after_.box;
        const Index tile = tile_bytes / complex().bytes();
        return (box.extent(fastest) + tile - 1) / tile * tile;
    }
    [[nodiscard]] Scalar complex() const { return {source_.precision, true}; }
    [[nodiscard]] Index room_of_scratch() const {
        const StoredBox stored = scratch();
        Index elements = row_room();
        for (int axis = 0; axis < stored.box.axes(); ++axis) {
            if (stored.strides[at(axis)] == 1) continue;
            if (axis != repeat_)
                elements += (stored.box.extent(axis) - 1) * stored.strides[at(axis)];
        }
        return (elements * complex().bytes() + alignment - 1) / alignment * alignment;
    }

    [[nodiscard]] LinesBetween lines(int axis, std::vector<PlacedBox> from,
                                     std::vector<PlacedBox> to) const {
        LinesBetween result;
        const bool halved = axis == transform_.axes.back();
        result.kind = halved ? transform_.kind : Kind::c2c;
        result.sign = transform_.sign;
        result.precision = source_.precision;
        result.axis = axis;
        result.length = std::max(before_.box.extent(axis), after_.box.extent(axis));
        result.far = from.front().place == scratch_place ? scratch_bytes() > near_bytes : far_;
        result.stream = stream_ && to.front().place != scratch_place;
        result.far_to = far_ && to.front().place != scratch_place;
        result.from = std::move(from);
        result.to = std::move(to);
        return result;
    }

    /// What is left of the stage without some axes, from one box to another, for one step of the
    /// repeated axis.
    [[nodiscard]] FusedBatch batch(const std::vector<int>& without, const PlacedBox& from,
                                   const PlacedBox& to, const Steps& steps) const {
        TransformStage rest = transform_;
        std::erase_if(rest.axes, [&](int axis) {
            return std::count(without.begin(), without.end(), axis) != 0;
        });
        const int halved = transform_.axes.back();
        if (rest.axes.empty() || rest.axes.back() != halved) rest.kind = Kind::c2c;
        const auto step = [&](StoredBox stored) {
            if (repeat_ == -1) return stored;
            const auto g = at(repeat_);
            stored.offset += (steps.begin - stored.box.lo[g]) * stored.strides[g];
            stored.box = restricted(stored.box, {steps.begin, steps.begin + 1});
            return stored;
        };
        FusedBatch result{
            fft_task(rest, source_.precision, step(from.stored), step(to.stored), order_),
            from.place, to.place, 0, 0};
        result.task.in_place = from.place == to.place;
        result.task.may_destroy_input = from.place == scratch_place;
        result.task.far = far_ && from.place != scratch_place;
        result.task.stream = stream_ && to.place != scratch_place;
        if (repeat_ != -1) {
            result.from_step = from.stored.strides[at(repeat_)];
            result.to_step = to.stored.strides[at(repeat_)];
            const auto aligned = [](Index step, const Scalar& scalar) {
                return step * scalar.bytes() % alignment == 0;
            };
            result.task.any_alignment = !aligned(result.from_step, result.task.source()) ||
                                        !aligned(result.to_step, result.task.target());
        }
        return result;
    }

    void add_work(const Steps& steps, FusedOp& op) const {
        // Where lines are read the other axes are as before the stage, elsewhere as after it.
        const Box read = restricted(before_.box, steps);
        const Box written = restricted(after_.box, steps);
        if (transform_.axes.size() == 1) {
            add_lines(lines(transform_.axes.front(), from_, to_), written, repeat_, order_, op);
            return;
        }
        op.scratch = scratch_place;
        op.scratch_bytes = scratch_bytes();
        const PlacedBox between{scratch(), scratch_place, true};
        std::vector<int> apart;
        if (entry_ != -1) {
            add_lines(lines(entry_, from_, {between}), read, repeat_, order_, op);
            apart.push_back(entry_);
        }
        if (exit_ != -1) apart.push_back(exit_);
        const PlacedBox source = entry_ != -1 ? between : from_.front();
        const PlacedBox target = exit_ != -1 ? between : to_.front();
        if (apart.size() < transform_.axes.size()) {
            op.work.emplace_back(batch(apart, source, target, steps));
        }
        if (exit_ != -1) add_lines(lines(exit_, {between}, to_), written, repeat_, order_, op);
    }

    const TransformStage& transform_;
    Scalar source_;
    Scalar target_;
    std::vector<int> order_;
    StoredBox before_;
    StoredBox after_;
    std::vector<PlacedBox> from_;
    std::vector<PlacedBox> to_;
    int entry_ = -1;
    int exit_ = -1;
    int repeat_ = -1;
    bool far_ = false;
    bool stream_ = false;
};

}  // namespace

bool is_fused(const Plan& plan, std::size_t stage) {
    const RedistributionStage* move = redistribution_at(plan, stage);
    return move != nullptr && is_fused(*move);
}

int entry_axis(const Plan& plan, std::size_t stage) {
    const TransformStage* transform = transform_at(plan, stage);
    if (transform == nullptr) return -1;
    return best_axis(candidates(*transform, true), plan.at[stage - 1].where,
                     plan.at[stage].format.order.back());
}

int exit_axis(const Plan& plan, std::size_t stage) {
    const TransformStage* transform = transform_at(plan, stage);
    if (transform == nullptr) return -1;
    std::vector<int> axes = candidates(*transform, false);
    if (axes.size() > 1 && transform->reads != Access::layout)
        std::erase(axes, entry_axis(plan, stage));
    return best_axis(axes, plan.at[stage + 2].where, plan.at[stage + 1].format.order.back());
}

std::vector<FusedOp> fused_transform(const Plan& plan, std::size_t stage, int rank,
                                     const FusedEnds& ends, const std::vector<int>& peers,
                                     const std::vector<int>& readers) {
    std::vector<Place> places;
    places.reserve(static_cast<std::size_t>(first_peer_place) + peers.size() + readers.size());
    for (int own = 0; own < first_peer_place; ++own) places.push_back({own, -1});
    for (const int peer : peers) places.push_back({source_place, peer});
    for (const int reader : readers) places.push_back({target_place, reader});
    const std::vector<StoredBox> before = plan.at[stage].stored(rank);
    const std::vector<StoredBox> after = plan.at[stage + 1].stored(rank);
    std::vector<FusedOp> ops;
    for (std::size_t i = 0; i < before.size(); ++i) {
        BoxPasses(plan, stage, before[i], after[i], ends).add(places, ops);
    }
    return ops;
}

Index fused_scratch_bytes(const Plan& plan, std::size_t stage, int rank) {
    const std::vector<StoredBox> before = plan.at[stage].stored(rank);
    const std::vector<StoredBox> after = plan.at[stage + 1].stored(rank);
    Index most = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        most = std::max(most, BoxPasses(plan, stage, before[i], after[i], {}).scratch_bytes());
    }
    return most;
}

}  // namespace weft::core
