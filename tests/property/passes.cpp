// What each pass may do to the steps of random plans, by itself: tiles are only interleaved, polls
// only cut steps. That the last pass keeps values apart is in tests/unit/assign.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "plan/choice.hpp"
#include "program/draft.hpp"
#include "program/lower.hpp"
#include "property/random_problem.hpp"

namespace weft::core::test {

namespace {

constexpr Index most_in_tiles = 600;
constexpr int cases = 60;

/// A case whose plan has tiles.
PlannedCase tiled_case(std::uint64_t seed) {
    for (std::uint64_t next = 0;; ++next) {
        PlannedCase planned = planned_case(mix(10 + seed) + next, most_in_tiles);
        if (planned.plan.pipeline) return planned;
    }
}

/// The same plan with so many tiles in flight and that many polls in each phase of a tile.
Plan with(const Plan& plan, int in_flight, int polls) {
    Choice choice = plan.choice;
    Tiling& tiling = *choice.tile;
    tiling.tiles_in_flight = in_flight;
    for (const TileNumber& phase : poll_numbers) tiling.*phase.value = polls;
    return make_plan(plan.problem, choice, plan.ranks);
}

/// Operations that name no buffers and no other operations, not those that they come after either,
/// so that those of two programs can be compared.
std::vector<Operation> nameless(const Program& program) {
    std::vector<Operation> result = program.operations;
    for (Operation& operation : result) {
        operation.after.clear();
        for_each_value(operation, [](int& buffer, Use /*use*/) { buffer = 0; });
        if (std::size_t* named = named_step(operation)) *named = 0;
        operation.after.clear();
    }
    return result;
}

Index tiles_of(const Plan& plan) {
    Index tiles = 1;
    for (const TileLevel& level : plan.pipeline->levels) tiles *= level.count;
    return tiles;
}

/// Exchanges of each stage: how many there are, and how many are under way at most.
struct Exchanges {
    Index all = 0;
    Index under_way = 0;
    Index most = 0;
};

/// Fails unless those of each stage are finished in the order in which they are started.
std::map<int, Exchanges> exchanges_of(const Program& program) {
    std::map<int, Exchanges> result;
    std::map<int, std::size_t> finished;
    for (std::size_t i = 0; i < program.operations.size(); ++i) {
        const Operation& operation = program.operations[i];
        Exchanges& of_stage = result[operation.stage];
        if (std::holds_alternative<StartOp>(operation.what)) {
            ++of_stage.all;
            of_stage.most = std::max(of_stage.most, ++of_stage.under_way);
        } else if (const auto* finish = std::get_if<FinishOp>(&operation.what)) {
            --of_stage.under_way;
            EXPECT_GE(finish->start, finished[operation.stage]) << "operation " << i;
            finished[operation.stage] = finish->start;
        }
    }
    return result;
}

/// While the messages of one tile are waited for, the next ones have been announced. Stages outside
/// the pipeline have no tiles. Returns how many exchanges of one stage are under way at most.
Index expect_in_flight(const Plan& plan, const Program& program, int in_flight) {
    Index most = 0;
    for (const auto& [stage, exchanges] : exchanges_of(program)) {
        EXPECT_EQ(exchanges.under_way, 0);
        const auto number = static_cast<std::size_t>(stage);
        if (number < plan.pipeline->first || number > plan.pipeline->last) continue;
        const Index of_tile = exchanges.all / tiles_of(plan);
        EXPECT_EQ(exchanges.all, of_tile * tiles_of(plan)) << "stage " << stage;
        EXPECT_LE(exchanges.most, of_tile * (in_flight + 1)) << "stage " << stage;
        most = std::max(most, exchanges.most);
    }
    return most;
}

TEST(Tiles, AreInterleavedAndNothingElse) {
    Random random(1);
    Index most = 0;
    for (int i = 0; i < cases; ++i) {
        const PlannedCase planned = tiled_case(static_cast<std::uint64_t>(i));
        const int rank = static_cast<int>(random.between(0, planned.plan.ranks - 1));
        SCOPED_TRACE(to_string(planned));
        for (const bool backward : {false, true}) {
            std::vector<Operation> one_by_one;
            for (const int in_flight : {0, 1, static_cast<int>(random.between(2, 5)), 1000}) {
                const Plan forward = with(planned.plan, in_flight, 0);
                const Plan plan = backward ? reverse(forward) : forward;
                const Program program = lower(plan, rank, planned.environment);
                const std::vector<Operation> found = nameless(program);
                if (in_flight == 0) one_by_one = found;
                ASSERT_TRUE(std::is_permutation(found.begin(), found.end(), one_by_one.begin(),
                                                one_by_one.end()))
                    << to_string(program);
                most = std::max(most, expect_in_flight(plan, program, in_flight));
            }
        }
    }
    EXPECT_GT(most, 5);
}

/// stage, purpose, and from which element to which: of copies each one, of transforms each line.
using Moved = std::multiset<std::tuple<int, Purpose, Index, Index>>;

template <class Visit>
void for_each_element(const std::vector<Loop>& loops, std::size_t depth, Index from, Index to,
                      const Visit& visit) {
    if (depth == loops.size()) return visit(from, to);
    for (Index i = 0; i < loops[depth].extent; ++i) {
        for_each_element(loops, depth + 1, from + i * loops[depth].from, to + i * loops[depth].to,
                         visit);
    }
}

/// Of fused passes only how many steps they have together, by stage.
struct Done {
    Moved moved;
    std::map<int, Index> repeated;
    Index polls = 0;
    std::size_t operations = 0;  ///< but polls
};

Done done_by(const Program& program) {
    Done done;
    for (const Operation& operation : program.operations) {
        const auto add = [&](Index from, Index to) {
            done.moved.emplace(operation.stage, operation.purpose, from, to);
        };
        if (std::holds_alternative<PollOp>(operation.what)) {
            ++done.polls;
            continue;
        }
        ++done.operations;
        if (const auto* copy = std::get_if<CopyOp>(&operation.what)) {
            for_each_element(copy->task.loops, 0, copy->task.from_offset, copy->task.to_offset,
                             add);
        } else if (const auto* op = std::get_if<TransformOp>(&operation.what)) {
            for_each_element(op->task.looped, 0, op->task.from_offset, op->task.to_offset, add);
        } else if (const auto* pass = std::get_if<FusedOp>(&operation.what)) {
            done.repeated[operation.stage] += pass->repeat;
        }
    }
    return done;
}

TEST(Polls, OfRandomPlansCutStepsAndNothingElse) {
    Random random(2);
    Index polls = 0;
    std::size_t cut = 0;
    for (int i = 0; i < cases; ++i) {
        const PlannedCase planned = tiled_case(1000 + static_cast<std::uint64_t>(i));
        const int rank = static_cast<int>(random.between(0, planned.plan.ranks - 1));
        const int in_flight = static_cast<int>(random.between(0, 3));
        SCOPED_TRACE(to_string(planned));
        for (const bool backward : {false, true}) {
            const auto done = [&](int count) {
                const Plan plan = with(planned.plan, in_flight, count);
                return done_by(lower(backward ? reverse(plan) : plan, rank, planned.environment));
            };
            const Done whole = done(0);
            EXPECT_EQ(whole.polls, 0);
            for (const int count : {1, static_cast<int>(random.between(2, 6))}) {
                const Done polled = done(count);
                EXPECT_EQ(polled.moved, whole.moved);
                EXPECT_EQ(polled.repeated, whole.repeated);
                EXPECT_GE(polled.operations, whole.operations);
                polls += polled.polls;
                cut += polled.operations - whole.operations;
            }
        }
    }
    EXPECT_GT(polls, 500);
    EXPECT_GT(cut, 150U);
}

}  // namespace

}  // namespace weft::core::test
