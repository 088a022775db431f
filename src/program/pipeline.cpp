#include "program/pipeline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "exchange/transfers.hpp"
#include "program/chain.hpp"
#include "program/lower.hpp"
#include "program/move.hpp"
#include "program/poll.hpp"
#include "program/stage_lowering.hpp"
#include "program/tile_lowering.hpp"
#include "program/transposition.hpp"

namespace weft::core {

namespace {

using Operations = std::vector<Operation>;

/// A tile's program between the exchanges that it posts.
struct Segment {
    Operations compute;
    Operations post;  ///< the post and what is done beside it; none in the last segment
    /// What waits for the exchange, at the head of the next segment.
    Operations drain;
};

std::vector<Segment> segments_of(const Program& program) {
    std::vector<Segment> result(1);
    bool posted = false;
    for (const Operation& operation : program.operations) {
        if (std::holds_alternative<FinishOp>(operation.what)) {
            result.back().drain.push_back(operation);
            result.emplace_back();
            posted = false;
            continue;
        }
        posted = posted || std::holds_alternative<StartOp>(operation.what);
        (posted ? result.back().post : result.back().compute).push_back(operation);
    }
    return result;
}

/// Puts programs together: their buffers become those of one program.
class Assembly {
  public:
    Assembly(int rank, std::vector<BufferSpec> ends) : program_{rank, std::move(ends), {}} {}

    int add_buffer(Index bytes) {
        program_.buffers.push_back({Role::work, bytes});
        return static_cast<int>(program_.buffers.size()) - 1;
    }
    /// Which buffers of the result those of a part are: `from` and `to` its ends, the work buffers
    /// those of `own`, which grow as is needed.
    std::vector<int> place(const Program& part, int from, int to, std::vector<int>& own) {
        std::vector<int> result;
        std::size_t work = 0;
        std::size_t region_number = 0;
        result.reserve(part.buffers.size());
        for (const BufferSpec& buffer : part.buffers) {
            if (buffer.role == Role::input || buffer.role == Role::both) {
                result.push_back(from);
            } else if (buffer.role == Role::output) {
                result.push_back(to);
            } else if (buffer.role == Role::region) {
                result.push_back(region(region_number++, buffer.bytes));
            } else {
                if (work == own.size()) own.push_back(add_buffer(0));
                BufferSpec& spec = program_.buffers[static_cast<std::size_t>(own[work])];
                spec.bytes = std::max(spec.bytes, buffer.bytes);
                result.push_back(own[work++]);
            }
        }
        return result;
    }
    /// Appends operations that serve stages from that one on. `posts` knows where those have gone
    /// that others of the part name.
    void append(const Operations& operations, int first_stage, const std::vector<int>& buffers,
                std::map<std::size_t, std::size_t>& posts, std::size_t& number) {
        for (Operation operation : operations) {
            operation.stage += first_stage;
            std::visit([&](auto& op) { renumber(op, buffers, posts); }, operation.what);
            const bool starts = std::holds_alternative<StartOp>(operation.what);
            if (starts || std::holds_alternative<PublishOp>(operation.what)) {
                posts[number] = program_.operations.size();
            }
            if (starts) ++open_;
            if (std::holds_alternative<FinishOp>(operation.what)) --open_;
            program_.operations.push_back(std::move(operation));
            ++number;
        }
    }
    /// Whether there is anything to look after.
    [[nodiscard]] bool waits() const { return open_ > 0; }
    void poll(int stage) {
        if (waits()) core::append(program_.operations, stage, PollOp{});
    }
    [[nodiscard]] Program& program() { return program_; }

  private:
    using Posts = std::map<std::size_t, std::size_t>;

    /// The work region of that number, which all parts use in turn.
    int region(std::size_t number, Index bytes) {
        if (number == regions_.size()) {
            regions_.push_back(add_buffer(0));
            program_.buffers.back().role = Role::region;
        }
        Index& most = program_.buffers[static_cast<std::size_t>(regions_[number])].bytes;
        most = std::max(most, bytes);
        return regions_[number];
    }

    template <class Op>
    static void renumber(Op& op, const std::vector<int>& buffers, Posts& posts) {
        const auto to = [&](int& buffer) {
            if (buffer != -1) buffer = buffers[static_cast<std::size_t>(buffer)];
        };
        if constexpr (std::is_same_v<Op, FusedOp>) {
            for (Place& place : op.places) to(place.buffer);
        } else if constexpr (requires { op.from; }) {
            to(op.from);
            to(op.to);
        } else if constexpr (requires { op.region; }) {
            to(op.region);
        }
        if constexpr (requires { op.start; }) op.start = posts.at(op.start);
        if constexpr (requires { op.publish; }) op.publish = posts.at(op.publish);
    }

    Program program_;
    std::vector<int> regions_;
    int open_ = 0;  ///< exchanges that have been started and not finished
};

/// A part's program while it becomes a part of the whole one.
struct Placed {
    std::vector<Segment> segments;
    std::vector<int> buffers;
    int first_stage = 0;
    std::map<std::size_t, std::size_t> posts{};
    std::size_t number = 0;  ///< operations that have been appended
};

class PipelineLowering {
  public:
    PipelineLowering(const Plan& plan, int rank, const Topology& topology)
        : plan_(plan),
          nodes_(topology),
          pipeline_(*plan.pipeline),
          tiling_(*plan.choice.tile),
          rank_(rank),
          assembly_(rank, ends()) {
        if (plan.backward) {
            std::swap(tiling_.Px, tiling_.Uy);
            std::swap(tiling_.Pz, tiling_.Uz);
            std::swap(tiling_.Fy, tiling_.Fx);
            std::swap(tiling_.Fp, tiling_.Fu);
        }
    }

    Program program() {
        choose_values();
        const int fields = pipeline_.levels.size() == 2 ? pipeline_.levels.front().count : 1;
        const int tiles = pipeline_.levels.back().count;
        const int all = fields * tiles;
        const int window = std::min(tiling_.W, all);
        work_.resize(1);
        tiles_.resize(static_cast<std::size_t>(all));
        // All tiles post equally often, on all ranks.
        exchanges_ = static_cast<int>(placed(0, tiles).segments.size()) - 1;
        slots_ = tiling_.late ? all : std::min(all, exchanges_ * window + 1);
        work_.resize(static_cast<std::size_t>(slots_));
        for (int step = 0; step < all + exchanges_ * window; ++step) {
            for (int segment = 0; segment <= exchanges_; ++segment) {
                const int tile = step - segment * window;
                if (tile >= 0 && tile < all) compute(tile, segment, tiles, false);
                if (segment == exchanges_) continue;
                // As in [song] Alg. 1: the next messages are announced before others are waited
                // for.
                const int travelled = tile - window;
                if (tile >= 0 && tile < all) post(tile, segment);
                if (travelled >= 0 && travelled < all) drain(travelled, segment);
            }
        }
        for (int tile = 0; tiling_.late && tile < all; ++tile) {
            compute(tile, exchanges_, tiles, true);
        }
        Program& result = assembly_.program();
        result.assisted = tiling_.progress == TileProgress::thread;
        if (plan_.scale() != 1) append_scale(plan_, rank_, output_, output_, result.operations);
        return std::move(result);
    }

  private:
    [[nodiscard]] std::vector<BufferSpec> ends() const {
        const Index in = plan_.at.front().bytes(rank_);
        const Index out = plan_.at.back().bytes(rank_);
        if (plan_.problem.in_place) return {{Role::both, std::max(in, out)}};
        return {{Role::input, in}, {Role::output, out}};
    }
    [[nodiscard]] bool has_head() const { return pipeline_.first > 0; }
    [[nodiscard]] bool has_tail() const { return pipeline_.last + 1 < plan_.stages.size(); }
    [[nodiscard]] bool by_fields() const { return pipeline_.levels.size() == 2; }

    /// Where the values are that whole stages make and tiles read, or the other way round. A value
    /// before a tail is in the output array, if that can be worked on in place.
    void choose_values() {
        output_ = plan_.problem.in_place ? 0 : 1;
        before_ = 0;
        after_ = output_;
        const auto bytes = [&](std::size_t number) { return plan_.at[number].bytes(rank_); };
        if (has_head()) {
            before_ = assembly_.add_buffer(bytes(pipeline_.first));
        } else if (plan_.problem.in_place) {
            // Tiles that are made would take the place of others that are still to be read.
            before_ = copied_input();
        }
        // One that changes the order would begin with a copy.
        const bool same_order =
            plan_.at[pipeline_.last + 1].format.order == plan_.at.back().format.order;
        tail_in_place_ = has_tail() && !by_fields() && same_order &&
                         array_use(plan_).output_is_scratch &&
                         bytes(pipeline_.last + 1) <= bytes(plan_.stages.size());
        if (has_tail() && !tail_in_place_) {
            after_ = assembly_.add_buffer(bytes(pipeline_.last + 1));
        }
        // Fields that are finished would take the place of others that are still to be read.
        if (plan_.problem.in_place && by_fields() && has_head()) input_ = copied_input();
    }
    /// A buffer that holds the input from now on.
    int copied_input() {
        const Layout& layout = plan_.at.front();
        const Layout& copy =
            copy_.emplace(Layout{layout.where, dense(layout.format), layout.scalar});
        const int buffer = assembly_.add_buffer(copy.bytes(rank_));
        append_copies(assembly_.program().operations, 0, Purpose::reorder,
                      copies_between(layout, copy, rank_), 0, buffer);
        return buffer;
    }

    /// Some stages of the plan as a plan of its own, with layouts as they are.
    [[nodiscard]] Plan part(std::size_t first, std::size_t last) const {
        Plan result;
        result.problem = plan_.problem;
        result.ranks = plan_.ranks;
        result.choice = plan_.choice;
        result.backward = plan_.backward;
        const auto begin = static_cast<std::ptrdiff_t>(first);
        const auto end = static_cast<std::ptrdiff_t>(last) + 1;
        result.stages.assign(plan_.stages.begin() + begin, plan_.stages.begin() + end);
        result.at.assign(plan_.at.begin() + begin, plan_.at.begin() + end + 1);
        if (first == 0 && copy_) result.at.front() = *copy_;
        return result;
    }
    /// Layouts of that number on become tiles: those at the ends as they lie in the whole array.
    static void cut(Plan& part, const Tile& tile, std::size_t first, std::size_t last) {
        for (std::size_t i = first; i <= last; ++i) {
            const bool end = i == 0 || i + 1 == part.at.size();
            part.at[i] = end ? part.at[i].tile_within(tile) : part.at[i].tile(tile);
        }
    }
    [[nodiscard]] static Tile tile_of(const TileLevel& level, int number) {
        return {level.axis, level.extent, number};
    }

    [[nodiscard]] Program tile_program(int field, int tile) const {
        Plan cut_plan = part(pipeline_.first, pipeline_.last);
        if (by_fields()) {
            cut(cut_plan, tile_of(pipeline_.levels.front(), field), 0, cut_plan.stages.size());
        }
        cut(cut_plan, tile_of(pipeline_.levels.back(), tile),
            pipeline_.first_tiled - pipeline_.first, pipeline_.last_tiled - pipeline_.first);
        const SubTiles sub{tiling_.Pz, tiling_.Px, tiling_.Uz, tiling_.Uy};
        return lower_tile(cut_plan, pipeline_.levels.back().axis, sub, rank_);
    }
    /// Stages that no tiles go through, of one field or of all.
    [[nodiscard]] Program whole_program(std::size_t first, std::size_t last, int field,
                                        bool in_place) const {
        Plan stages = part(first, last);
        if (by_fields()) {
            cut(stages, tile_of(pipeline_.levels.front(), field), 0, stages.stages.size());
        }
        if (!in_place && transposes(stages)) return lower_transposition(stages, rank_);
        const ArrayUse use{in_place, false, in_place};
        Chain chain(stages.at.front().bytes(rank_), use);
        FusedLowering fused(stages, nodes_, rank_, chain);
        lower_stages(stages, use, rank_, fused, chain);
        return chain.program(rank_);
    }
    void append_whole(std::size_t first, std::size_t last, int field, int from, int to) {
        const Program stages = whole_program(first, last, field, from == to);
        const std::vector<int> buffers = assembly_.place(stages, from, to, whole_work_);
        std::map<std::size_t, std::size_t> posts;
        std::size_t number = 0;
        assembly_.append(stages.operations, static_cast<int>(first), buffers, posts, number);
    }

    /// The tile's program, from its first operation to its last.
    Placed& placed(int tile, int tiles) {
        Placed& result = tiles_[static_cast<std::size_t>(tile)];
        if (!result.segments.empty()) return result;
        const Program program = tile_program(tile / tiles, tile % tiles);
        result.segments = segments_of(program);
        result.buffers = assembly_.place(program, before_, after_,
                                         work_[static_cast<std::size_t>(tile % slots_)]);
        result.first_stage = static_cast<int>(pipeline_.first);
        return result;
    }

    void compute(int number, int segment, int tiles, bool at_last) {
        const int field = number / tiles;
        if (segment == 0 && number % tiles == 0 && has_head()) {
            append_whole(0, pipeline_.first - 1, field, input_, before_);
        }
        Placed& tile = placed(number, tiles);
        if (segment < exchanges_ || !tiling_.late || at_last) append_compute(tile, segment);
        const bool done = segment == exchanges_ && (!tiling_.late || at_last);
        if (!done) return;
        tile.segments.clear();
        tile.segments.emplace_back();  // What is left is that it was there.
        if (number % tiles == tiles - 1 && has_tail()) {
            append_whole(pipeline_.last + 1, plan_.stages.size() - 1, field, after_, output_);
        }
    }
    void append_compute(Placed& tile, int segment) {
        const bool is_last = segment == exchanges_;
        Polls polls{is_last ? tiling_.Fx : tiling_.Fy, tiling_.Fu, tiling_.Fp};
        if (!assembly_.waits()) polls = {};
        const Operations& compute = tile.segments[static_cast<std::size_t>(segment)].compute;
        std::size_t number = tile.number;
        for (const PolledUnit& unit : polled_units(compute, polls)) {
            assembly_.append(unit.operations, tile.first_stage, tile.buffers, tile.posts, number);
            if (unit.poll) assembly_.poll(tile.first_stage + unit.operations.back().stage);
        }
        tile.number += compute.size();
    }
    void post(int number, int segment) {
        Placed& tile = tiles_[static_cast<std::size_t>(number)];
        append(tile, tile.segments[static_cast<std::size_t>(segment)].post);
    }
    void drain(int number, int segment) {
        Placed& tile = tiles_[static_cast<std::size_t>(number)];
        append(tile, tile.segments[static_cast<std::size_t>(segment)].drain);
    }
    void append(Placed& tile, const Operations& operations) {
        assembly_.append(operations, tile.first_stage, tile.buffers, tile.posts, tile.number);
    }

    const Plan& plan_;
    const Topology& nodes_;
    const Pipeline& pipeline_;
    Tiling tiling_;
    int rank_;
    Assembly assembly_;
    int output_ = 1;
    int before_ = 0;
    int after_ = 1;
    int input_ = 0;
    std::optional<Layout> copy_;  ///< of the input, where that does not stay
    bool tail_in_place_ = false;
    int exchanges_ = 0;
    int slots_ = 1;
    std::vector<std::vector<int>> work_;  ///< of each slot
    std::vector<int> whole_work_;
    std::vector<Placed> tiles_;
};

}  // namespace

namespace {

/// The program of every tile names all messages of its own, at some 7 us and 400 bytes for each.
void check_messages(const Plan& plan, int rank) {
    constexpr Index most = Index{1} << 20;
    Index tiles = 1;
    for (const TileLevel& level : plan.pipeline->levels) tiles *= level.count;
    Index messages = 0;
    for (std::size_t stage = plan.pipeline->first; stage <= plan.pipeline->last; ++stage) {
        if (redistribution_at(plan, stage) == nullptr) continue;
        const auto all = sends(plan.at[stage].where, plan.at[stage + 1].where, rank);
        messages += static_cast<Index>(all.size());
    }
    if (messages <= most / tiles) return;
    bad_request(
        fmt::format("tile={}: {} messages of rank {} in each of {} tiles, more than {} together; "
                    "take a larger T, or cut more axes, so that each rank sends to fewer",
                    weft::to_string(*plan.choice.tile), messages, rank, tiles, most));
}

}  // namespace

Program lower_pipeline(const Plan& plan, int rank, const Topology& topology) {
    check_messages(plan, rank);
    return PipelineLowering(plan, rank, topology).program();
}

}  // namespace weft::core
