// Ends whose boxes leave elements out.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <variant>
#include <vector>

#include "base/mapped.hpp"
#include "exchange/transfers.hpp"
#include "geometry/box_list.hpp"
#include "kernels/copy.hpp"
#include "plan/plan.hpp"
#include "plan/problem.hpp"
#include "plan/sphere.hpp"
#include "program/layout_tasks.hpp"
#include "program/lower.hpp"
#include "unit/refusal.hpp"

namespace weft::core {
namespace {

using Boxes = std::vector<std::vector<Box>>;

TEST(SparseEnds, AreBoxesThatCoverAPart) {
    const Distribution where(BoxList({4, 6}, {{{{0, 0}, {4, 1}}}, {{{0, 4}, {4, 6}}}}, true));
    EXPECT_TRUE(where.sparse());
    EXPECT_EQ(where.covered(), 12);
    EXPECT_TRUE(where.local(0));
    EXPECT_EQ(where.reshaped({3, 6}).covered(), 9);
    EXPECT_FALSE(Distribution(BoxList({4, 6}, {{{{0, 0}, {4, 6}}}}, true)).sparse());
    test::expect_refused("4x6", "overlap in [0:1,0:1]", [] {
        BoxList({4, 6}, {{{{0, 0}, {1, 1}}}, {{{0, 0}, {4, 1}}}}, true);
    });
    test::expect_refused("4x6", "no rank owns an element", [] { BoxList({4, 6}, {{}, {}}, true); });
    test::expect_refused("4x6", "say sparse", [] { BoxList({4, 6}, {{{{0, 0}, {1, 1}}}}); });
}

// Rank 0 has columns 0 and 1 of 4, rank 1 column 3; rows 0, 1 and 2, 3.
TEST(SparseEnds, MoveWhatBothSidesOwn) {
    const Distribution columns(BoxList({4, 4}, {{{{0, 0}, {4, 2}}}, {{{0, 3}, {4, 4}}}}, true));
    const Distribution rows(BoxList({4, 4}, {{{{0, 0}, {2, 4}}}, {{{2, 0}, {4, 4}}}}));
    EXPECT_EQ(volume(columns, rows), 4 + 2);
    EXPECT_EQ(volume(rows, columns), 4 + 2);
    EXPECT_EQ(sent(columns, rows, 0), 4);
    EXPECT_EQ(sent(rows, columns, 0), 2);
    EXPECT_EQ(sent(rows, columns, 1), 4);
    const Distribution others(BoxList({4, 4}, {{{{0, 3}, {4, 4}}}, {{{0, 2}, {4, 3}}}}, true));
    EXPECT_EQ(volume(columns, others), 4);
    EXPECT_EQ(sent(columns, others, 0), 0);
    EXPECT_EQ(sent(columns, others, 1), 4);
}

std::vector<std::string> texts(const Distribution& where, int rank) {
    return mapped(where.boxes(rank), [](const Box& box) { return weft::to_string(box); });
}

TEST(SparseEnds, OfASphereAreColumns) {
    const Problem problem = parse_problem("c2c:f64:8x8x8 out=sphere(1)");
    const Distribution where = sphere_columns(problem, 1, 2);
    EXPECT_EQ(texts(where, 0), (std::vector<std::string>{"[0:8,0:1,0:2]"}));
    EXPECT_EQ(texts(where, 1),
              (std::vector<std::string>{"[0:8,0:1,7:8]", "[0:8,1:2,0:1]", "[0:8,7:8,0:1]"}));
}

/// How many columns there are by the definition of a sphere, where all axes are complex.
Index columns_within(const std::vector<Index>& others, double cutoff) {
    Index count = 0;
    for (Index i = 0; i < others[0]; ++i) {
        for (Index j = 0; j < others[1]; ++j) {
            const Index a = 2 * i < others[0] ? i : i - others[0];
            const Index b = 2 * j < others[1] ? j : j - others[1];
            count += static_cast<double>(a * a + b * b) <= cutoff * cutoff ? 1 : 0;
        }
    }
    return count;
}

TEST(SparseEnds, OfASphereAreSharedEvenly) {
    for (const double cutoff : {0.0, 0.5, 1.5, 3.0, 5.0, 5.1, 6.5, 40.0}) {
        for (const int ranks : {1, 2, 3, 7, 200}) {
            const Problem problem = parse_problem("c2c:f64:16x13x14 modes=9x13x12");
            const Distribution where = sphere_columns(problem, cutoff, ranks);
            EXPECT_EQ(where.covered(), 9 * columns_within({13, 12}, cutoff)) << cutoff;
            Index least = where.covered();
            for (int rank = 0; rank < ranks; ++rank) {
                Index own = 0;
                for (const Box& box : where.boxes(rank)) own += box.volume();
                least = std::min(least, own);
            }
            EXPECT_LE(where.largest() - least, 9);
        }
    }
}

TEST(SparseEnds, HaveTextsThatReadBack) {
    for (const char* text : {"c2c:f64:8x8x8 modes=5x5x5 in=free out=sphere(2)",
                             "c2r:f64:8x8x8 in=sphere(2.5)@012 out=free",
                             "c2c:f64:8x8 in=boxes([0:4,0:8]|) out=free sparse"}) {
        const Problem problem = parse_problem(text);
        EXPECT_EQ(weft::to_string(problem), text);
        EXPECT_EQ(parse_problem(weft::to_string(problem)), problem);
    }
}

TEST(SparseEnds, AreRefusedWhereTheyCannotBe) {
    const std::vector<std::array<const char*, 2>> bad = {
        {"c2c:f64:8x8 in=sphere(2); ranks=2", "a sphere is of the spectrum"},
        {"c2r:f64:8x8 out=sphere(2); ranks=2", "a sphere is of the spectrum"},
        {"redistribute:8:8x8 in=slab(0) out=sphere(2); ranks=2", "no modes"},
        {"c2c:f64:8x8 out=sphere(-1); ranks=2", "0 or more"},
        {"c2c:f64:8x8 out=sphere; ranks=2", "unknown"},
        {"c2c:f64:8x8 sparse; ranks=2", "neither in nor out"},
        {"c2c:f64:8x8 out=sphere(2) in_place; ranks=2", "two arrays"},
        {"c2c:f64:8x8 out=sphere(2); ranks=2; tile=b", "tile"},
        {"c2c:f64:8x8 sparse out=boxes(|); ranks=2", "no rank owns an element"},
        {"c2c:f64:8x8 sparse out=boxes([0:8,0:1]|[7:8,0:2]); ranks=2", "overlap"},
        {"c2c:f64:8x8 out=boxes([0:8,0:1]|[0:8,1:2]); ranks=2", "say sparse"},
    };
    for (const auto& [text, quoted] : bad) {
        test::expect_refused(text, quoted, [&] { parse_plan(text); });
    }
}

// Columns of a sphere are transformed where they are, in one call, and the exchange moves no more.
TEST(SparseEnds, TransformTheirLinesAlone) {
    const Plan plan = parse_plan("c2c:f64:16x16x16 modes=9x9x9 out=sphere(4); ranks=2");
    const std::size_t last = plan.stages.size() - 1;
    const TransformStage* transform = transform_at(plan, last);
    ASSERT_NE(transform, nullptr);
    EXPECT_EQ(transform->axes, std::vector{0});
    EXPECT_TRUE(plan.at[last].where.sparse());
    EXPECT_EQ(plan.at[last].where.covered(), 16 * columns_within({9, 9}, 4));
    for (int rank = 0; rank < 2; ++rank) {
        const std::vector<FftTask> tasks =
            fft_tasks(*transform, plan.at[last], plan.at[last + 1], rank);
        ASSERT_EQ(tasks.size(), 1U);
        EXPECT_EQ(count_of(tasks.front().looped) * 9, plan.at.back().count(rank));
    }
}

TEST(SparseEnds, AreClearedWhereNothingComes) {
    const Plan plan = parse_plan("c2c:f64:8x8x8 out=sphere(2); ranks=2; pack=sender");
    const auto clears = [&](const Plan& one) {
        const Program program = lower(one, 0, Environment{});
        return std::count_if(program.operations.begin(), program.operations.end(),
                             [](const Operation& operation) {
                                 return std::holds_alternative<ClearOp>(operation.what);
                             });
    };
    EXPECT_EQ(clears(plan), 0);
    EXPECT_EQ(clears(reverse(plan)), 1);
}

std::vector<FusedOp> passes_of(const Plan& plan) {
    std::vector<FusedOp> result;
    for (const Operation& operation : lower(plan, 0, Environment{}).operations) {
        EXPECT_FALSE(std::holds_alternative<CopyOp>(operation.what));
        if (const auto* pass = std::get_if<FusedOp>(&operation.what)) result.push_back(*pass);
    }
    return result;
}

template <class Work>
Index count_of_work(const FusedOp& pass) {
    return std::count_if(pass.work.begin(), pass.work.end(),
                         [](const auto& one) { return std::holds_alternative<Work>(one); });
}

// The columns of two ranks are 16 x 9 x 9 without corners. Planes go to them and come from them plane
// by plane, and the columns of a rank are one batch, though they are of several boxes.
TEST(SparseEnds, ShareAPassOfTransforms) {
    const std::string text = "c2c:f64:16x16x16 modes=9x9x9 out=sphere(4); ranks=2";
    const Plan plan = parse_plan(text);
    const Index columns = plan.at.back().count(0) / 9;
    for (const bool backward : {false, true}) {
        for (const char* more : {"", "; via=alltoallv; pack=fused"}) {
            SCOPED_TRACE(text + more + (backward ? " backward" : ""));
            const Plan one = parse_plan(text + more);
            const std::vector<FusedOp> passes = passes_of(backward ? reverse(one) : one);
            ASSERT_EQ(passes.size(), 2U);
            const FusedOp& planes = passes[backward ? 1 : 0];
            EXPECT_EQ(planes.repeat, 8);
            EXPECT_EQ(count_of_work<TransformOp>(planes), 2);
            EXPECT_EQ(count_of_work<FusedClear>(planes), backward ? 1 : 0);
            Index copied = 0;
            for (const auto& work : planes.work) {
                const auto* copy = std::get_if<FusedCopy>(&work);
                if (copy != nullptr) copied += bytes_of(copy->task);
            }
            EXPECT_EQ(copied, 16 * columns_within({9, 9}, 4));
            const FusedOp& lines = passes[backward ? 0 : 1];
            ASSERT_EQ(lines.work.size(), 1U);
            EXPECT_EQ(std::get<FusedLines>(lines.work.front()).lanes, columns);
        }
    }
}

// A line of reals would lie in scratch memory for complex numbers.
TEST(SparseEnds, OfRealsArePacked) {
    const Plan reals = parse_plan("r2c:f64:8x8 sparse in=boxes([0:1,0:8]|[1:8,0:5]); ranks=2");
    const Plan numbers = parse_plan("c2c:f64:8x8 sparse in=boxes([0:1,0:8]|[1:8,0:5]); ranks=2");
    const auto fuses = [](const Plan& plan) {
        for (std::size_t i = 0; i < plan.stages.size(); ++i) {
            const RedistributionStage* one = redistribution_at(plan, i);
            if (one != nullptr && plan.at[i].where.sparse()) return is_fused(*one);
        }
        return false;
    };
    EXPECT_FALSE(fuses(reals));
    EXPECT_TRUE(fuses(numbers));
}

TEST(Clear, LeavesWhatLiesBetweenRuns) {
    std::vector<std::byte> memory(60, std::byte{1});
    clear(memory.data(), {1, {{2, 9}, {2, 3}, {3, 1}}}, 3);
    for (std::size_t i = 0; i < memory.size(); ++i) {
        const std::size_t element = i / 3;
        const bool inside = element >= 1 && ((element - 1) % 9) < 6 && element - 1 < 18;
        EXPECT_EQ(memory[i], std::byte{inside ? std::uint8_t{0} : std::uint8_t{1}}) << i;
    }
}

}  // namespace
}  // namespace weft::core
