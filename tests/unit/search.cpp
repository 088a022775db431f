// The search for the best way by any objective, against all ways through small graphs.
#include "plan/search.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "plan/path.hpp"
#include "unit/all_ways.hpp"

namespace weft::core {

namespace {

using test::best_of_all_ways;
using test::each_graph;
using test::small_case;
using test::SmallCase;

/// A random small number for each redistribution, the same whenever it is asked for.
std::function<Price(const Redistribution&)> list_of_prices(std::uint64_t seed, std::uint64_t most) {
    return [=](const Redistribution& redistribution) {
        std::uint64_t name = mix(seed + (redistribution.complex ? 1000 : 0));
        for (const Distribution& end : {redistribution.from, redistribution.to}) {
            for (const char each : to_string(end, 3) + ">") {
                name = mix(name + static_cast<std::uint64_t>(each));
            }
        }
        Price price = counted(redistribution);
        price.weight = static_cast<double>(1 + name % most);
        return price;
    };
}

bool nobody(const Price&, const Price&) { return false; }
bool never_asked(const Decomposition&) { return false; }

/// Least by a list of prices, however many exchanges that takes.
Objective by_list(std::uint64_t seed, Scope scope) {
    return {.name = "by list",
            .asked_for = never_asked,
            .scope = scope,
            .price = list_of_prices(seed, 20),
            .before = [](const Price& a, const Price& b) { return a.weight < b.weight; },
            .better = nobody};
}

/// Least by a list with few different prices; of equals, that which moves least.
Objective by_list_then_volume(std::uint64_t seed, Scope scope) {
    return {.name = "by list, then volume",
            .asked_for = never_asked,
            .scope = scope,
            .price = list_of_prices(seed, 2),
            .before = [](const Price& a, const Price& b) { return a.weight < b.weight; },
            .better = [](const Price& a, const Price& b) { return a.volume < b.volume; }};
}

/// Fewest exchanges, and of equals that which moves most: nothing in the search is for the least.
Objective most_volume(std::uint64_t /*seed*/, Scope scope) {
    return {.name = "most volume in fewest exchanges",
            .asked_for = never_asked,
            .scope = scope,
            .before = [](const Price& a, const Price& b) { return a.exchanges < b.exchanges; },
            .better = [](const Price& a, const Price& b) { return a.volume > b.volume; }};
}

constexpr std::array<Objective (*)(std::uint64_t, Scope), 3> made_up = {
    by_list, by_list_then_volume, most_volume};

std::string text_of(const SmallCase& drawn, const Objective& objective) {
    return weft::to_string(drawn.problem) + "; ranks=" + std::to_string(drawn.ranks) + " by " +
           std::string(objective.name);
}

/// For each graph of a case: what the search finds beside the best of all ways by `exact`. Returns
/// how many graphs have a way.
int compared_with_all_ways(const SmallCase& drawn, const Objective& objective,
                           const Objective& exact,
                           const std::function<void(const Price& found, const Price& best)>& look) {
    SCOPED_TRACE(text_of(drawn, objective));
    int compared = 0;
    each_graph(drawn, objective.scope, [&](const Graph& graph) {
        const std::optional<Price> best = best_of_all_ways(graph, exact);
        const std::optional<Found> found = search(graph, objective, nullptr);
        ASSERT_EQ(found.has_value(), best.has_value());
        if (!best) return;
        ++compared;
        look(found->price, *best);
    });
    return compared;
}

TEST(Search, FindsTheBestWayByAnyObjective) {
    Random random(1);
    int compared = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const SmallCase drawn = small_case(random);
        for (const auto make : made_up) {
            const Objective objective = make(seed, Scope::all);
            const auto look = [&](const Price& found, const Price& best) {
                EXPECT_FALSE(precedes(objective, best, found));
                EXPECT_FALSE(precedes(objective, found, best));
            };
            compared += compared_with_all_ways(drawn, objective, objective, look);
        }
    }
    EXPECT_GT(compared, 500);
}

TEST(Search, FindsTheLeastVolume) {
    Random random(2);
    const Objective& objective = objective_for(decomposition::least_volume);
    int compared = 0;
    const auto look = [](const Price& found, const Price& best) { EXPECT_EQ(found, best); };
    for (int i = 0; i < 100; ++i) {
        compared += compared_with_all_ways(small_case(random), objective, objective, look);
    }
    EXPECT_GT(compared, 300);
}

TEST(Search, FindsTheFewestExchangesAndThenLittleVolume) {
    Random random(3);
    const Objective& objective = objective_for({});
    Objective exact = objective;
    exact.better = [](const Price& a, const Price& b) { return a.volume < b.volume; };
    const auto look = [](const Price& found, const Price& best) {
        EXPECT_EQ(found.exchanges, best.exchanges);
        // Every comparison on the way may overlook a 64th.
        const double slack = std::pow(64.0 / 63.0, static_cast<double>(best.exchanges + 2));
        EXPECT_LE(static_cast<double>(found.volume), slack * static_cast<double>(best.volume));
    };
    int compared = 0;
    for (int i = 0; i < 200; ++i) {
        compared += compared_with_all_ways(small_case(random), objective, exact, look);
    }
    EXPECT_GT(compared, 300);
}

TEST(Search, FindsOnlyWhatBeatsAPrice) {
    Random random(4);
    int compared = 0;
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const SmallCase drawn = small_case(random);
        const Objective objective = by_list_then_volume(seed, Scope::all);
        SCOPED_TRACE(text_of(drawn, objective));
        each_graph(drawn, objective.scope, [&](const Graph& graph) {
            const std::optional<Found> found = search(graph, objective, nullptr);
            if (!found) return;
            ++compared;
            EXPECT_FALSE(search(graph, objective, &found->price));
            Price worse = found->price;
            ++worse.volume;
            const std::optional<Found> again = search(graph, objective, &worse);
            ASSERT_TRUE(again);
            EXPECT_EQ(again->trail.nodes, found->trail.nodes);
            EXPECT_EQ(again->price, found->price);
        });
    }
    EXPECT_GT(compared, 100);
}

// Default plans of equal price depend on it: without it another way of equal price would be taken.
TEST(Search, GivesAPreferredWayTheTurnOfTheOneItReplaces) {
    const auto chosen = [](const std::string& problem, const std::string& constraint, int ranks) {
        return weft::to_string(
            find_path(parse_problem(problem), parse_decomposition(constraint), ranks)
                .decomposition);
    };
    EXPECT_EQ(chosen("r2c:f64:13x11x6 r2c_axis=0", "pencil(2x4)", 8), "pencil(2x4,21>01>02)");
    EXPECT_EQ(chosen("c2c:f64:12x11x1x3x5x1", "slab", 2), "slab(2,4>3)");
}

/// The best of all ways of the first round that has any.
std::optional<Price> best_of_all(const SmallCase& drawn, const Objective& objective) {
    const Candidates candidates = test::candidates_of(drawn, objective.scope);
    std::optional<Price> best;
    for (const CandidateRound& round : candidates.rounds()) {
        for (const Family& family : candidates.families(round)) {
            const auto graph = candidates.graph(round, family);
            if (!graph) continue;
            const std::optional<Price> here = best_of_all_ways(*graph, objective);
            if (here && (!best || precedes(objective, *here, *best))) best = here;
        }
        if (best) break;
    }
    return best;
}

Price price_of(const SmallCase& drawn, const Path& path, const Objective& objective) {
    Price total;
    for (std::size_t i = 1; i < path.states.size(); ++i) {
        const Distribution& from = path.states[i - 1];
        const bool complex = from.shape() != array_shape(drawn.problem, false);
        total += objective.price({from, path.states[i].reshaped(from.shape()), complex});
    }
    return total;
}

TEST(Paths, AreTheBestOfAllCandidatesByAnyObjective) {
    Random random(5);
    int compared = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const SmallCase drawn = small_case(random);
        // Rows of the complex array are not always those of the whole one, so that the states of a
        // path do not tell its price.
        const Scope scope = drawn.problem.kind == Kind::c2c ? Scope::all : Scope::usual;
        for (const auto make : made_up) {
            const Objective objective = make(seed, scope);
            SCOPED_TRACE(text_of(drawn, objective));
            const std::optional<Price> best = best_of_all(drawn, objective);
            ASSERT_TRUE(best);
            const Path path =
                find_path(drawn.problem, {}, drawn.ranks, 0, objective, drawn.problem.cut);
            const Price found = price_of(drawn, path, objective);
            EXPECT_FALSE(precedes(objective, *best, found));
            EXPECT_FALSE(precedes(objective, found, *best));
            ++compared;
        }
    }
    EXPECT_EQ(compared, 180);
}

}  // namespace

}  // namespace weft::core
