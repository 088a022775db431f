#include "program/tile_lowering.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "plan/tiling.hpp"
#include "program/chain.hpp"
#include "program/move.hpp"
#include "program/stage_lowering.hpp"
#include "program/transform_task.hpp"

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

/// Transforms of a sub-tile, and the copies that follow them or that they follow.
struct SubTile {
    std::vector<FftTask> transforms;
    std::vector<CopyTask> copies;
    std::vector<CopyTask> kept;
};

class TileLowering {
  public:
    TileLowering(const Plan& tile, int axis, const SubTiles& sub_tiles, int rank)
        : plan_(tile),
          axis_(axis),
          sub_(sub_tiles),
          rank_(rank),
          chain_(tile.at.front().bytes(rank), use_),
          fused_(tile, nodes_, rank, chain_) {}

    Program program() {
        const int stages = static_cast<int>(plan_.stages.size());
        for (int stage = 0; stage < stages; ++stage) {
            const std::optional<PackedMove> next =
                sub_tiled(stage) ? packed_at(stage + 1) : std::nullopt;
            if (next) {
                add_packing(stage, *next);
                add_exchange(stage + 1, *next);
                stage = add_unpacking(stage + 1, *next);
            } else if (const std::optional<PackedMove> move = packed_at(stage)) {
                add_copies(stage, *move);
                add_exchange(stage, *move);
                stage = add_unpacking(stage, *move);
            } else {
                lower_stage(plan_, use_, rank_, stage, fused_, chain_);
            }
        }
        return chain_.program(rank_);
    }

  private:
    [[nodiscard]] const Layout& at(int number) const {
        return plan_.at[static_cast<std::size_t>(number)];
    }
    [[nodiscard]] std::optional<PackedMove> packed_at(int stage) const {
        const RedistributionStage* move = redistribution_at(plan_, static_cast<std::size_t>(stage));
        if (move == nullptr || fused_.moves_at(stage)) return {};
        return packed_move(at(stage), at(stage + 1), *move, plan_.choice.chunk, rank_);
    }
    /// Whether that stage is a transform that may be done in parts. One of several axes to real
    /// numbers overwrites what it reads; one beside a fused move is a part of that.
    [[nodiscard]] bool sub_tiled(int stage) const {
        if (fused_.is_fused_transform(stage)) return false;
        const TransformStage* transform = transform_at(plan_, static_cast<std::size_t>(stage));
        return transform != nullptr &&
               (transform->kind != Kind::c2r || transform->axes.size() == 1);
    }

    /// Calls visit(parts of the layout before, after the transform) for each sub-tile; layouts of
    /// what lies in scratch memory are by themselves.
    template <class Visit>
    void for_sub_tiles(int stage, Index along, Index other, bool scratch_before,
                       const Visit& visit) const {
        const TransformStage& transform = *transform_at(plan_, static_cast<std::size_t>(stage));
        const int free = sub_tile_axis(transform, at(stage).format, axis_);
        const Index most = at(stage).where.extent(axis_, rank_);
        const Index most_other = free == -1 ? 1 : at(stage).where.extent(free, rank_);
        if (along == 0) along = std::max<Index>(most, 1);
        if (other == 0) other = std::max<Index>(most_other, 1);
        const auto part = [&](const Layout& layout, const Tile& one, bool within) {
            return within ? layout.tile_within(one) : layout.tile(one);
        };
        for (Index i = 0; i * along < most; ++i) {
            for (Index j = 0; j * other < most_other; ++j) {
                const Tile first{axis_, along, i};
                Layout before = part(at(stage), first, !scratch_before);
                Layout after = part(at(stage + 1), first, scratch_before);
                if (free != -1) {
                    before = part(before, {free, other, j}, !scratch_before);
                    after = part(after, {free, other, j}, scratch_before);
                }
                visit(transform, before, after);
            }
        }
    }
    [[nodiscard]] std::vector<FftTask> transforms(const TransformStage& transform,
                                                  const Layout& before, const Layout& after,
                                                  bool from_scratch) const {
        std::vector<FftTask> tasks = fft_tasks(transform, before, after, rank_);
        for (FftTask& task : tasks) task.may_destroy_input = from_scratch;
        return tasks;
    }

    /// The transform, and the packing of what it makes, into a value that is the messages.
    void add_packing(int stage, const PackedMove& move) {
        std::vector<SubTile> all;
        for_sub_tiles(
            stage, sub_.pack_along, sub_.pack_other, false,
            [&](const TransformStage& transform, const Layout& before, const Layout& after) {
                chain_.need_scratch(after.bytes(rank_));
                all.push_back({transforms(transform, before, after, false),
                               parts_of(move.pack, after.stored(rank_), move.travel, false),
                               {}});
            });
        chain_.add(
            move.source * element_bytes(stage + 1), {},
            [=](std::vector<Operation>& operations, const Places& places) {
                for (const SubTile& one : all) {
                    for (const FftTask& task : one.transforms) {
                        append(operations, stage, TransformOp{task, places.from, places.scratch});
                    }
                    append_copies(operations, stage + 1, Purpose::pack, one.copies, places.scratch,
                                  places.to);
                }
            });
    }
    void add_copies(int stage, const PackedMove& move) {
        chain_.add(move.source * element_bytes(stage), {},
                   [stage, copies = tasks_of(move.pack)](std::vector<Operation>& operations,
                                                         const Places& places) {
                       append_copies(operations, stage, Purpose::pack, copies, places.from,
                                     places.to);
                   });
    }
    void add_exchange(int stage, const PackedMove& move) {
        chain_.add(move.landing * element_bytes(stage), {},
                   [stage, exchange = move.exchange](std::vector<Operation>& operations,
                                                     const Places& places) {
                       const std::size_t post = operations.size();
                       append(operations, stage, StartOp{exchange, places.from, places.to});
                       append(operations, stage, FinishOp{post});
                   });
    }
    /// What has landed and what the rank keeps, and the transform that follows if it is one for
    /// sub-tiles; returns the last stage that is done.
    int add_unpacking(int stage, const PackedMove& move) {
        StepNeeds needs;
        needs.reads_second = true;
        if (!sub_tiled(stage + 1)) {
            chain_.add(at(stage + 1).bytes(rank_), needs,
                       [stage, arrived = tasks_of(move.unpack), kept = tasks_of(move.kept)](
                           std::vector<Operation>& operations, const Places& places) {
                           append_copies(operations, stage, Purpose::unpack, kept, places.second,
                                         places.to);
                           append_copies(operations, stage, Purpose::unpack, arrived, places.from,
                                         places.to);
                       });
            return stage;
        }
        std::vector<SubTile> all;
        for_sub_tiles(
            stage + 1, sub_.unpack_along, sub_.unpack_other, true,
            [&](const TransformStage& transform, const Layout& before, const Layout& after) {
                chain_.need_scratch(before.bytes(rank_));
                const std::vector<StoredBox> boxes = before.stored(rank_);
                all.push_back({transforms(transform, before, after, true),
                               parts_of(move.unpack, boxes, move.travel, true),
                               parts_of(move.kept, boxes, move.travel, true)});
            });
        chain_.add(
            at(stage + 2).bytes(rank_), needs,
            [=](std::vector<Operation>& operations, const Places& places) {
                for (const SubTile& one : all) {
                    append_copies(operations, stage, Purpose::unpack, one.kept, places.second,
                                  places.scratch);
                    append_copies(operations, stage, Purpose::unpack, one.copies, places.from,
                                  places.scratch);
                    for (const FftTask& task : one.transforms) {
                        append(operations, stage + 1, TransformOp{task, places.scratch, places.to});
                    }
                }
            });
        return stage + 1;
    }
    [[nodiscard]] Index element_bytes(int number) const { return at(number).scalar.bytes(); }

    const Plan& plan_;
    int axis_;
    SubTiles sub_;
    int rank_;
    ArrayUse use_{false, false, false};
    Topology nodes_;  ///< not asked: tiles travel as messages
    Chain chain_;
    FusedLowering fused_;
};

}  // namespace

Program lower_tile(const Plan& tile, int axis, const SubTiles& sub_tiles, int rank) {
    return TileLowering(tile, axis, sub_tiles, rank).program();
}

}  // namespace weft::core
