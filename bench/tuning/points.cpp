#include "tuning/points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "api/tune.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "measure/quartiles.hpp"
#include "measure/race.hpp"
#include "model/default_plan.hpp"
#include "net/agree.hpp"
#include "net/node_ranks.hpp"
#include "tune/recall.hpp"
#include "tune/simplex.hpp"
#include "weft/error.hpp"
#include "weft/wisdom.hpp"

namespace weft::bench {

namespace {

/// The runs as a text that one rank sends to all.
std::string text_of(const SearchRuns& runs) {
    std::string text;
    for (const SearchRun& run : runs) {
        text += fmt::format("{} {}\n", core::real_text(run.seconds), run.choice);
    }
    return text;
}

SearchRuns runs_of(const std::string& text) {
    SearchRuns runs;
    for (const std::string& line : core::split(text, '\n')) {
        if (line.empty()) continue;
        const std::size_t blank = line.find(' ');
        runs.push_back(
            {line.substr(blank + 1), core::parse_real(line.substr(0, blank), "seconds")});
    }
    return runs;
}

}  // namespace

Points::Points(std::string problem, const std::string& choice, MPI_Comm comm)
    : problem_(std::move(problem)), choice_(parse_choice(choice)), comm_(comm) {
    core::all_or_none(comm, [&] {
        int ranks = 0;
        MPI_Comm_size(comm, &ranks);
        const core::Plan plan = core::default_plan(parse_problem(problem_), choice_, ranks);
        if (!plan.pipeline) core::bad_request("the plan is not in tiles: " + choice);
        grid_.emplace(plan, choice_.tile.value_or(Tiling{}), core::TileNumbers::all);
    });
}

std::string Points::choice_at(const core::Position& position) const {
    Choice choice = choice_;
    choice.tile = grid_->at(position);
    return weft::to_string(choice);
}

std::vector<core::Position> Points::drawn(int count, std::uint64_t seed) const {
    core::Random random(seed);
    std::set<core::Position> seen;
    std::vector<core::Position> result;
    constexpr int patience = 1000;
    for (int i = 0; i < patience * count && static_cast<int>(result.size()) < count; ++i) {
        core::Position position;
        for (const int steps : grid_->steps()) {
            position.push_back(static_cast<int>(random.between(0, steps - 1)));
        }
        if (grid_->feasible(position) && seen.insert(position).second) result.push_back(position);
    }
    return result;
}

double Points::seconds(const std::string& choice, int runs) const {
    std::vector<double> times;
    try {
        const auto contender = cli::weft_contender(problem_ + "; " + choice, comm_);
        contender->clear();
        for (int run = 0; run <= runs; ++run) {
            const double once =
                cli::seconds_of_slowest(comm_, true, [&] { contender->run(false); });
            if (run > 0) times.push_back(once);
        }
    } catch (const Error&) {  // On all ranks.
        return core::infeasible;
    }
    return cli::quartiles(times).median;
}

std::vector<double> Points::seconds_in_turns(const std::vector<std::string>& choices,
                                             int rounds) const {
    std::vector<std::vector<double>> times(choices.size());
    cli::Turns turns(choices.size());
    for (int round = 0; round < rounds; ++round) {
        for (const std::size_t i : turns.next()) times[i].push_back(seconds(choices[i], 1));
    }
    std::vector<double> medians;
    medians.reserve(times.size());
    for (const auto& some : times) medians.push_back(cli::quartiles(some).median);
    return medians;
}

SearchRuns simplex_runs(const Points& points, int most) {
    const core::TileGrid& grid = points.grid();
    core::Recall search(std::make_unique<core::Simplex>(grid.steps(), grid.start()),
                        [&](const core::Position& position) { return grid.feasible(position); });
    SearchRuns runs;
    while (static_cast<int>(runs.size()) < most) {
        const auto position = search.ask();
        if (!position) break;
        const std::string choice = points.choice_at(*position);
        runs.push_back({choice, points.seconds(choice, 1)});
        search.tell(runs.back().seconds);
    }
    return runs;
}

SearchRuns tuner_runs(const Points& points, std::string& best) {
    MPI_Comm comm = points.comm();
    // What was found before is not to be taken for this run's.
    core::all_or_none(comm, [] { wisdom::forget(); });
    SearchRuns runs;
    TuningObserver observer;
    observer.after = [&](const core::Trial& trial, double /*left*/) {
        const double seconds = trial.failed ? core::infeasible : trial.seconds.back();
        runs.push_back({weft::to_string(trial.plan.choice), seconds});
    };
    Tuning tuning;
    tuning.effort = TuningEffort::measure;
    tuning.uses = 1e9;  // As many runs as it likes.
    tuning.backward = 0;
    const core::Topology nodes = core::NodeRanks(comm).topology(comm);
    const TunedPlan found =
        tuned_plan(comm, nodes, parse_problem(points.problem()), points.choice(), tuning, observer);
    best = weft::to_string(found.plan.choice);
    return runs_of(core::broadcast_text(comm, 0, text_of(runs)));
}

}  // namespace weft::bench
