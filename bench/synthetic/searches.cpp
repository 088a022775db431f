#include "synthetic/searches.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "synthetic/hidden_machine.hpp"
#include "testing/tune/yardsticks.hpp"
#include "tune/forecast.hpp"
#include "tune/recall.hpp"
#include "tune/simplex.hpp"
#include "tune/tuner.hpp"

namespace weft::bench {

namespace {

/// Runs that take what is forecast, but for noise.
class Runs {
  public:
    Runs(double noise, core::Random random) : noise_(noise), random_(random) {}

    double measured(double seconds) {
        constexpr double least = 0.5;
        return seconds * std::max(least, 1 + noise_ * normal(random_));
    }

  private:
    double noise_;
    core::Random random_;
};

Found tuned(const Question& question, const PlanSpace& space, std::size_t machine,
            const core::Machine& hidden, Runs runs) {
    core::Amounts amounts = core::amounts_of({TuningEffort::measure});
    amounts.uses = core::infeasible;
    core::Tuner tuner(question.problem, question.constraint, question.ranks, question.means,
                      question.described, amounts);
    // Plans that the tuner alone has, with other numbers of polls, are forecast here.
    const auto seconds_of = [&](std::size_t trial) {
        const core::Plan& plan = tuner.trial(trial).plan;
        if (const auto known = space.find(weft::to_string(plan.choice))) {
            return space.seconds(*known, machine);
        }
        return core::Forecast(plan, question.means.nodes, question.described).seconds(hidden);
    };
    Found found;
    double least = core::infeasible;
    double its = core::infeasible;
    for (;;) {
        while (tuner.think()) {
        }
        const auto run = tuner.ask({std::numeric_limits<double>::infinity()});
        if (!run) break;
        const double seconds = seconds_of(run->trial);
        const double measured = runs.measured(seconds);
        tuner.tell({measured, measured, measured});
        if (measured < least) its = seconds;
        least = std::min(least, measured);
        found.so_far.push_back(its);
    }
    const core::Outcome outcome = tuner.outcome();
    found.choice = weft::to_string(outcome.trials[outcome.winner].plan.choice);
    found.seconds = seconds_of(outcome.winner);
    found.evaluations = outcome.evaluations;
    return found;
}

std::unique_ptr<core::Strategy> strategy(const std::string& search, const PlanSpace& space,
                                         std::uint64_t seed) {
    const std::vector<int> steps = space.steps();
    const core::Position start(steps.size(), 0);
    if (search == "random") return std::make_unique<core::RandomSearch>(steps, start, seed);
    if (search == "coordinate") return std::make_unique<core::CoordinateSearch>(steps, start);
    if (search == "rank-order") return std::make_unique<core::RankOrderSimplex>(steps, start);
    return std::make_unique<core::Simplex>(steps, start);
}

}  // namespace

const std::vector<std::string>& searches() {
    static const std::vector<std::string> names = {"tuner", "random", "coordinate", "rank-order",
                                                   "simplex"};
    return names;
}

Found searched(const std::string& search, const Question& question, const PlanSpace& space,
               std::size_t machine, const core::Machine& hidden, int most, double noise,
               core::Random random) {
    const std::uint64_t seed = random.next();
    Runs runs(noise, random);
    if (search == "tuner") return tuned(question, space, machine, hidden, runs);
    core::Recall recall(strategy(search, space, seed), [&](const core::Position& position) {
        return space.plan_at(position).has_value();
    });
    Found found;
    double least = core::infeasible;
    while (found.evaluations < most) {
        const auto position = recall.ask();
        if (!position) break;
        const std::size_t plan = *space.plan_at(*position);
        const double measured = runs.measured(space.seconds(plan, machine));
        recall.tell(measured);
        ++found.evaluations;
        if (measured < least) {
            least = measured;
            found.choice = space.text(plan);
            found.seconds = space.seconds(plan, machine);
        }
        found.so_far.push_back(found.seconds);
    }
    return found;
}

}  // namespace weft::bench
