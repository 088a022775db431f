// What is measured where a choice says auto.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "exchange/via.hpp"
#include "model/default_plan.hpp"
#include "model/machine_file.hpp"
#include "model/price.hpp"
#include "plan/choice.hpp"
#include "tune/estimate.hpp"
#include "tune/methods.hpp"
#include "unit/refusal.hpp"

namespace weft::core {

namespace {

const Candidate* find(const std::vector<Candidate>& all, const std::string& via) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Candidate& one) { return one.via == via; });
    return found == all.end() ? nullptr : &*found;
}

TEST(TuneMethods, AreThoseThatTheChoiceLeavesOpen) {
    const auto redistributions = [](const char* text) {
        return measured_redistributions(parse_choice(text), 3);
    };
    using Redistributions = std::vector<int>;
    EXPECT_EQ(redistributions("via=auto"), (Redistributions{0, 1, 2}));
    EXPECT_EQ(redistributions("via=auto; via[1]=alltoallw"), (Redistributions{0, 2}));
    EXPECT_EQ(redistributions("via=alltoallw; via[1]=auto"), (Redistributions{1}));
    EXPECT_EQ(redistributions("via[2]=auto"), (Redistributions{2}));
    EXPECT_EQ(redistributions("via=alltoallw"), (Redistributions{}));
    const Choice rest = unmeasured(parse_choice("via=auto; via[0]=send; via[1]=auto; pack=fft"));
    EXPECT_EQ(rest.via, "");
    EXPECT_EQ(rest.via_of_redistribution,
              (std::map<int, std::string>{{0, "send"}, {1, "alltoallv"}}));
    EXPECT_EQ(rest.pack, Pack::fft);
    EXPECT_TRUE(is_measured(parse_choice("via[1]=auto")));
    EXPECT_FALSE(is_measured(parse_choice("via=send")));
    EXPECT_TRUE(measures_engine(parse_choice("engine=auto")));
    EXPECT_FALSE(measures_engine(parse_choice("via=auto")));
    EXPECT_EQ(unmeasured(parse_choice("engine=auto; effort=patient")),
              parse_choice("effort=patient"));
}

/// Those for one redistribution of a plan, given what is said of packing.
std::vector<Candidate> candidates_of(const Plan& plan, Pack pack, int number) {
    Choice choice = plan.choice;
    choice.pack = pack;
    return candidates(plan.problem, choice, plan.ranks, number);
}

TEST(TuneMethods, AreOfOneMoveOfThePlan) {
    const Plan plan = parse_plan(
        "r2c:f32:12x10x14 in=pencil(0,1) out=pencil(1,2); ranks=6; decomposition=pencil(2x3)");
    ASSERT_EQ(plan.redistributions(), 2);
    for (int number = 0; number < plan.redistributions(); ++number) {
        const auto all = candidates_of(plan, Pack::automatic, number);
        EXPECT_EQ(all.front().via, methods().front().name);
        for (const Candidate& one : all) {
            const Plan made = make_plan(plan.problem, one.choice, plan.ranks);
            EXPECT_EQ(made.choice, one.choice) << "not complete";
            EXPECT_EQ(made.choice.decomposition, plan.choice.decomposition);
            EXPECT_EQ(via_of(made.choice, number), one.via);
            EXPECT_EQ(via_of(made.choice, 1 - number), via_of(plan.choice, 1 - number)) << one.via;
        }
        EXPECT_EQ(find(all, "fftw-matrix"), nullptr);  // The parts are not FFTW's blocks.
        EXPECT_EQ(find(all, "nccl"), nullptr);         // Nothing lies on a device.
        EXPECT_EQ(all.size() + 2, methods().size());
    }
}

TEST(TuneMethods, GoWithTheSpace) {
    const std::string text = "c2c:f64:8x8x8; ranks=4; decomposition=slab; space=";
    const auto has_nccl = [&](const std::string& space) {
        return find(candidates_of(parse_plan(text + space), Pack::automatic, 0), "nccl") != nullptr;
    };
    EXPECT_TRUE(has_nccl("cuda"));
    EXPECT_FALSE(has_nccl("cuda(staged)"));
    EXPECT_FALSE(has_nccl("host"));
}

TEST(TuneMethods, GoWithThePacking) {
    const Plan plan = parse_plan("c2c:f64:8x8x8 cut=block; ranks=4; decomposition=slab");
    const auto all = candidates_of(plan, Pack::automatic, 0);
    EXPECT_NE(find(all, "fftw-matrix"), nullptr);
    EXPECT_EQ(all.size() + 1, methods().size());
    for (const Candidate& one : candidates_of(plan, Pack::datatype, 0)) {
        EXPECT_FALSE(packs(parse_via(one.via), Pack::datatype)) << one.via;
    }
    EXPECT_EQ(find(candidates_of(plan, Pack::datatype, 0), "alltoallv"), nullptr);
}

/// Tiles stay; methods that do not go with them are not tried.
TEST(TuneMethods, GoWithTiles) {
    const Plan plan = parse_plan("c2c:f64:8x8x8; ranks=4; pack=sender; tile=(axis:2,T:2)");
    const auto all = candidates_of(plan, Pack::automatic, 0);
    EXPECT_NE(find(all, "ialltoallv"), nullptr);
    EXPECT_EQ(find(all, "shared"), nullptr);
    for (const Candidate& one : all) {
        ASSERT_TRUE(one.choice.tile.has_value()) << one.via;
        EXPECT_EQ(one.choice.tile->tile_extent, 2) << one.via;
    }
}

TEST(TuneMethods, NeedRanksThatMeasure) {
    const Problem problem = parse_problem("c2c:f64:8x8x8");
    test::expect_refused("via=auto", "needs the ranks",
                         [&] { make_plan(problem, parse_choice("via=auto"), 4); });
}

// The few radices that are priced hold one that takes no more than a twentieth longer than the best
// of all, whether latency, bytes or overhead decide.
TEST(TuneMethods, HaveTheRadixThatTheModelSaysIsTheBest) {
    struct Case {
        const char* machine;
        const char* problem;
        int ranks;
        int ranks_per_node;
    };
    for (const Case& one :
         {Case{"default", "c2c:f64:16x16x16", 16, 1}, Case{"default", "c2c:f64:32x32x32", 24, 4},
          Case{"hopper", "r2c:f64:40x40x40", 37, 8}, Case{"summit", "c2c:f64:64x64x64", 64, 6},
          Case{"stampede", "c2c:f64:96x96x96", 96, 16}}) {
        Machine machine = named_machine(one.machine);
        machine.ranks_per_node = one.ranks_per_node;
        const Problem problem = parse_problem(one.problem);
        Choice slab = parse_choice("decomposition=slab");
        double least = std::numeric_limits<double>::infinity();
        const auto found = fastest_kway(problem, slab, one.ranks, machine, least);
        ASSERT_TRUE(found.has_value()) << one.problem;
        for (int radix = 2; radix <= one.ranks; ++radix) {
            slab.via = "kway(" + std::to_string(radix) + ")";
            const Plan plan = default_plan(problem, slab, one.ranks, machine);
            least = std::min(least, price(plan, machine).seconds());
        }
        EXPECT_LE(found->seconds, 1.05 * least) << one.problem << " on " << one.ranks;
        EXPECT_DOUBLE_EQ(found->seconds, price(found->plan, machine).seconds());
        // Nothing is faster than that.
        EXPECT_FALSE(fastest_kway(problem, slab, one.ranks, machine, 0.9 * least).has_value());
    }
}

/// Nothing runs: the rates of the machine decide.
TEST(TuneMethods, EnginesAreThoseOfTheHighestRateWhereTheModelChooses) {
    Machine machine = named_machine(default_machine);
    Means means;
    means.nodes = Topology(1, 1);
    means.vias = {"alltoallv"};
    means.engines = {"native", "fftw"};
    const Problem problem = parse_problem("c2c:f64:64x64x64");
    for (const std::string& fast : means.engines) {
        for (const std::string& name : means.engines) {
            machine.engines[name].rate = name == fast ? 1e11 : 1e9;
        }
        const Choice open = unmeasured(parse_choice("via=alltoallv; engine=auto"));
        EXPECT_EQ(estimated_choice(problem, open, 1, means, machine).engine, fast);
        const Choice fixed = parse_choice("via=alltoallv; engine=reference");
        EXPECT_EQ(estimated_choice(problem, fixed, 1, means, machine).engine, "reference");
    }
}

}  // namespace

}  // namespace weft::core
