// Sub-tiles of a tile ([song] Alg. 2 and 3): each is transformed and packed, or unpacked and
// transformed, while it lies in the caches.
#include <algorithm>

#include "plan/tiling.hpp"
#include "program/layout_tasks.hpp"
#include "program/move.hpp"
#include "program/rules/rule.hpp"

namespace weft::core {

namespace {

/// The part of a copy that a box holds; `stored`, where that box lies by itself, takes the place of
/// the copy's target (source).
CopyTask part_of(const BoxCopy& copy, const Box& part, const StoredBox& stored,
                 const std::vector<int>& travel, bool replaces_target) {
    const Slice inside = slice_of(part, stored, travel);
    CopyTask result = copy.task;
    (replaces_target ? result.to_offset : result.from_offset) = inside.offset;
    for (std::size_t i = 0; i < travel.size(); ++i) {
        const auto a = static_cast<std::size_t>(travel[i]);
        Loop& loop = result.loops[i];
        const Index skipped = part.lo[a] - copy.box.lo[a];
        loop.extent = part.extent(travel[i]);
        if (replaces_target) {
            result.from_offset += skipped * loop.from;
            loop.to = inside.runs[i].stride;
        } else {
            result.to_offset += skipped * loop.to;
            loop.from = inside.runs[i].stride;
        }
    }
    return result;
}

/// Those parts of copies that the boxes hold.
std::vector<CopyTask> parts_of(const std::vector<BoxCopy>& copies,
                               const std::vector<StoredBox>& boxes, const std::vector<int>& travel,
                               bool replace_target) {
    std::vector<CopyTask> result;
    result.reserve(copies.size());
    for (const BoxCopy& copy : copies) {
        for (const StoredBox& stored : boxes) {
            const Box part = intersect(copy.box, stored.box);
            if (!part.empty()) {
                result.push_back(part_of(copy, part, stored, travel, replace_target));
            }
        }
    }
    return result;
}

std::vector<CopyTask> tasks_of(const std::vector<BoxCopy>& copies) {
    std::vector<CopyTask> result;
    result.reserve(copies.size());
    for (const BoxCopy& copy : copies) result.push_back(copy.task);
    return result;
}

/// The redistribution of that stage by packed messages, if it is a single exchange of such.
std::optional<PackedMove> packed_at(const Part& part, int stage) {
    const RedistributionStage* one = part.redistribution(stage);
    if (one == nullptr || is_fused(*one)) return {};
    return packed_move(part.at(stage), part.at(stage + 1), *one, part.plan.choice.chunk, part.rank);
}

/// Whether that stage is a transform that may be done in parts. One of several axes to real numbers
/// overwrites what it reads; one beside a redistribution without packing is a part of that.
bool may_be_cut(const Part& part, int stage) {
    const TransformStage* transform = part.transform(stage);
    return transform != nullptr && transform->reads == Access::layout &&
           transform->writes == Access::layout &&
           (transform->kind != Kind::c2r || transform->axes.size() == 1);
}

/// A transform, if it may be cut, an exchange of packed messages, and the transform behind it, if
/// that may be cut.
class SubTiled {
  public:
    SubTiled(Lowering& lowering, int exchange)
        : lowering_(lowering),
          part_(lowering.part),
          sub_(*lowering.part.sub_tiles),
          exchange_(exchange),
          move_(*packed_at(part_, exchange)),
          unit_(part_.at(exchange).scalar.bytes()) {}

    /// Returns the first stage that is left.
    int lower(bool with_transform) {
        const ValueId source = value(move_.source * unit_);
        if (with_transform) {
            pack_sub_tiles(source);
        } else {
            lowering_.copy(exchange_, Purpose::pack, tasks_of(move_.pack), lowering_.here, source);
        }
        const ValueId landing = value(move_.landing * unit_);
        const StepId start = lowering_.add(exchange_, StartOp{move_.exchange, source, landing});
        lowering_.add(exchange_, FinishOp{start});
        const bool goes_on = may_be_cut(part_, exchange_ + 1);
        const int end = exchange_ + (goes_on ? 2 : 1);
        lowering_.here = lowering_.make(end);
        if (goes_on) {
            unpack_sub_tiles(source, landing);
        } else {
            unpack(tasks_of(move_.kept), tasks_of(move_.unpack), source, landing, lowering_.here);
        }
        return end;
    }

  private:
    [[nodiscard]] ValueId value(Index bytes) const { return lowering_.draft.add(Value{bytes}); }

    /// Calls visit(parts of the layout before, after the transform) for each sub-tile; layouts of
    /// what lies in scratch memory are by themselves.
    template <class Visit>
    void for_sub_tiles(int stage, Index along, Index other, bool scratch_before,
                       const Visit& visit) const {
        const int free = sub_tile_axis(*part_.transform(stage), part_.at(stage).format, sub_.axis);
        const Index most = part_.at(stage).where.extent(sub_.axis, part_.rank);
        const Index most_other = free == -1 ? 1 : part_.at(stage).where.extent(free, part_.rank);
        if (along == 0) along = std::max<Index>(most, 1);
        if (other == 0) other = std::max<Index>(most_other, 1);
        const auto cut = [&](const Layout& layout, const Tile& one, bool within) {
            return within ? layout.tile_within(one) : layout.tile(one);
        };
        for (Index i = 0; i * along < most; ++i) {
            for (Index j = 0; j * other < most_other; ++j) {
                const Tile first{sub_.axis, along, i};
                Layout before = cut(part_.at(stage), first, !scratch_before);
                Layout after = cut(part_.at(stage + 1), first, scratch_before);
                if (free != -1) {
                    before = cut(before, {free, other, j}, !scratch_before);
                    after = cut(after, {free, other, j}, scratch_before);
                }
                visit(before, after);
            }
        }
    }
    void add_transforms(int stage, const Layout& before, const Layout& after, ValueId from,
                        ValueId to, bool from_scratch) const {
        for (FftTask& task : fft_tasks(*part_.transform(stage), before, after, part_.rank)) {
            task.may_destroy_input = from_scratch;
            lowering_.add(stage, TransformOp{task, from, to});
        }
    }
    /// Of one sub-tile, named by its steps and no others.
    [[nodiscard]] ValueId scratch(const Layout& layout) const {
        Value result{layout.bytes(part_.rank)};
        result.home = Home::scratch;
        return lowering_.draft.add(result);
    }

    void pack_sub_tiles(ValueId source) const {
        const int stage = exchange_ - 1;
        for_sub_tiles(stage, sub_.pack_along, sub_.pack_other, false,
                      [&](const Layout& before, const Layout& after) {
                          const ValueId made = scratch(after);
                          add_transforms(stage, before, after, lowering_.here, made, false);
                          lowering_.copy(
                              exchange_, Purpose::pack,
                              parts_of(move_.pack, after.stored(part_.rank), move_.travel, false),
                              made, source);
                      });
    }
    void unpack_sub_tiles(ValueId source, ValueId landing) const {
        const int stage = exchange_ + 1;
        for_sub_tiles(stage, sub_.unpack_along, sub_.unpack_other, true,
                      [&](const Layout& before, const Layout& after) {
                          const ValueId unpacked = scratch(before);
                          const std::vector<StoredBox> boxes = before.stored(part_.rank);
                          unpack(parts_of(move_.kept, boxes, move_.travel, true),
                                 parts_of(move_.unpack, boxes, move_.travel, true), source, landing,
                                 unpacked);
                          add_transforms(stage, before, after, unpacked, lowering_.here, true);
                      });
    }
    /// What the rank keeps, and what has landed.
    void unpack(const std::vector<CopyTask>& kept, const std::vector<CopyTask>& arrived,
                ValueId source, ValueId landing, ValueId to) const {
        lowering_.copy(exchange_, Purpose::unpack, kept, source, to);
        lowering_.copy(exchange_, Purpose::unpack, arrived, landing, to);
    }

    Lowering& lowering_;
    const Part& part_;
    SubTiles sub_;
    int exchange_;  ///< its stage
    PackedMove move_;
    Index unit_;
};

}  // namespace

std::optional<std::string> why_not_sub_tiles(const Part& part, int stage) {
    if (!part.sub_tiles) return "it is no stage of a tile";
    const bool transforms = part.transform(stage) != nullptr;
    if (transforms && !may_be_cut(part, stage)) {
        return "it may not be cut: it is fused with a redistribution, or to real numbers along "
               "several axes";
    }
    if (packed_at(part, transforms ? stage + 1 : stage)) return {};
    // The exchange before it takes it along.
    if (transforms && stage > 0 && packed_at(part, stage - 1)) return {};
    return transforms ? "no single exchange of packed messages is beside it"
                      : "it is no single exchange of messages that are packed and unpacked";
}

int lower_sub_tiles(Lowering& lowering, int stage) {
    const bool transforms = lowering.part.transform(stage) != nullptr;
    return SubTiled(lowering, transforms ? stage + 1 : stage).lower(transforms);
}

}  // namespace weft::core
