#include "program/fused.hpp"

#include <algorithm>
#include <utility>

#include "exchange/via.hpp"
#include "program/layout_tasks.hpp"

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
          from_(ends.from ? *ends.from : std::vector<PlacedBox>{{{before}, source_place}}),
          to_(ends.to ? *ends.to : std::vector<PlacedBox>{{{after}, target_place}}) {
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
    void add(const FusedOp::Places& places, PartLimit& limit, std::vector<FusedOp>& ops) const {
        if (after_.box.empty()) return;
        std::optional<Passes> passes;
        if (repeat_) passes.emplace(*repeat_, after_.box, from_, to_);
        const Cells cells = this->cells(passes);
        const std::size_t count = passes ? passes->count() : 1;
        for (std::size_t pass = 0; pass < count; ++pass) {
            FusedOp& op = ops.emplace_back(FusedOp{passes ? passes->steps(pass) : 1, places, {}});
            if (cells.first) cells.first->add(pass, limit, op);
            if (transform_.axes.size() == 1) continue;
            op.scratch = scratch_place;
            op.scratch_bytes = scratch_bytes();
            add_batch(passes ? passes->ends[pass] : 0, op);
            if (cells.last) cells.last->add(pass, limit, op);
        }
    }

  private:
    /// Of the axes that are transformed first and last, where these lie in parts.
    struct Cells {
        std::optional<LineCells> first;
        std::optional<LineCells> last;
    };
    /// Where lines are read the other axes are as before the stage, elsewhere as after it.
    [[nodiscard]] Cells cells(const std::optional<Passes>& passes) const {
        Cells result;
        if (transform_.axes.size() == 1) {
            result.first.emplace(lines(transform_.axes.front(), from_, to_), after_.box, order_,
                                 passes);
            return result;
        }
        if (entry_) {
            result.first.emplace(lines(*entry_, from_, {between()}), before_.box, order_, passes);
        }
        if (exit_) {
            result.last.emplace(lines(*exit_, {between()}, to_), after_.box, order_, passes);
        }
        return result;
    }
    [[nodiscard]] PlacedBox between() const { return {{scratch()}, scratch_place, true}; }

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
            if (axis == repeat_ || stored.strides[at(axis)] == 1) continue;
            elements += (stored.box.extent(axis) - 1) * stored.strides[at(axis)];
        }
        return (elements * complex().bytes() + alignment - 1) / alignment * alignment;
    }

    [[nodiscard]] LinesBetween lines(int axis, std::vector<PlacedBox> from,
                                     std::vector<PlacedBox> to) const {
        const bool halved = axis == transform_.axes.back();
        const bool reads_scratch = from.front().place == scratch_place;
        const bool writes_scratch = to.front().place == scratch_place;
        return {.line = {.kind = halved ? transform_.kind : Kind::c2c,
                         .sign = transform_.sign,
                         .precision = source_.precision,
                         .length = std::max(before_.box.extent(axis), after_.box.extent(axis))},
                .caches = {.far_from = reads_scratch ? scratch_bytes() > near_bytes : far_,
                           .far_to = far_ && !writes_scratch,
                           .stream = stream_ && !writes_scratch},
                .axis = axis,
                .from = std::move(from),
                .to = std::move(to)};
    }

    /// What is left of the stage without some axes, from one box to another, for one step of the
    /// repeated axis.
    [[nodiscard]] FusedBatch batch(const std::vector<int>& without, const PlacedBox& from,
                                   const PlacedBox& to, Index first_step) const {
        TransformStage rest = transform_;
        std::erase_if(rest.axes, [&](int axis) {
            return std::count(without.begin(), without.end(), axis) != 0;
        });
        const int halved = transform_.axes.back();
        if (rest.axes.empty() || rest.axes.back() != halved) rest.kind = Kind::c2c;
        const auto step = [&](StoredBox stored) {
            if (!repeat_) return stored;
            const auto g = at(*repeat_);
            stored.offset += (first_step - stored.box.lo[g]) * stored.strides[g];
            stored.box.lo[g] = first_step;
            stored.box.hi[g] = first_step + 1;
            return stored;
        };
        FusedBatch result{.task = fft_task(rest, source_.precision, step(from.where.stored),
                                           step(to.where.stored), order_),
                          .from = from.place,
                          .to = to.place};
        result.task.in_place = from.place == to.place;
        result.task.may_destroy_input = from.place == scratch_place;
        result.task.caches.far_from = far_ && from.place != scratch_place;
        result.task.caches.stream = stream_ && to.place != scratch_place;
        if (repeat_) {
            result.from_step = from.where.stride(*repeat_);
            result.to_step = to.where.stride(*repeat_);
            const auto aligned = [](Index step, const Scalar& scalar) {
                return step * scalar.bytes() % alignment == 0;
            };
            const LineTransform& line = result.task.line;
            result.task.any_alignment = !aligned(result.from_step, line.source()) ||
                                        !aligned(result.to_step, line.target());
        }
        return result;
    }

    /// The axes in between, if there are any.
    void add_batch(Index first_step, FusedOp& op) const {
        std::vector<int> apart;
        if (entry_) apart.push_back(*entry_);
        if (exit_) apart.push_back(*exit_);
        if (apart.size() == transform_.axes.size()) return;
        const PlacedBox source = entry_ ? between() : from_.front();
        const PlacedBox target = exit_ ? between() : to_.front();
        op.work.emplace_back(batch(apart, source, target, first_step));
    }

    const TransformStage& transform_;
    Scalar source_;
    Scalar target_;
    std::vector<int> order_;
    StoredBox before_;
    StoredBox after_;
    std::vector<PlacedBox> from_;
    std::vector<PlacedBox> to_;
    std::optional<int> entry_{};
    std::optional<int> exit_{};
    std::optional<int> repeat_{};
    bool far_ = false;
    bool stream_ = false;
};

/// The parts of each of a rank's boxes.
std::vector<FusedEnds> by_box(const FusedEnds& ends, std::size_t boxes) {
    std::vector<FusedEnds> result(boxes);
    const auto deal = [&](std::optional<std::vector<PlacedBox>> FusedEnds::*side) {
        if (!(ends.*side)) return;
        for (FusedEnds& box : result) (box.*side).emplace();
        for (const PlacedBox& part : *(ends.*side)) {
            (result[static_cast<std::size_t>(part.own)].*side)->push_back(part);
        }
    };
    deal(&FusedEnds::from);
    deal(&FusedEnds::to);
    return result;
}

}  // namespace

bool is_fused(const Plan& plan, std::size_t stage) {
    const RedistributionStage* move = redistribution_at(plan, stage);
    return move != nullptr && is_fused(*move);
}

std::optional<int> entry_axis(const Plan& plan, std::size_t stage) {
    const TransformStage* transform = transform_at(plan, stage);
    if (transform == nullptr) return {};
    return best_axis(candidates(*transform, true), plan.at[stage - 1].where,
                     plan.at[stage].format.order.back());
}

std::optional<int> exit_axis(const Plan& plan, std::size_t stage) {
    const TransformStage* transform = transform_at(plan, stage);
    if (transform == nullptr) return {};
    std::vector<int> axes = candidates(*transform, false);
    if (axes.size() > 1 && transform->reads != Access::layout)
        std::erase(axes, entry_axis(plan, stage));
    return best_axis(axes, plan.at[stage + 2].where, plan.at[stage + 1].format.order.back());
}

std::vector<FusedOp> fused_transform(const Plan& plan, std::size_t stage, int rank,
                                     const FusedEnds& ends, const FusedOp::Places& places) {
    const std::vector<StoredBox> before = plan.at[stage].stored(rank);
    const std::vector<StoredBox> after = plan.at[stage + 1].stored(rank);
    const std::vector<FusedEnds> ends_of_box = by_box(ends, before.size());
    std::vector<FusedOp> ops;
    PartLimit limit(rank);
    for (std::size_t i = 0; i < before.size(); ++i) {
        BoxPasses(plan, stage, before[i], after[i], ends_of_box[i]).add(places, limit, ops);
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
