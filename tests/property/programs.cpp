// The theorems of program.hpp, on the programs of all ranks of random plans.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "plan/fuse.hpp"
#include "program/lower.hpp"
#include "property/random_problem.hpp"
#include "property/shadow_machine.hpp"

namespace weft::core::test {

namespace {

constexpr Index most_elements = 600;

class Programs : public ::testing::TestWithParam<int> {};

PlannedCase case_of(std::uint64_t seed) { return planned_case(mix(3) + seed, most_elements); }

ShadowMachine::Queues late_queues(std::uint64_t seed) {
    return seed % 2 == 0 ? ShadowMachine::Queues::late : ShadowMachine::Queues::all_late;
}

/// Whether both directions of the plan keep the theorems, also with queues that go on by themselves
/// as far as they may.
void expect_theorems(const PlannedCase& planned, std::uint64_t seed) {
    const Environment& here = planned.environment;
    SCOPED_TRACE(to_string(planned));
    for (const bool backward : {false, true}) {
        SCOPED_TRACE(backward ? "backward" : "forward");
        ShadowMachine machine(backward ? reverse(planned.plan) : planned.plan,
                              backward ? here.reversed() : here);
        ASSERT_NO_THROW(machine.run(seed));
        ASSERT_NO_THROW(machine.run(seed, late_queues(seed)));
    }
}

TEST_P(Programs, KeepTheirTheorems) {
    for (std::uint64_t i = 0; i < seeds_per_test; ++i) {
        const std::uint64_t seed = static_cast<std::uint64_t>(GetParam()) * seeds_per_test + i;
        expect_theorems(case_of(seed), seed);
        if (HasFatalFailure()) return;
    }
}

TEST_P(Programs, KeepTheirTheoremsOnDevices) {
    for (std::uint64_t i = 0; i < seeds_per_test; ++i) {
        const std::uint64_t seed = static_cast<std::uint64_t>(GetParam()) * seeds_per_test + i;
        Random random(seed);
        expect_theorems(on_device(case_of(seed), random), seed);
        if (HasFatalFailure()) return;
    }
}

/// Elements of all of a rank's boxes.
Index owned(const Layout& layout, int rank) {
    Index count = 0;
    for (const Box& box : layout.where.boxes(rank)) count += box.volume();
    return count;
}

/// Ranks of the host have no hops, and nothing of a device's memory; those of the device work on
/// it.
void expect_shared(const Plan& plan, const Environment& here) {
    const Share& share = plan.choice.space.share;
    for (int rank = 0; rank < plan.ranks; ++rank) {
        const Program program = lower(plan, rank, here);
        const bool device = share.ranks == 0 || rank % share.ranks < share.devices;
        ASSERT_EQ(program.on_device, device) << rank;
        const bool hops = std::any_of(program.operations.begin(), program.operations.end(),
                                      [](const Operation& operation) {
                                          return std::holds_alternative<HopOp>(operation.what);
                                      });
        if (!device) {
            ASSERT_FALSE(hops) << rank;
        }
        if (device && !here.device_arrays && owned(plan.at.front(), rank) > 0 &&
            plan.choice.space.memory == 0) {
            ASSERT_TRUE(hops) << rank;
        }
    }
}

TEST_P(Programs, KeepTheirTheoremsOnSharesOfTheRanks) {
    for (std::uint64_t i = 0; i < seeds_per_test; ++i) {
        const std::uint64_t seed = static_cast<std::uint64_t>(GetParam()) * seeds_per_test + i;
        const PlannedCase planned = shared_case(mix(5) + seed, most_elements);
        SCOPED_TRACE(to_string(planned.plan));
        expect_theorems(planned, seed);
        if (HasFatalFailure()) return;
        expect_shared(planned.plan, planned.environment);
        if (HasFatalFailure()) return;
    }
}

// What the test above is about: weights that are said and such that the model finds, on process
// grids and on rows.
TEST(SharedCases, AreOfAllKinds) {
    int open = 0;
    int found = 0;
    int rows = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const PlannedCase planned = shared_case(mix(11) + seed, most_elements);
        const Index weight = planned.plan.choice.space.share.weight;
        ASSERT_NE(weight, Share::open_weight);
        const bool is_open = planned.drawn.choice.space.share.weight == Share::open_weight;
        open += is_open ? 1 : 0;
        found += is_open && weight > 1 ? 1 : 0;
        const bool lists =
            std::any_of(planned.plan.at.begin(), planned.plan.at.end(),
                        [](const Layout& layout) { return layout.where.list() != nullptr; });
        rows += lists && weight > 1 && planned.plan.choice.decomposition.row_wise ? 1 : 0;
    }
    EXPECT_GT(open, 5);
    EXPECT_GT(found, 0);
    EXPECT_GT(rows, 0);
}

/// The text of the plan that runs says all that lowering asks, on every rank: read elsewhere and
/// fused in the same environment it gives the same program.
void expect_read_back(const Plan& plan, const Environment& here) {
    const Plan fused = fuse(plan, here);
    const std::string text = to_string(fused);
    const Plan read = fuse(parse_plan(text), here);
    ASSERT_TRUE(read == fused) << text;
    for (int rank = 0; rank < plan.ranks; ++rank) {
        ASSERT_TRUE(lower(read, rank, here) == lower(plan, rank, here)) << text << ", " << rank;
    }
}

/// Bytes of the device's memory that a program works in.
Index device_bytes(const Program& program) {
    Index bytes = 0;
    for (const BufferSpec& buffer : program.buffers) {
        if (buffer.space == MemorySpace::device) bytes += buffer.room();
    }
    return bytes;
}

TEST_P(Programs, KeepTheirTheoremsInAPartOfADevice) {
    for (std::uint64_t i = 0; i < seeds_per_test; ++i) {
        const std::uint64_t seed = static_cast<std::uint64_t>(GetParam()) * seeds_per_test + i;
        const PlannedCase planned = bounded_case(mix(4) + seed, most_elements);
        expect_theorems(planned, seed);
        if (HasFatalFailure()) return;
        for (int rank = 0; rank < planned.plan.ranks; ++rank) {
            const Program program = lower(planned.plan, rank, planned.environment);
            EXPECT_EQ(program.workspace_bytes(), device_bytes(program));
            EXPECT_LE(device_bytes(program), planned.plan.choice.space.memory);
        }
        expect_read_back(planned.plan, planned.environment);
        if (HasFatalFailure()) return;
    }
}

// Found by a random draw: each of three tiles keeps its input and lets c2r write its complex axes
// into room for all tiles, of which the second one does not touch the end.
TEST(ProgramsInAPartOfADevice, HaveRoomForTheTileOnlyBesideAnInputThatTheyKeep) {
    const Plan plan = parse_plan(
        "r2c:f32:4x7x10x1x2*9; ranks=12; decomposition=least-volume; shrink=10; via=pairwise; "
        "space=fake(memory:512); tile=(axis:b,T:3,W:2,Uy:2,Uz:1,Fu:0)");
    expect_theorems({{plan.problem, plan.choice, plan.ranks}, plan, environment_of(plan, {}), 0},
                    1);
}

TEST_P(Programs, AreThoseOfTheFusedPlansText) {
    for (std::uint64_t i = 0; i < seeds_per_test; ++i) {
        const std::uint64_t seed = static_cast<std::uint64_t>(GetParam()) * seeds_per_test + i;
        const PlannedCase planned = case_of(seed);
        SCOPED_TRACE(to_string(planned));
        expect_read_back(planned.plan, planned.environment);
        expect_read_back(reverse(planned.plan), planned.environment.reversed());
        if (HasFatalFailure()) return;
        const PlannedCase shared = shared_case(mix(6) + seed, most_elements);
        SCOPED_TRACE(to_string(shared));
        expect_read_back(shared.plan, shared.environment);
        expect_read_back(reverse(shared.plan), shared.environment.reversed());
        if (HasFatalFailure()) return;
    }
}

std::set<Carrier> carriers_of(const Plan& fused) {
    std::set<Carrier> result;
    for (std::size_t stage = 0; stage < fused.stages.size(); ++stage) {
        if (const auto* one = redistribution_at(fused, stage)) result.insert(one->carrier);
    }
    return result;
}

// Direct access needs exposed arrays, one node and a redistribution at an end: drawn independently
// of each other these would hardly ever meet.
TEST(RandomPlans, AreOfAllCarriers) {
    constexpr int drawn = 400;
    std::map<Carrier, int> forward;
    std::map<Carrier, int> backward;
    for (std::uint64_t seed = 0; seed < drawn; ++seed) {
        const PlannedCase planned = case_of(seed);
        for (const Carrier one : carriers_of(fuse(planned.plan, planned.environment))) {
            ++forward[one];
        }
        for (const Carrier one :
             carriers_of(fuse(reverse(planned.plan), planned.environment.reversed()))) {
            ++backward[one];
        }
    }
    for (auto* plans : {&forward, &backward}) {
        EXPECT_GE((*plans)[Carrier::messages], drawn / 4);
        EXPECT_GE((*plans)[Carrier::region], drawn / 4);
        EXPECT_GE((*plans)[Carrier::direct], drawn / 10);
    }
}

/// Whether a program has others use a region of that kind, as `access` says.
bool publishes(const Program& program, RegionKind kind, RegionAccess access) {
    return std::any_of(
        program.operations.begin(), program.operations.end(), [&](const Operation& operation) {
            const auto* op = std::get_if<PublishOp>(&operation.what);
            return op != nullptr && op->task.region.kind == kind && op->task.access == access;
        });
}

// Of every kind of region, in turn with others of the program: work regions, and arrays of others
// that are read or written.
TEST(Program, OfRegionsKeepsItsTheorems) {
    struct Case {
        const char* text;
        bool reads_inputs;
        bool writes_outputs;
        bool reads_work;
    };
    for (const Case& one :
         {Case{"c2c:f64:8x6x4; ranks=2; decomposition=slab", false, false, true},
          Case{"c2c:f64:7x5x6; ranks=3; decomposition=pencil", false, false, true},
          Case{"c2c:f64:8x6x5 in=slab(0) out=slab(0); ranks=3", false, true, true},
          Case{"c2c:f64:8x6x5 in=slab(0) out=slab(0) in_place scale=none/n; ranks=3", false, true,
               true},
          Case{"c2c:f64:7x4x6 in=slab(1) out=slab(1) axes=1; ranks=2", false, true, true},
          Case{"r2c:f64:7x4x6 in=slab(1) out=free axes=1; ranks=4", true, false, false},
          Case{"c2c:f32:6x8x5 in=brick out=brick; ranks=8; decomposition=pencil", true, true,
               true}}) {
        for (const int ranks_per_node : {0, 2}) {
            Plan plan = parse_plan(one.text);
            const Environment environment{Topology(plan.ranks, ranks_per_node), true, true, true};
            const bool one_node = environment.nodes.one_node();
            const Program program = lower(plan, 0, environment);
            using enum RegionAccess;
            EXPECT_EQ(publishes(program, RegionKind::input, read), one.reads_inputs && one_node)
                << one.text << core::to_string(program);
            EXPECT_EQ(publishes(program, RegionKind::output, write), one.writes_outputs && one_node)
                << one.text << core::to_string(program);
            EXPECT_EQ(publishes(program, RegionKind::work, read), one.reads_work || !one_node)
                << one.text << core::to_string(program);
            for (std::uint64_t seed = 0; seed < 8; ++seed) {
                ASSERT_NO_THROW(ShadowMachine(plan, environment).run(seed)) << one.text;
                ASSERT_NO_THROW(ShadowMachine(reverse(plan), environment.reversed()).run(seed))
                    << "backward, " << one.text;
            }
        }
    }
}

// An oracle that takes any order would find nothing: without what comes after what, most programs
// that exchange break.
TEST(Program, NeedsItsPredecessors) {
    constexpr std::uint64_t orders = 20;
    for (const char* text :
         {"c2c:f64:8x6x4; ranks=2", "c2c:f64:8x6x4; ranks=2; via=alltoallv; pack=sender",
          "c2c:f64:8x6x4; ranks=2; via=alltoallv; pack=fused",
          "c2c:f64:8x6x5 in=slab(0) out=slab(0); ranks=3",
          "c2c:f64:8x8x8; ranks=2; via=alltoallv; pack=sender; tile=(axis:2,T:2,W:1)"}) {
        const Environment environment{Topology(parse_plan(text).ranks, 0), true, true, true};
        int broken = 0;
        for (std::uint64_t seed = 0; seed < orders; ++seed) {
            ShadowMachine machine(parse_plan(text), environment);
            ASSERT_NO_THROW(machine.run(seed, late_queues(seed))) << text;
            machine.forget_predecessors();
            try {
                machine.run(seed, late_queues(seed));
            } catch (const Violation&) {
                ++broken;
            }
        }
        EXPECT_GT(broken, 0) << text;
    }
}

// There is no stage before the first one and none behind the last one, whose numbers wrapped at 0.
TEST(Program, OfOneOrTwoStagesKeepsItsTheorems) {
    for (const char* text :
         {"c2c:f64:6x4; ranks=1", "redistribute:8:6x4 in=slab(0) out=slab(1); ranks=2",
          "c2c:f64:6x4 in=slab(0) out=slab(0) axes=1; ranks=2",
          "c2c:f64:6x4 in=slab(0) out=slab(1) axes=0; ranks=2",
          "c2c:f64:6x4 in=slab(0) out=slab(1) axes=1; ranks=2",
          "r2c:f64:6x4 in=slab(1) out=slab(0) axes=1 in_place; ranks=2"}) {
        for (const char* choice : {"", "; via=shared", "; pack=fused", "; pack=sender"}) {
            const Plan plan = parse_plan(std::string(text) + choice);
            ASSERT_LE(plan.stages.size(), 2U) << text;
            for (unsigned bits = 0; bits < 16; ++bits) {
                const Environment here{Topology(plan.ranks, (bits & 1) != 0 ? 1 : 0),
                                       (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
                ASSERT_NO_THROW(ShadowMachine(plan, here).run(bits)) << to_string(plan);
                ASSERT_NO_THROW(ShadowMachine(reverse(plan), here.reversed()).run(bits))
                    << "backward, " << to_string(plan);
            }
        }
    }
}

// In place, tiles are made over those that are still to be sent.
TEST(Program, OfTilesInOneArrayKeepsItsTheorems) {
    std::uint64_t seed = 0;
    for (const char* problem :
         {"c2c:f64:6x6x8", "r2c:f64:7x7x8", "c2r:f32:6x6x7", "c2c:f64:6x4x8", "c2c:f64:5x5x8*3",
          "c2c:f64:6x6x8 scale=none/n", "r2c:f64:6x6x8 in=free+(0,0,2)"}) {
        for (const char* choice :
             {"axis:2,T:3,W:2)", "axis:2,T:1,W:1,strict)", "axis:2,T:2,W:3,late)",
              "axis:2,T:3,W:0)", "axis:2,T:3,W:1); engine=fftw", "axis:2,T:3,W:1); pack=fused",
              "axis:0,T:1,W:2)", "axis:2,T:2,W:1); space=fake(staged)"}) {
            for (int ranks = 2; ranks <= 4; ++ranks) {
                const Plan plan = parse_plan(
                    fmt::format("{} in_place; ranks={}; tile=({}", problem, ranks, choice));
                const Environment here = environment_of(plan, {});
                ASSERT_NO_THROW(ShadowMachine(plan, here).run(++seed)) << to_string(plan);
                ASSERT_NO_THROW(ShadowMachine(reverse(plan), here.reversed()).run(seed))
                    << "backward, " << to_string(plan);
            }
        }
    }
}

// On one rank nothing is moved and nothing copied: the engine does it all, padding and order too.
TEST(Program, OfOneRankIsOneEngineCall) {
    for (const char* text :
         {"c2c:f64:8x9x10", "c2c:f64:8x9x10 out=slab(2)@201", "c2c:f32:8x9*3 axes=1",
          "r2c:f64:8x9x10", "r2c:f64:8x9x10 in_place", "r2c:f64:8x9 in=free+(1,3) out=free@10",
          "c2c:f64:8x9 in_place", "c2c:f64:5*4 in=free/(1,7) out=free@0b"}) {
        for (const Plan& plan : {parse_plan(text), reverse(parse_plan(text))}) {
            // c2r of several axes keeps its input in two steps, unless it need not.
            if (plan.backward && plan.problem.kind == Kind::r2c && !plan.problem.in_place) continue;
            const Program program = lower(plan, 0);
            ASSERT_EQ(program.operations.size(), 1U) << text << core::to_string(program);
            EXPECT_TRUE(std::holds_alternative<TransformOp>(program.operations.front().what));
            EXPECT_EQ(program.workspace_bytes(), 0);
        }
    }
    const Plan plan = parse_plan("r2c:f64:8x9x10 may_destroy_input");
    EXPECT_EQ(lower(reverse(plan), 0).operations.size(), 1U);
}

// Passes gather what there is of sparse ends, and scatter it; nobody's elements are zeros there.
TEST(Program, BesideSparseEndsKeepsItsTheorems) {
    for (const char* text :
         {"c2c:f64:8x6x5 out=sphere(2); ranks=3",
          "c2c:f64:8x8x8 modes=5x5x5 out=sphere(2); ranks=4",
          "c2c:f64:7x6x5*3 out=sphere(1.5); ranks=2", "r2c:f32:6x8x8 out=sphere(2); ranks=2",
          "c2r:f64:6x8x8 in=sphere(2); ranks=3", "r2r:f64:8x6x6 kinds=dct2 out=sphere(3); ranks=2",
          "c2c:f64:8x8x8 out=sphere(3); ranks=4; decomposition=pencil(2x2)",
          "c2c:f64:6x6x6 sparse in=boxes([0:6,0:1,0:2]|[0:2,3:5,0:6]) out=slab(1); ranks=2",
          "c2c:f64:6x6 sparse in=boxes([0:6,0:2]|) out=boxes(|[2:3,0:6]); ranks=2",
          "r2c:f64:6x8 sparse in=boxes([0:1,0:8]|[1:6,0:5]); ranks=2"}) {
        for (const char* choice : {"", "; via=alltoallv; pack=fused", "; pack=sender"}) {
            const Plan plan = parse_plan(std::string(text) + choice);
            for (const int nodes : {0, 1, 2}) {
                const Environment here{Topology(plan.ranks, nodes), true, false, false};
                SCOPED_TRACE(to_string(plan) + ", nodes of " + std::to_string(nodes));
                for (std::uint64_t seed = 0; seed < 2; ++seed) {
                    ASSERT_NO_THROW(ShadowMachine(plan, here).run(seed));
                    ASSERT_NO_THROW(ShadowMachine(reverse(plan), here.reversed()).run(seed));
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Programs, ::testing::Range(0, 16));

}  // namespace

}  // namespace weft::core::test
