// Choices that keep to what a caller has fixed, and others.
#include <gtest/gtest.h>

#include <array>

#include "tune/constraint.hpp"
#include "weft/choice.hpp"

namespace weft::core {

namespace {

struct Case {
    const char* constraint;
    const char* choice;  ///< of c2c:f64:16x16x16 on 8 ranks
    bool keeps;
};

constexpr std::array<Case, 22> cases = {{
    {"", "decomposition=slab; via=kway", true},
    {"decomposition=pencil", "decomposition=pencil(2x4); via=kway", true},
    {"decomposition=pencil(2x4)", "decomposition=pencil(2x4)", true},
    {"decomposition=pencil(4x2)", "decomposition=pencil(2x4)", false},
    {"decomposition=pencil", "decomposition=slab", false},
    {"decomposition=row-wise", "decomposition=slab", false},
    {"decomposition=least-volume", "decomposition=slab", true},
    {"via=alltoallv", "via=alltoallv; engine=reference", true},
    {"via=alltoallv", "via=alltoallw", false},
    {"via=auto", "via=alltoallw", true},
    {"engine=auto", "engine=reference", true},
    {"engine=native", "engine=native; via=kway", true},
    {"engine=native", "engine=reference", false},
    {"tile=(axis:2)", "tile=(axis:2,T:4,W:3)", true},
    {"tile=(axis:2,T:4)", "tile=(axis:2,T:2,W:3)", false},
    {"tile=(axis:2)", "via=alltoallv", false},
    {"threads=2", "threads=1", false},
    {"space=fake", "space=fake(staged:4096)", true},
    {"space=fake(staged)", "space=fake(direct)", false},
    {"space=fake", "space=host", false},
    {"space=auto", "space=fake(direct)", true},
    {"space=auto", "space=host", true},
}};

TEST(Constraint, IsKeptWhereItChangesNothing) {
    const Problem problem = parse_problem("c2c:f64:16x16x16");
    for (const Case& one : cases) {
        Choice choice = parse_choice(one.choice);
        if (choice.engine.empty()) choice.engine = "native";
        const Choice complete = make_plan(problem, choice, 8).choice;
        EXPECT_EQ(keeps_to(problem, complete, parse_choice(one.constraint), 8), one.keeps)
            << one.constraint << " / " << one.choice;
    }
}

/// On one rank all decompositions are the one.
TEST(Constraint, IsKeptByTheOnlyPlanThereIs) {
    const Problem problem = parse_problem("c2c:f64:16x16x16");
    const Choice complete = make_plan(problem, parse_choice("engine=native"), 1).choice;
    EXPECT_TRUE(keeps_to(problem, complete, parse_choice("decomposition=slab"), 1));
}

/// What cannot be planned keeps to nothing.
TEST(Constraint, IsBrokenByWhatHasNoPlan) {
    const Problem problem = parse_problem("c2c:f64:16x16x16");
    EXPECT_FALSE(keeps_to(problem, parse_choice("decomposition=pencil(3x5)"), {}, 8));
}

}  // namespace

}  // namespace weft::core
