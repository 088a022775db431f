// Which families are looked at, and in which order of rounds.
#include "plan/candidates.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/text.hpp"

namespace weft::core {

namespace {

/// `12 2x6 | 12`: the families of each round, rows as `rows`.
std::string outline_of_rounds(const std::string& problem_text, const Decomposition& constraint,
                              int ranks, Scope scope) {
    const Problem problem = parse_problem(problem_text);
    const Candidates candidates(problem, constraint, ranks, ranks, scope, problem.cut);
    std::string text;
    for (const CandidateRound& round : candidates.rounds()) {
        if (!text.empty()) text += "| ";
        for (const Family& family : candidates.families(round)) {
            text += (family.row_wise ? "rows" : join(family.grid, "x")) + " ";
        }
    }
    return text;
}

const std::string cube = "c2c:f64:16x16x16";

TEST(Candidates, OfTheHeadersExample) {
    EXPECT_EQ(outline_of_rounds(cube, {}, 12, Scope::usual), "12 2x6 3x4 4x3 6x2 | 12 3x4 ");
}

TEST(Candidates, OfAllFamiliesHaveRowsAndGridsWithFactorsOfOne) {
    EXPECT_EQ(outline_of_rounds(cube, {}, 6, Scope::all),
              "6 1x6 2x3 3x2 6x1 rows | 6 1x6 2x3 3x2 6x1 rows ");
}

TEST(Candidates, OfThreeAndMoreCutsAreRoundsByThemselves) {
    EXPECT_EQ(outline_of_rounds("c2c:f64:16x16x16x16x16", {}, 16, Scope::usual),
              "16 2x8 4x4 8x2 | 2x2x4 2x4x2 4x2x2 | 2x2x2x2 | 16 4x4 2x2x4 2x2x2x2 ");
}

TEST(Candidates, LeaveOutFactorsAboveEveryExtentUnlessRanksMayIdle) {
    EXPECT_EQ(outline_of_rounds("c2c:f64:8x8x8", {}, 12, Scope::usual),
              "2x6 3x4 4x3 6x2 | 12 3x4 ");
}

TEST(Candidates, AreThoseThatAConstraintNames) {
    EXPECT_EQ(outline_of_rounds(cube, decomposition::slab, 12, Scope::usual), "12 | 12 ");
    EXPECT_EQ(outline_of_rounds(cube, decomposition::row_wise, 12, Scope::usual), "rows | rows ");
    EXPECT_EQ(outline_of_rounds(cube, parse_decomposition("pencil(2x6)"), 12, Scope::usual),
              "2x6 | 2x6 ");
    // A prime number of ranks has no other pencils.
    EXPECT_EQ(outline_of_rounds(cube, decomposition::pencil, 7, Scope::usual), "1x7 7x1 | 1x7 ");
}

}  // namespace

}  // namespace weft::core
