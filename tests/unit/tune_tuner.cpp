// The tuner on machines that are the model with other constants than it is told.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <set>

#include "exchange/via.hpp"
#include "model/default_plan.hpp"
#include "model/machine_file.hpp"
#include "tune/run_costs.hpp"
#include "tune/tuner.hpp"
#include "unit/synthetic_machine.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

Means means_of(int ranks, int ranks_per_node) {
    Means means;
    means.nodes = Topology(ranks, ranks_per_node);
    means.vias = {"shared", "alltoallv", "alltoallw", "isend-waitall", "kway", "pairwise"};
    means.engines = {"native", "fftw"};
    return means;
}

Machine described(int ranks_per_node) {
    Machine machine = named_machine("default");
    machine.ranks_per_node = ranks_per_node;
    return machine;
}

/// Those of `measure` for any number of uses.
Amounts for_any_uses(TuningEffort effort) {
    Amounts amounts = amounts_of({effort});
    amounts.uses = infeasible;
    return amounts;
}

const Amounts few_runs = for_any_uses(TuningEffort::measure);

/// A plan, and what it takes on whatever machine.
struct GridPoint {
    std::string text;
    Forecast forecast;
};

/// All plans that the choices beside each other make, those in tiles with every T and W.
class Grid {
  public:
    Grid(Problem problem, int ranks, Means means, Machine machine)
        : problem_(std::move(problem)),
          ranks_(ranks),
          means_(std::move(means)),
          machine_(std::move(machine)) {
        std::vector<Choice> choices = {Choice{}};
        std::string name;
        std::vector<Choice> before;
        for (const std::string& items : changes(problem_, {}, ranks, means_)) {
            const std::string its = items.substr(0, items.find('='));
            if (its != name) before = choices;
            name = its;
            for (const Choice& choice : before) choices.push_back(changed(choice, items));
        }
        for (const Choice& choice : choices) add(choice, true);
    }
    [[nodiscard]] double least(const Machine& machine) const {
        double seconds = infeasible;
        for (const GridPoint& point : points_) {
            seconds = std::min(seconds, point.forecast.seconds(machine));
        }
        return seconds;
    }
    [[nodiscard]] std::size_t size() const { return points_.size(); }

  private:
    void add(Choice choice, bool with_tiles) {
        if (choice.engine.empty()) choice.engine = "native";
        try {
            const Plan plan = make_plan(problem_, choice, ranks_);
            std::string text = weft::to_string(plan.choice);
            if (!seen_.insert(text).second) return;
            points_.push_back({std::move(text), Forecast(plan, means_.nodes, machine_)});
            if (!plan.pipeline || !with_tiles) return;
            const TileGrid grid(plan, {}, TileNumbers::few);
            Position position(grid.steps().size(), 0);
            for (int tiles = 0; tiles < grid.steps()[0]; ++tiles) {
                for (int window = 0; window < grid.steps()[1]; ++window) {
                    position[0] = tiles;
                    position[1] = window;
                    choice.tile = grid.at(position);
                    if (grid.feasible(position)) add(choice, false);
                }
            }
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::bad_request);
        }
    }

    Problem problem_;
    int ranks_;
    Means means_;
    Machine machine_;
    std::set<std::string> seen_;
    std::deque<GridPoint> points_;
};

/// Hidden machines, and how many plans are tried on them. Sanitized, listing the plans of 16x16x16
/// takes minutes.
#ifdef __SANITIZE_ADDRESS__
constexpr const char* tuned_problem = "c2c:f64:6x6x6";
constexpr int tuned_ranks = 2;
constexpr int seeds = 1;
constexpr int near_seeds = 1;
constexpr std::size_t fewest_plans = 30;
#else
constexpr const char* tuned_problem = "c2c:f64:16x16x16";
constexpr int tuned_ranks = 8;
constexpr int seeds = 6;
constexpr int near_seeds = 5;
constexpr std::size_t fewest_plans = 300;
#endif

/// Within 5% of the best of the enumerated grid in at most 60 evaluations, at 3% noise.
TEST(Tuner, FindsWhatIsFastOnHiddenMachines) {
    constexpr int ranks = tuned_ranks;
    const Problem problem = parse_problem(tuned_problem);
    const Means means = means_of(ranks, 4);
    const Machine machine = described(4);
    const Grid grid(problem, ranks, means, machine);
    EXPECT_GT(grid.size(), fewest_plans);
    int near = 0;
    for (int seed = 1; seed <= seeds; ++seed) {
        Random random(static_cast<std::uint64_t>(seed));
        const Machine hidden = test::drawn_machine(machine, random);
        Tuner tuner(problem, {}, ranks, means, machine, few_runs);
        const auto think = [&] {
            while (tuner.think()) {
            }
        };
        const auto seconds = [&](std::size_t trial) {
            return Forecast(tuner.trial(trial).plan, means.nodes, machine).seconds(hidden);
        };
        for (think();; think()) {
            const auto run = tuner.ask({no_limit});
            if (!run) break;
            const double measured = seconds(run->trial) * (1 + 0.03 * test::normal(random));
            tuner.tell({measured, measured, 3 * measured});
        }
        const Outcome outcome = tuner.outcome();
        EXPECT_LE(outcome.evaluations, 60);
        near += seconds(outcome.winner) <= 1.05 * grid.least(hidden) ? 1 : 0;
    }
    EXPECT_GE(near, near_seeds);
}

/// Runs a tuner whose trials take what `seconds` says of them.
template <class Seconds>
Outcome tuned(Tuner& tuner, double left, const Seconds& seconds) {
    for (int i = 0; i < 40 && tuner.think(); ++i) {
    }
    while (const auto run = tuner.ask({left})) {
        const double took = seconds(tuner.trial(run->trial));
        if (took == infeasible) {
            tuner.fail("rank 1: not enough memory", {.spent = 1e-3});
            left -= 1e-3;
        } else {
            tuner.tell({took, took, 4 * took});
            left -= 4 * took;
        }
    }
    return tuner.outcome();
}

Tuner small_tuner(const char* choice = "", const Amounts& amounts = few_runs) {
    return {parse_problem("c2c:f64:16x16x16"),
            parse_choice(choice),
            4,
            means_of(4, 4),
            described(4),
            amounts};
}

TEST(Tuner, TakesTheEstimateWithoutABudget) {
    Tuner tuner = small_tuner();
    const Outcome outcome = tuned(tuner, 0, [](const Trial&) { return 1.0; });
    EXPECT_EQ(outcome.evaluations, 0);
    EXPECT_EQ(outcome.winner, 0U);
    EXPECT_EQ(outcome.ended, "the limit");
    EXPECT_FALSE(outcome.interval);
}

TEST(Tuner, EndsWhereTimeIsOver) {
    Tuner tuner = small_tuner();
    tuner.suggest(tuner.trial(0).plan.choice);
    EXPECT_FALSE(tuner.ask({-0.1}));
    EXPECT_EQ(tuner.outcome().ended, "the limit");
}

TEST(Tuner, DoesNotStartWhatTakesLongerThanWhatIsLeft) {
    Tuner tuner = small_tuner();
    const double least = tuner.trial(0).predicted;
    EXPECT_EQ(tuned(tuner, least / 2, [](const Trial&) { return 1.0; }).evaluations, 0);
    Tuner other = small_tuner();
    double spent = 0;
    const double limit = 1;
    const Outcome outcome = tuned(other, limit, [&](const Trial&) {
        spent += 4 * 0.1;
        return 0.1;
    });
    EXPECT_LE(spent, limit);
    EXPECT_EQ(outcome.evaluations, 2);
}

/// An engine that plans for longer than it may is given up, and not asked again for what takes as
/// long; another one is tried in the rest of the limit.
TEST(Tuner, LeavesTimeForEnginesThatPlanFaster) {
    Tuner tuner = small_tuner();
    for (int i = 0; i < 200 && tuner.think(); ++i) {
    }
    const double limit = 2;
    double left = limit;
    int native = 0;
    while (const auto run = tuner.ask({left})) {
        EXPECT_LE(run->binding, left);
        if (tuner.trial(run->trial).plan.choice.engine == "native") {
            ++native;
            tuner.fail("the engine did not finish planning",
                       {.spent = run->binding, .binding = run->binding});
            left -= run->binding;
        } else {
            tuner.tell({0.01, 0.01, 0.05, 0.01});
            left -= 0.05;
        }
    }
    EXPECT_GE(left, 0);
    EXPECT_EQ(native, 1);
    const Outcome outcome = tuner.outcome();
    EXPECT_EQ(outcome.trials[outcome.winner].plan.choice.engine, "fftw");
    EXPECT_GT(outcome.evaluations, 2);
    for (const Trial& trial : outcome.trials) {
        EXPECT_EQ(trial.dropped.empty() && trial.plan.choice.engine == "native", false);
    }
}

/// With one engine only, nothing can be planned faster: it may take most of the limit, and the
/// default is the answer where that is not enough.
TEST(Tuner, EndsWithTheDefaultWhereNothingIsPlannedInTime) {
    Tuner tuner = small_tuner("engine=fftw; effort=patient");
    for (int i = 0; i < 40 && tuner.think(); ++i) {
    }
    const auto run = tuner.ask({2});
    ASSERT_TRUE(run);
    EXPECT_GT(run->binding, 1.5);
    tuner.fail("the engine did not finish planning",
               {.spent = run->binding, .binding = run->binding});
    EXPECT_FALSE(tuner.ask({2 - run->binding}));
    const Outcome outcome = tuner.outcome();
    EXPECT_EQ(outcome.winner, 0U);
    EXPECT_EQ(outcome.evaluations, 1);
    EXPECT_EQ(outcome.ended, "the limit");
}

/// What binding took is not mistaken for what the runs of others take.
TEST(RunCosts, TellBindingFromRunning) {
    const Choice native = parse_choice("engine=native; effort=measure");
    const Choice fftw = parse_choice("engine=fftw; effort=measure");
    RunCosts costs;
    EXPECT_EQ(costs.binding(native), 0);
    EXPECT_DOUBLE_EQ(costs.running(2), 12);
    costs.told(native, 0.01, 0.342, 0.3);
    EXPECT_DOUBLE_EQ(costs.binding(native), 0.3);
    EXPECT_EQ(costs.binding(fftw), 0);
    EXPECT_NEAR(costs.running(2), 8.4, 1e-9);
    costs.told(fftw, infeasible, 1, 1);
    EXPECT_EQ(costs.binding(fftw), 1);
    EXPECT_NEAR(costs.running(2), 8.4, 1e-9);
}

TEST(Tuner, KeepsTheReasonOfWhatFails) {
    Tuner tuner = small_tuner();
    const Outcome outcome = tuned(tuner, no_limit, [](const Trial& trial) {
        return trial.plan.choice.via == "shared" ? infeasible : trial.predicted;
    });
    EXPECT_NE(outcome.trials[outcome.winner].plan.choice.via, "shared");
    EXPECT_EQ(outcome.trials[0].dropped, "rank 1: not enough memory");
    EXPECT_TRUE(outcome.trials[0].failed);
}

TEST(Tuner, HasAPlanWhereAllFail) {
    Tuner tuner = small_tuner();
    const Outcome outcome = tuned(tuner, no_limit, [](const Trial&) { return infeasible; });
    EXPECT_EQ(outcome.winner, 0U);
    EXPECT_GT(outcome.evaluations, 1);
    for (const Trial& trial : outcome.trials) EXPECT_NE(trial.dropped, "");
}

/// What is as fast is told so, and the simplest of it is taken: the default.
TEST(Tuner, TakesTheSimplestOfATie) {
    Tuner tuner = small_tuner();
    Random random(5);
    const Outcome outcome = tuned(
        tuner, no_limit, [&](const Trial&) { return 1e-3 * (1 + 0.01 * test::normal(random)); });
    EXPECT_EQ(outcome.winner, 0U);
    EXPECT_GT(outcome.tied.size(), 0U);
    ASSERT_TRUE(outcome.interval);
    EXPECT_LT(outcome.interval->low, 1.01e-3);
}

TEST(Tuner, SaysOfEveryTrialWhyItIsOut) {
    Tuner tuner = small_tuner();
    const Outcome outcome = tuned(tuner, no_limit, [](const Trial& trial) {
        return trial.plan.choice.via == "alltoallw" ? 1e-4 : 1e-3;
    });
    EXPECT_EQ(outcome.trials[outcome.winner].plan.choice.via, "alltoallw");
    for (std::size_t i = 0; i < outcome.trials.size(); ++i) {
        const bool tied = std::count(outcome.tied.begin(), outcome.tied.end(), i) != 0;
        EXPECT_EQ(outcome.trials[i].dropped.empty(), i == outcome.winner || tied);
    }
}

/// What a constraint says stays.
TEST(Tuner, KeepsToTheConstraint) {
    Tuner tuner = small_tuner("decomposition=pencil; via=alltoallw");
    const Outcome outcome =
        tuned(tuner, no_limit, [](const Trial& trial) { return trial.predicted; });
    for (const Trial& trial : outcome.trials) {
        EXPECT_EQ(trial.plan.choice.via, "alltoallw");
        EXPECT_EQ(trial.plan.choice.decomposition.cuts, 2);
    }
}

/// What was the fastest elsewhere is the second to run, unless the constraint says otherwise. No
/// other choice has been thought of.
TEST(Tuner, StartsFromWhatIsSuggested) {
    const auto second_of = [](const std::string& constraint,
                              const std::string& suggested) -> std::optional<Choice> {
        Tuner tuner = small_tuner(constraint.c_str());
        tuner.suggest(
            default_plan(parse_problem("c2c:f64:16x16x16"), parse_choice(suggested), 4).choice);
        (void)tuner.ask({no_limit});
        tuner.tell({1, 1, 1});
        const auto second = tuner.ask({no_limit});
        if (!second) return std::nullopt;
        return tuner.trial(second->trial).plan.choice;
    };
    const auto taken = second_of("decomposition=pencil", "decomposition=pencil; via=alltoallw");
    ASSERT_TRUE(taken);
    EXPECT_EQ(taken->via, "alltoallw");
    EXPECT_EQ(taken->decomposition.cuts, 2);
    EXPECT_FALSE(second_of("decomposition=pencil", "decomposition=slab; via=alltoallw"));
    EXPECT_FALSE(second_of("via=alltoallv", "via=alltoallw"));
}

/// More threads are tried where ranks have cores for them, and never more than that.
TEST(Tuner, TriesThreadsWhereThereAreCores) {
    for (const int cores : {1, 4}) {
        Means means = means_of(4, 4);
        means.most_threads = cores;
        Tuner tuner(parse_problem("c2c:f64:16x16x16"), {}, 4, means, described(4),
                    for_any_uses(TuningEffort::patient));
        const Outcome outcome = tuned(
            tuner, no_limit, [](const Trial& trial) { return 1e-3 / trial.plan.choice.threads; });
        EXPECT_EQ(outcome.trials[outcome.winner].plan.choice.threads, cores);
        for (const Trial& trial : outcome.trials) EXPECT_LE(trial.plan.choice.threads, cores);
    }
}

TEST(Tuner, WeighsTheDirections) {
    Tuner tuner(parse_problem("c2c:f64:16x16x16"), {}, 4, means_of(4, 4), described(4), few_runs,
                {3, 1});
    const auto run = tuner.ask({no_limit});
    EXPECT_TRUE(run->forward && run->backward);
    tuner.tell({1, 5, 6});
    EXPECT_DOUBLE_EQ(tuner.trial(0).seconds.front(), 2);
    Tuner forward(parse_problem("c2c:f64:16x16x16"), {}, 4, means_of(4, 4), described(4), few_runs,
                  {1, 0});
    EXPECT_FALSE(forward.ask({no_limit})->backward);
}

TEST(Tuner, RefusesWhatCannotBePlanned) {
    EXPECT_THROW(small_tuner("decomposition=grid(3x5x7)"), Error);
}

TEST(TileGrid, HoldsTheNumbersOfTiles) {
    const Plan plan = parse_plan("c2c:f64:16x16x24; ranks=4; pack=sender; tile=(axis:2)");
    const TileGrid grid(plan, {}, TileNumbers::few);
    EXPECT_EQ(grid.steps(), (std::vector<int>{6, 5, 5}));  // T, W, F
    const Tiling tiling = grid.at(grid.start());
    EXPECT_EQ(tiling.tile_extent, 1);
    EXPECT_EQ(tiling.tiles_in_flight, 2);
    EXPECT_EQ(tiling.polls_packing, tiling.polls_finishing);
    EXPECT_EQ(TileGrid(plan, {}, TileNumbers::all).steps().size(), 10U);
    EXPECT_FALSE(grid.feasible({5, 3, 0}));  // One tile.
    EXPECT_TRUE(grid.feasible({5, 1, 0}));
    Tiling given;
    given.tile_extent = 4;
    EXPECT_EQ(TileGrid(plan, given, TileNumbers::few).steps().size(), 2U);
}

/// Every feasible position is a plan, and no two are the same one.
TEST(TileGrid, HasAPlanForEachPosition) {
    const Plan plan = parse_plan("r2c:f64:12x10x14; ranks=4; pack=sender; tile=(axis:2)");
    for (const TileNumbers numbers : {TileNumbers::few, TileNumbers::all}) {
        const TileGrid grid(plan, {}, numbers);
        Random random(3);
        for (int i = 0; i < 50; ++i) {
            Position position;
            for (const int steps : grid.steps()) {
                position.push_back(static_cast<int>(random.between(0, steps - 1)));
            }
            if (!grid.feasible(position)) continue;
            Choice choice = plan.choice;
            choice.tile = grid.at(position);
            const Plan made = make_plan(plan.problem, choice, plan.ranks);
            EXPECT_EQ(made.choice.tile->tile_extent, choice.tile->tile_extent);
            EXPECT_EQ(made.choice.tile->tiles_in_flight, choice.tile->tiles_in_flight);
        }
    }
}

}  // namespace

}  // namespace weft::core
