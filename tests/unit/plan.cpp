#include "plan/plan.hpp"

#include <gtest/gtest.h>

#include "base/text.hpp"
#include "plan/explain.hpp"
#include "plan/problem.hpp"
#include "unit/refusal.hpp"

namespace weft::core {

namespace {

using test::BadText;

/// `slab(0)@012 | fft 12 | slab(0)@012 | redistribution | slab(1)@102 | ..`
std::string outline(const Plan& plan) {
    const int dims = static_cast<int>(plan.problem.shape.size());
    std::string text;
    for (std::size_t i = 0; i < plan.at.size(); ++i) {
        text +=
            to_string(plan.at[i].where, dims) + "@" + axis_digits(plan.at[i].format.order, dims);
        if (i == plan.stages.size()) break;
        if (const auto* stage = std::get_if<TransformStage>(&plan.stages[i])) {
            const std::string name =
                stage->kind == Kind::c2c ? "fft" : weft::to_string(stage->kind);
            text += " | " + name + (stage->sign < 0 ? " -" : " +") +
                    axis_digits(stage->axes, dims) + " | ";
        } else {
            text += " | redistribution | ";
        }
    }
    return text;
}

std::string outline_of(const std::string& text) { return outline(parse_plan(text)); }

struct Golden {
    std::string text;
    std::string outline;
};

void PrintTo(const Golden& golden, std::ostream* stream) { *stream << golden.text; }

class GoldenPlan : public ::testing::TestWithParam<Golden> {};

TEST_P(GoldenPlan, HasTheStatesAndStagesOfThePapers) {
    EXPECT_EQ(outline_of(GetParam().text), GetParam().outline);
}

INSTANTIATE_TEST_SUITE_P(
    Expected, GoldenPlan,
    ::testing::Values(
        // One rank: one call of the engine.
        Golden{"c2c:f64:8x8x8; ranks=1", "all@012 | fft -012 | all@012"},
        Golden{"r2c:f64:8x8; ranks=1", "all@01 | r2c -01 | all@01"},
        Golden{"c2r:f64:8x8; ranks=1", "all@01 | c2r +01 | all@01"},
        Golden{"r2c:f64:8x8 r2c_axis=0; ranks=1", "all@01 | r2c -10 | all@01"},
        // The last of axes as they are listed is the r2c axis: of axes=1,0 axis 0.
        Golden{"r2c:f64:8x8 axes=1,0; ranks=1", "all@01 | r2c -10 | all@01"},
        Golden{"c2r:f64:8x8 axes=1,0; ranks=1", "all@01 | c2r +10 | all@01"},
        Golden{"r2c:f64:8x8 axes=1,0 r2c_axis=1; ranks=1", "all@01 | r2c -01 | all@01"},
        Golden{"c2c:f64:8x8 out=free@10; ranks=1", "all@01 | fft -01 | all@10"},
        Golden{"c2c:f64:8x8*4; ranks=1", "all@b01 | fft -01 | all@b01"},
        // Slabs, with FFTW's transposed output.
        Golden{"c2c:f64:8x8x8; ranks=4",
               "slab(0)@012 | fft -12 | slab(0)@012 | redistribution | slab(1)@102 | fft -0 | "
               "slab(1)@102"},
        Golden{"c2c:f64:8x8x8 in=slab(0) out=slab(0); ranks=4",
               "slab(0)@012 | fft -12 | slab(0)@012 | redistribution | slab(1)@102 | fft -0 | "
               "slab(1)@102 | "
               "redistribution | slab(0)@012"},
        Golden{
            "c2c:f64:8x8; ranks=4",
            "slab(0)@01 | fft -1 | slab(0)@01 | redistribution | slab(1)@01 | fft -0 | slab(1)@01"},
        // Pencils: [gholami] Alg. 2.
        Golden{"c2c:f64:8x8x8; ranks=8; decomposition=pencil(2x4)",
               "pencil(0:2,1:4)@012 | fft -2 | pencil(0:2,1:4)@012 | redistribution | "
               "pencil(0:2,2:4)@012 | "
               "fft -1 | pencil(0:2,2:4)@012 | redistribution | pencil(1:2,2:4)@102 | fft -0 | "
               "pencil(1:2,2:4)@102"},
        // 4-D with three cuts: one axis at a time.
        Golden{"c2c:f64:4x4x4x4; ranks=8; decomposition=grid(2x2x2,012>013>023>123)",
               "grid(0:2,1:2,2:2)@0123 | fft -3 | grid(0:2,1:2,2:2)@0123 | redistribution | "
               "grid(0:2,1:2,3:2)@0123 | fft -2 | grid(0:2,1:2,3:2)@0123 | redistribution | "
               "grid(0:2,2:2,3:2)@0213 | fft -1 | grid(0:2,2:2,3:2)@0213 | redistribution | "
               "grid(1:2,2:2,3:2)@2103 | fft -0 | grid(1:2,2:2,3:2)@2103"},
        // Bricks at both ends.
        Golden{"c2c:f64:8x8x8 in=grid(2x2x2) out=grid(2x2x2); ranks=8; "
               "decomposition=pencil(2x4,01>02>12)",
               "grid(0:2,1:2,2:2)@012 | redistribution | pencil(0:2,1:4)@012 | fft -2 | "
               "pencil(0:2,1:4)@012 "
               "| redistribution | pencil(0:2,2:4)@012 | fft -1 | pencil(0:2,2:4)@012 | "
               "redistribution | "
               "pencil(1:2,2:4)@102 | fft -0 | pencil(1:2,2:4)@102 | redistribution | "
               "grid(0:2,1:2,2:2)@012"},
        // The r2c axis is transformed first, whichever it is.
        Golden{"r2c:f64:8x8x8 r2c_axis=2; ranks=4",
               "slab(0)@012 | r2c -12 | slab(0)@012 | redistribution | slab(1)@102 | fft -0 | "
               "slab(1)@102"},
        Golden{"r2c:f64:8x8x8 r2c_axis=1 in=slab(0); ranks=4",
               "slab(0)@012 | r2c -21 | slab(0)@012 | redistribution | slab(1)@102 | fft -0 | "
               "slab(1)@102"},
        Golden{"r2c:f64:8x8x8 r2c_axis=0 in=slab(1) out=slab(0); ranks=4",
               "slab(1)@012 | r2c -20 | slab(1)@012 | redistribution | slab(0)@012 | fft -1 | "
               "slab(0)@012"},
        Golden{"r2c:f64:8x8x8 r2c_axis=0 in=slab(0) out=slab(0); ranks=4",
               "slab(0)@012 | redistribution | slab(1)@102 | r2c -20 | slab(1)@102 | "
               "redistribution | slab(0)@012 | "
               "fft -1 | slab(0)@012"},
        // A batch of one-dimensional problems is cut along the batch.
        Golden{"c2c:f64:16*8; ranks=4", "slab(b)@b0 | fft -0 | slab(b)@b0"},
        Golden{"c2c:f64:16; ranks=4", "single@0 | fft -0 | single@0"},
        // More ranks than elements.
        Golden{
            "c2c:f64:2x2; ranks=7",
            "slab(0)@01 | fft -1 | slab(0)@01 | redistribution | slab(1)@01 | fft -0 | slab(1)@01"},
        // Axes that stay as they are.
        Golden{"c2c:f64:8x8x8 axes=0,1; ranks=4", "slab(2)@012 | fft -01 | slab(2)@012"},
        Golden{"c2c:f64:8x8 axes=1; ranks=4", "slab(0)@01 | fft -1 | slab(0)@01"},
        // A whole transform where the batch is cut: no exchange, whichever end asks for it.
        Golden{"c2c:f64:8x8*4 in=slab(b); ranks=4", "slab(b)@b01 | fft -01 | slab(b)@b01"},
        Golden{"c2c:f64:8x8*4 out=slab(b); ranks=4", "slab(b)@b01 | fft -01 | slab(b)@b01"},
        Golden{"c2r:f64:8x8*4 in=slab(b); ranks=4", "slab(b)@b01 | c2r +01 | slab(b)@b01"}));

class Reversed : public ::testing::TestWithParam<std::string> {};

TEST_P(Reversed, C2rIsTheReverseOfR2c) {
    const Problem r2c = parse_problem("r2c:" + GetParam());
    const Plan forward = make_plan(mirrored(r2c), {}, 6);
    const Plan backward = reverse(make_plan(r2c, {}, 6));
    EXPECT_EQ(forward.at, backward.at);
    EXPECT_EQ(outline(forward), outline(backward));
    EXPECT_EQ(forward.redistributions(), backward.redistributions());
}

INSTANTIATE_TEST_SUITE_P(Problems, Reversed,
                         ::testing::Values("f64:8x9x10", "f32:7x7 r2c_axis=0 in=slab(1)",
                                           "f64:4x5x6*3 axes=0,2 in=pencil(0,2) out=slab(1)@2b10",
                                           "f64:12*5 out=slab(b)", "f64:3x4x5x6 cut=block"));

TEST(Plan, ReverseTurnsSignsKindsAndPacking) {
    const Plan plan = parse_plan("r2c:f64:8x8; ranks=2; pack=sender");
    const Plan back = reverse(plan);
    EXPECT_TRUE(back.backward);
    EXPECT_EQ(
        outline(back),
        "slab(1)@01 | fft +0 | slab(1)@01 | redistribution | slab(0)@01 | c2r +1 | slab(0)@01");
    EXPECT_EQ(std::get<RedistributionStage>(back.stages[1]).pack, Pack::receiver);
    EXPECT_EQ(reverse(back), plan);
}

TEST(Plan, GivesEveryMoveItsMethod) {
    const Plan plan = parse_plan(
        "c2c:f64:8x8x8; ranks=4; decomposition=pencil(2x2); via=alltoallw; via[1]=alltoallv");
    ASSERT_EQ(plan.redistributions(), 2);
    EXPECT_EQ(to_string(std::get<RedistributionStage>(plan.stages[1]).via), "alltoallw");
    EXPECT_EQ(std::get<RedistributionStage>(plan.stages[1]).pack, Pack::datatype);
    EXPECT_EQ(to_string(std::get<RedistributionStage>(plan.stages[3]).via), "alltoallv");
    EXPECT_EQ(std::get<RedistributionStage>(plan.stages[3]).pack, Pack::fused);
}

// Where transforms can do the packing, and a word of it is left open, they do; the word that stands
// in the plan's text gives the same again.
TEST(Plan, LetsTransformsPackWhereTheyCan) {
    const auto packs_of = [](const std::string& text) {
        const Plan plan = parse_plan(text + "; ranks=4; decomposition=pencil(2x2)");
        EXPECT_EQ(parse_plan(to_string(plan)), plan) << text;
        std::string result;
        for (const Stage& stage : plan.stages) {
            const auto* redistribution = std::get_if<RedistributionStage>(&stage);
            if (redistribution != nullptr)
                result +=
                    to_string(redistribution->via) + " " + to_string(redistribution->pack) + ", ";
        }
        return result + to_string(plan.choice.pack);
    };
    EXPECT_EQ(packs_of("c2c:f64:8x8x8"), "shared fused, shared fused, fused");
    EXPECT_EQ(packs_of("c2c:f64:8x8x8 in_place"), "shared fused, shared fused, fused");
    EXPECT_EQ(packs_of("c2c:f64:8x8x8; engine=fftw"), "alltoallv sender, alltoallv sender, sender");
    EXPECT_EQ(packs_of("c2c:f64:8x8x8; pack=sender"), "alltoallv sender, alltoallv sender, sender");
    EXPECT_EQ(packs_of("c2c:f64:8x8x8; via=isend-waitall; via[1]=kway"),
              "isend-waitall fused, kway sender, fused");
    EXPECT_EQ(packs_of("c2c:f64:8x8x8 in_place; via=isend-waitall; via[1]=shared"),
              "isend-waitall sender, shared fused, sender");
    EXPECT_EQ(packs_of("c2c:f64:8x8x8; via=shared; via[1]=kway"),
              "shared fused, kway sender, sender");
    EXPECT_EQ(packs_of("c2c:f64:8x8x8; via=alltoallw; via[1]=shared(one-sided)"),
              "alltoallw datatype, shared(one-sided) fused, datatype");
}

TEST(Plan, SaysWhyNobodyPacksSo) {
    for (const test::BadText& bad :
         {test::BadText{"via=kway; pack=fused", "pack=sender"},
          test::BadText{"via=shared; pack=sender", "pack=fused"},
          test::BadText{"via=shared(kway)", "kway cannot carry"},
          test::BadText{"via=shared(cma)", "cma cannot carry"},
          test::BadText{"via=shared(alltoallw)", "alltoallw cannot carry"}}) {
        test::expect_refused(bad.text, bad.quoted,
                             [&] { parse_plan("c2c:f64:8x8; ranks=2; " + bad.text); });
    }
}

// Partial text is a constraint: what it leaves open is chosen so that it can be met.
TEST(Plan, ChoosesAMethodThatGoesWithThePack) {
    const Plan plan = parse_plan("c2c:f64:8x8; ranks=2; pack=datatype");
    EXPECT_EQ(plan.choice.via, "alltoallw");
}

TEST(Plan, ScalesByRule) {
    EXPECT_DOUBLE_EQ(parse_plan("c2c:f64:8x4 scale=n/none").scale(), 1.0 / 32);
    EXPECT_DOUBLE_EQ(reverse(parse_plan("c2c:f64:8x4 scale=n/none")).scale(), 1);
    EXPECT_DOUBLE_EQ(reverse(parse_plan("c2r:f64:8x4 axes=1 scale=n/symmetric")).scale(), 0.5);
}

TEST(Plan, OfALargeMachineIsMade) {
    for (const char* text : {"c2c:f64:256x256x256; ranks=4096", "r2c:f64:64x64x64x64; ranks=4096",
                             "c2c:f64:512x512x512 in=grid(16x16x16) out=grid(16x16x16); ranks=4096",
                             "c2c:f64:64x64x64x64; ranks=512; decomposition=cuts(3)"}) {
        const Plan plan = parse_plan(text);
        EXPECT_FALSE(plan.at.front().where.idle()) << text;
        EXPECT_GE(plan.ranks, 512);
    }
}

TEST(Plan, ExplainsItself) {
    const std::string text = explain(parse_plan("c2c:f64:8x8x8 scale=n/none; ranks=4"), 3);
    EXPECT_NE(text.find("N0/4 x N1 x N2"), std::string::npos) << text;
    EXPECT_NE(text.find("^N0 x ^N1/4 x ^N2"), std::string::npos) << text;
    EXPECT_NE(text.find("rank 3: [6:8,0:8,0:8] = 128 elements"), std::string::npos) << text;
    EXPECT_NE(text.find("0.001953125"), std::string::npos) << text;
}

// [ayala] Fig. 1: bricks, a pencil along each axis, bricks.
TEST(Plan, WithAsManyCutsAsAxesPassesFromBricksToBricks) {
    const Plan plan = parse_plan("c2c:f64:16x16x16; ranks=24; decomposition=cuts(3)");
    EXPECT_EQ(plan.redistributions(), 4);
    EXPECT_EQ(to_string(plan.choice.decomposition), "grid(2x3x4,012>112>022>010>012)");
    EXPECT_EQ(to_string(plan.at.front().where, 3), "grid(0:2,1:3,2:4)");
    EXPECT_EQ(plan.at.back().where, plan.at.front().where);
    const Plan given = parse_plan(
        "r2c:f64:16x16x16 in=brick out=brick; ranks=24; "
        "decomposition=cuts(3)");
    EXPECT_EQ(given.redistributions(), 4);
    EXPECT_EQ(parse_plan(core::to_string(given)), given);
}

// [duy] section 2, on more ranks than there are rows of one axis, and not a multiple of them.
TEST(Plan, RowWisePassesThroughRows) {
    EXPECT_EQ(outline_of("c2c:f64:6x6x6; ranks=16; decomposition=row-wise(012>201>210)"),
              "rows(012)@012 | fft -2 | rows(012)@012 | redistribution | rows(201)@012 | fft -1 | "
              "rows(201)@012 | redistribution | rows(210)@102 | fft -0 | rows(210)@102");
    // Few ranks: slabs.
    EXPECT_EQ(outline_of("c2c:f64:6x6x6; ranks=5; decomposition=row-wise"),
              "slab(0)@012 | fft -12 | slab(0)@012 | redistribution | slab(1)@102 | fft -0 | "
              "slab(1)@102");
    // Words that deal out the same rows are one.
    EXPECT_EQ(parse_plan("c2c:f64:6x6x6; ranks=5; decomposition=row-wise(021>120)"),
              parse_plan("c2c:f64:6x6x6; ranks=5; decomposition=row-wise(012>102)"));
    // The batch stays whole.
    EXPECT_EQ(
        outline_of("r2c:f64:4x8*3; ranks=3; decomposition=row-wise"),
        "slab(0)@b01 | r2c -1 | slab(0)@b01 | redistribution | slab(1)@b01 | fft -0 | slab(1)@b01");
}

// Halving can make an axis too short for the ranks: 8 rows to 5.
TEST(Plan, RowWiseFollowsTheHalvedAxis) {
    EXPECT_EQ(outline_of("r2c:f64:8x8x8 r2c_axis=0; ranks=6; decomposition=row-wise(102>012>021)"),
              "slab(1)@012 | r2c -20 | slab(1)@012 | redistribution | rows(012)@012 | "
              "redistribution | rows(021)@012 | "
              "fft -1 | rows(021)@012");
}

TEST(Plan, ShrinksToTheFirstRanks) {
    const Plan plan = parse_plan(
        "c2c:f64:8x8x8 in=slab(0) out=pencil(0,1); ranks=8; decomposition=pencil(2x2); shrink=4");
    EXPECT_EQ(to_string(plan.at.back().where, 3), "pencil(0:2,1:4)");
    EXPECT_FALSE(plan.at.front().where.idle());
    int inner = 0;
    for (const Layout& state : plan.at) {
        if (!state.where.idle()) continue;
        ++inner;
        EXPECT_FALSE(state.where.idle(4));
        EXPECT_EQ(state.count(3), 128);
        EXPECT_EQ(state.count(4), 0);
    }
    EXPECT_GE(inner, 2);
    EXPECT_NE(core::to_string(plan).find("shrink=4"), std::string::npos);
    // To all ranks is not to shrink.
    EXPECT_EQ(parse_plan("c2c:f64:8x8x8; ranks=8; shrink=8"), parse_plan("c2c:f64:8x8x8; ranks=8"));
    // Free ends are as what is between them.
    const Plan rows = parse_plan("c2c:f64:4x4x4; ranks=9; shrink=7; decomposition=row-wise");
    EXPECT_EQ(rows.at.front().count(7), 0);
    EXPECT_FALSE(rows.at.front().where.idle(7));
}

TEST(Plan, RecognisesSlabsGivenAsBoxes) {
    const Plan plan = parse_plan("c2c:f64:8x8x8 in=boxes([0:4,0:8,0:8]|[4:8,0:8,0:8]); ranks=2");
    EXPECT_EQ(plan.redistributions(), 1);
    EXPECT_EQ(to_string(plan.at.front().where, 3), "slab(0)");
    EXPECT_EQ(parse_plan(core::to_string(plan)), plan);
}

TEST(Plan, InPlaceGivesRealLinesTheRoomOfComplexOnes) {
    const Plan plan = parse_plan("r2c:f64:8x9 in_place; ranks=2");
    EXPECT_EQ(plan.at.front().format.padding, (std::vector<Index>{0, 1}));
    EXPECT_EQ(plan.at.front().bytes(0), 4 * 10 * 8);
    const Plan backward = parse_plan("c2r:f64:8x8 in_place; ranks=2");
    EXPECT_EQ(backward.at.back().format.padding, (std::vector<Index>{0, 2}));
}

TEST(Plan, InPlaceGivesTheRoomToLinesOfOneNumberToo) {
    for (const std::string layout : {"slab(0)", "slab(2)", "boxes([0:2,0:6,0:1]|)"}) {
        const Plan plan = parse_plan("r2c:f64:2x6x1 in_place in=" + layout + "; ranks=2");
        EXPECT_EQ(plan.at.front().format.padding, (std::vector<Index>{0, 0, 1})) << layout;
    }
}

class BadPlanText : public ::testing::TestWithParam<BadText> {};

TEST_P(BadPlanText, IsRefused) {
    const BadText& bad = GetParam();
    test::expect_refused(bad.text, bad.quoted, [&] { parse_plan(bad.text); });
}

INSTANTIATE_TEST_SUITE_P(Ranks, BadPlanText,
                         ::testing::Values(BadText{"c2c:f64:8x8; ranks=0", "0"},
                                           BadText{"c2c:f64:8x8; ranks=-4", "-4"},
                                           BadText{"c2c:f64:8x8; ranks=two", "'two'"},
                                           BadText{"c2c:f64:8x8; ranks=", "''"},
                                           BadText{"c2c:f64:8x8; ranks=3000000000", "3000000000"},
                                           BadText{"c2c:f64:8x8; ranks=2147483647", "2147483647"},
                                           BadText{"c2c:f64:8x8; ranks=2; ranks=4", "ranks=4"},
                                           BadText{"c2c:f64:8x8; sideways", "'sideways'"}));

INSTANTIATE_TEST_SUITE_P(
    Grids, BadPlanText,
    ::testing::Values(
        BadText{"c2c:f64:8x8 in=slab(0:3); ranks=4", "slab(0:3)"},
        BadText{"c2c:f64:8x8 out=grid(2x4); ranks=4", "2x4"},
        BadText{"c2c:f64:8x8 in=grid(1x1); ranks=4", "4 ranks"},
        BadText{"c2c:f64:8x8 in=grid(2147483647x2147483647)", "2147483647x2147483647"},
        BadText{"c2c:f64:8x8x8 in=grid(65536x65536x1); ranks=4", "65536x65536"},
        BadText{"c2c:f64:8x8x8; decomposition=pencil(2147483647x2147483647)",
                "2147483647x2147483647"},
        BadText{"c2c:f64:8x8; ranks=8; decomposition=grid(2x2x2)", "at most 2"},
        BadText{"redistribute:8:8x8 in=slab(0) out=slab(1); decomposition=slab",
                "single redistribution"},
        BadText{"c2c:f64:8x8 in=boxes([0:8,0:8]|); ranks=3", "2 ranks"},
        BadText{"c2c:f64:8x8 in=slab(0)/(4,1); ranks=2", "strides 4,1"},
        BadText{"c2c:f64:8; ranks=4; decomposition=slab", "slab"},
        BadText{"c2c:f64:8x8x8; ranks=4; decomposition=row-wise(01>10)", "'01'"},
        BadText{"c2c:f64:8x8*3; ranks=4; decomposition=row-wise(012)", "'012'"},
        BadText{"c2c:f64:8x8x8; ranks=16; decomposition=row-wise(012)", "axis 0"},
        BadText{"c2c:f64:8x8; ranks=4; shrink=5", "shrink=5"},
        BadText{"c2c:f64:8x8x8; ranks=8; shrink=4; decomposition=pencil(2x4)", "shrink to 4"},
        BadText{"redistribute:8:8x8 in=slab(0) out=slab(1); ranks=4; shrink=2", "shrink=2"},
        BadText{"c2c:f64:8x8x8; ranks=4; decomposition=cuts(9)", "cuts(9)"},
        BadText{"c2c:f64:8x8x8; ranks=4; decomposition=pencil(2x4)", "pencil(2x4)"},
        BadText{"c2c:f64:8x8; ranks=2; decomposition=slab(2,0)", "axis 0"},
        BadText{"c2c:f64:8x8; ranks=2; decomposition=slab(2,none)", "slab(2,none)"},
        BadText{"c2c:f64:8x8; ranks=2; decomposition=slab(2,9>0)", "axis 9"},
        BadText{"c2c:f64:8x8; ranks=2; decomposition=slab(2,b>0)", "slab(2,b>0)"},
        BadText{"r2c:f64:8x8; ranks=2; decomposition=slab(2,1)", "axis 0"}));

INSTANTIATE_TEST_SUITE_P(
    Methods, BadPlanText,
    ::testing::Values(BadText{"c2c:f64:8x8; ranks=2; via[1]=alltoallw", "via[1]"},
                      BadText{"c2c:f64:8x8; ranks=1; via[0]=alltoallw", "via[0]"},
                      BadText{"c2c:f64:8x8; ranks=2; via=alltoallv; pack=datatype", "datatype"},
                      BadText{"c2c:f64:8x8; ranks=2; via=alltoallw; pack=sender", "sender"}));

/// Choices that no text can express but a program can.
struct BadDecomposition {
    std::string what;
    Decomposition decomposition;
};

void PrintTo(const BadDecomposition& bad, std::ostream* stream) { *stream << bad.what; }

class BadChoice : public ::testing::TestWithParam<BadDecomposition> {};

TEST_P(BadChoice, IsRefused) {
    Choice choice;
    choice.decomposition = GetParam().decomposition;
    const Problem problem = parse_problem("c2c:f64:8x8x8");
    test::expect_refused(GetParam().what, "decomposition", [&] { make_plan(problem, choice, 4); });
}

TEST(Plan, RefusesAChunkOfNothing) {
    Choice choice;
    choice.chunk = 0;
    test::expect_refused("chunk=0", "chunk=0",
                         [&] { make_plan(parse_problem("c2c:f64:8x8"), choice, 2); });
}

using Path = std::vector<std::vector<int>>;

INSTANTIATE_TEST_SUITE_P(
    Decompositions, BadChoice,
    ::testing::Values(BadDecomposition{"negative cuts", {-1, {}, {}}},
                      BadDecomposition{"grid and cuts disagree", {2, {4}, {}}},
                      BadDecomposition{"grid without cuts", {{}, {3}, {}}},
                      BadDecomposition{"a factor of zero", {1, {0}, {}}},
                      BadDecomposition{"negative factors", {2, {-2, -2}, {}}},
                      BadDecomposition{"path without grid", {2, {}, Path{{0, 1}}}},
                      BadDecomposition{"path without cuts", {{}, {}, Path{{0}}}},
                      BadDecomposition{"too few axes", {2, {2, 2}, Path{{0}, {1, 2}}}},
                      BadDecomposition{"too many axes", {2, {2, 2}, Path{{0, 1, 2}, {1, 2}}}},
                      BadDecomposition{"rows with cuts", {2, {}, {}, true}},
                      BadDecomposition{"rows with a grid", {2, {2, 2}, {}, true}},
                      BadDecomposition{"no order", {{}, {}, Path{{0, 0, 2}}, true}},
                      BadDecomposition{"orders of two axes", {{}, {}, Path{{0, 1}}, true}},
                      BadDecomposition{"two objectives", {{}, {}, {}, true, true}},
                      BadDecomposition{"least volume on a grid", {2, {2, 2}, {}, false, true}},
                      BadDecomposition{"an axis below", {2, {2, 2}, Path{{0, -7}, {1, 2}}}},
                      BadDecomposition{"an axis above", {2, {2, 2}, Path{{0, 7}, {1, 2}}}}));

}  // namespace

}  // namespace weft::core
