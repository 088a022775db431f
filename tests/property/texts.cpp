// Plans are values: printed and read back, reversed twice, explained.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.hpp"
#include "model/default_plan.hpp"
#include "plan/explain.hpp"
#include "property/random_problem.hpp"
#include "weft/error.hpp"

namespace weft::core::test {

namespace {

constexpr int seeds = 400;
constexpr Index most_of_texts = 3000;

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines = split(text, '\n');
    std::erase(lines, "");
    return lines;
}

TEST(Texts, OfPlansReadBackAsTheSamePlan) {
    int refused = 0;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        const PlannedCase planned = planned_case(mix(4) + seed, most_of_texts);
        refused += planned.refused;
        SCOPED_TRACE(to_string(planned.drawn));
        for (const Plan& plan : {planned.plan, reverse(planned.plan)}) {
            const std::string text = core::to_string(plan);
            const Plan again = parse_plan(text);
            ASSERT_EQ(core::to_string(again), text);
            ASSERT_TRUE(again == plan) << text;
            ASSERT_TRUE(reverse(reverse(plan)) == plan);
            ASSERT_EQ(text.find("auto"), std::string::npos);
        }
    }
    EXPECT_LT(refused, 4 * seeds) << "most of what is drawn should be possible";
}

TEST(Texts, OfProblemsAndChoicesReadBack) {
    Random random(5);
    for (int i = 0; i < 3000; ++i) {
        const Case drawn = random_case(random, most_of_texts);
        const std::string problem = weft::to_string(drawn.problem);
        ASSERT_TRUE(parse_problem(problem) == drawn.problem) << problem;
        const std::string choice = weft::to_string(drawn.choice);
        ASSERT_TRUE(parse_choice(choice) == drawn.choice) << choice;
    }
}

TEST(Texts, DoNotDependOnWhoPlans) {
    // The same request gives the same plan, whatever was planned before.
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const PlannedCase planned = planned_case(mix(6) + seed, most_of_texts);
        const Case& drawn = planned.drawn;
        ASSERT_TRUE(default_plan(drawn.problem, drawn.choice, drawn.ranks) == planned.plan);
    }
}

TEST(Texts, ExplainEveryStateAndStage) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const PlannedCase planned = planned_case(mix(7) + seed, most_of_texts);
        SCOPED_TRACE(to_string(planned.drawn));
        for (const Plan& plan : {planned.plan, reverse(planned.plan)}) {
            const auto lines = lines_of(explain(plan));
            const auto with = [&](const std::string& word) {
                return static_cast<std::size_t>(
                    std::count_if(lines.begin(), lines.end(),
                                  [&](const std::string& line) { return line.starts_with(word); }));
            };
            ASSERT_EQ(with("at "), plan.at.size());
            ASSERT_EQ(with("stage "), plan.stages.size());
            const auto longer = lines_of(explain(plan, plan.ranks - 1));
            ASSERT_EQ(longer.size(), lines.size() + plan.at.size() +
                                         static_cast<std::size_t>(plan.redistributions()));
        }
    }
}

/// One character changed, left out or doubled.
std::string misspelt(const std::string& text, Random& random) {
    static const std::string letters = "0123456789bx(),;:>=-@*./ acdefilnoprstu";
    std::string result = text;
    const auto place =
        static_cast<std::size_t>(random.between(0, static_cast<Index>(text.size()) - 1));
    const char letter = letters[static_cast<std::size_t>(
        random.between(0, static_cast<Index>(letters.size()) - 1))];
    switch (random.between(0, 2)) {
        case 0:
            result[place] = letter;
            break;
        case 1:
            result.erase(place, 1);
            break;
        default:
            result.insert(place, 1, letter);
    }
    return result;
}

TEST(Texts, ThatAreMisspeltAreRefusedOrMeanSomethingElse) {
    Random random(8);
    int refused = 0;
    int accepted = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const PlannedCase planned = planned_case(mix(9) + seed, 200);
        const std::string text =
            weft::to_string(planned.plan.problem) + "; " + weft::to_string(planned.plan.choice);
        for (int i = 0; i < 25; ++i) {
            const std::string wrong =
                misspelt(text, random) + "; ranks=" + std::to_string(planned.plan.ranks);
            try {
                const Plan plan = parse_plan(wrong);
                ASSERT_TRUE(parse_plan(core::to_string(plan)) == plan) << wrong;
                ++accepted;
            } catch (const Error& error) {
                ASSERT_EQ(error.code(), ErrorCode::bad_request) << wrong << "\n" << error.what();
                ++refused;
            }
        }
    }
    EXPECT_GT(refused, 500);
    EXPECT_GT(accepted, 50);
}

}  // namespace

}  // namespace weft::core::test
