#include "tuning/percentiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "measure/quartiles.hpp"
#include "tune/strategy.hpp"

namespace weft::bench {

namespace {

using Json = nlohmann::ordered_json;

struct Search {
    std::string name;
    int seed = 0;
    SearchRuns runs;
    std::string best;
};

/// The fastest so far after each run.
std::vector<std::string> leaders(const SearchRuns& runs) {
    std::vector<std::string> result;
    double least = core::infeasible;
    for (const SearchRun& run : runs) {
        if (run.seconds < least || result.empty()) {
            result.push_back(run.choice);
        } else {
            result.push_back(result.back());
        }
        least = std::min(least, run.seconds);
    }
    return result;
}

std::vector<Search> searched(const Points& points, const PercentileOptions& options, bool speaks) {
    std::vector<Search> result;
    for (int seed = 1; seed <= options.seeds; ++seed) {
        Search tuner{"tuner", seed, {}, ""};
        tuner.runs = tuner_runs(points, tuner.best);
        Search simplex{"simplex", seed, simplex_runs(points, options.most), ""};
        simplex.best = leaders(simplex.runs).back();
        if (speaks) {
            fmt::print("  seed {}: tuner {} runs, simplex {}\n", seed, tuner.runs.size(),
                       simplex.runs.size());
            std::fflush(stdout);
        }
        result.push_back(std::move(tuner));
        result.push_back(std::move(simplex));
    }
    return result;
}

/// What random points and those that searches found take, measured in the same rounds.
class Ranking {
  public:
    Ranking(const std::vector<std::string>& random, std::vector<double> seconds)
        : random_(random), seconds_(std::move(seconds)) {}

    /// Measures the fastest tenth of the random points again, with those of the searches that are
    /// not far behind them by their own runs.
    void measure_again(const Points& points, const std::vector<Search>& searches, int rounds) {
        std::vector<std::size_t> order(random_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::sort(order.begin(), order.end(),
                  [&](std::size_t a, std::size_t b) { return seconds_[a] < seconds_[b]; });
        const std::size_t some = std::max<std::size_t>(random_.size() / 10, 1);
        std::set<std::string> again;
        for (std::size_t i = 0; i < some; ++i) again.insert(random_[order[i]]);
        const std::set<std::string> fastest = again;
        constexpr double near = 1.1;
        const double limit = near * seconds_[order[some - 1]];
        for (const Search& search : searches) {
            again.insert(search.best);
            for (const SearchRun& run : search.runs) known_.try_emplace(run.choice, run.seconds);
            for (const std::string& leader : leaders(search.runs)) {
                if (known_.at(leader) <= limit) again.insert(leader);
            }
        }
        const std::vector<std::string> choices(again.begin(), again.end());
        const std::vector<double> seconds = points.seconds_in_turns(choices, rounds);
        for (std::size_t i = 0; i < choices.size(); ++i) {
            known_[choices[i]] = seconds[i];
            if (fastest.contains(choices[i])) reference_.push_back(seconds[i]);
        }
    }
    [[nodiscard]] double seconds(const std::string& choice) const { return known_.at(choice); }
    /// The share of the random points that are faster; more than a tenth is not told apart.
    [[nodiscard]] double percentile(const std::string& choice) const {
        const double own = known_.at(choice);
        const auto faster = std::count_if(reference_.begin(), reference_.end(),
                                          [&](double seconds) { return seconds < own; });
        return static_cast<double>(faster) / static_cast<double>(random_.size());
    }

  private:
    const std::vector<std::string>& random_;
    std::vector<double> seconds_;
    std::map<std::string, double> known_;
    std::vector<double> reference_;
};

/// After how many runs the fastest so far is among so many of the random points; nothing: never.
std::optional<int> reached(const Search& search, const Ranking& ranking, double percentile) {
    int runs = 0;
    for (const std::string& leader : leaders(search.runs)) {
        ++runs;
        if (ranking.percentile(leader) <= percentile) return runs;
    }
    return std::nullopt;
}

Json optional_json(const std::optional<int>& number) { return number ? Json(*number) : Json(); }

}  // namespace

std::string percentiles(const Points& points, const PercentileOptions& options, const Json& header,
                        bool speaks) {
    std::vector<std::string> random;
    for (const core::Position& position : points.drawn(options.random, options.seed)) {
        random.push_back(points.choice_at(position));
    }
    const std::vector<double> seconds = points.seconds_in_turns(random, options.rounds);
    const cli::Quartiles spread = cli::quartiles(seconds);
    if (speaks) {
        fmt::print("{}: {} random points, {:.2f} to {:.2f} ms, quartiles {:.2f} {:.2f} {:.2f}\n",
                   points.problem(), random.size(),
                   1e3 * *std::min_element(seconds.begin(), seconds.end()),
                   1e3 * *std::max_element(seconds.begin(), seconds.end()), 1e3 * spread.q1,
                   1e3 * spread.median, 1e3 * spread.q3);
        std::fflush(stdout);
    }
    Json line = header;
    line["what"] = "random points";
    line["rounds"] = options.rounds;
    for (std::size_t i = 0; i < random.size(); ++i) {
        line["points"].push_back({weft::to_string(*parse_choice(random[i]).tile), seconds[i]});
    }
    std::string lines = line.dump() + "\n";
    const std::vector<Search> searches = searched(points, options, speaks);
    Ranking ranking(random, seconds);
    ranking.measure_again(points, searches, options.again);
    for (const Search& search : searches) {
        Json json = header;
        json["what"] = "search";
        json["search"] = search.name;
        json["seed"] = search.seed;
        json["evaluations"] = search.runs.size();
        json["best"] = search.best;
        json["seconds"] = ranking.seconds(search.best);
        json["percentile"] = ranking.percentile(search.best);
        json["best_percentile_after"] = optional_json(reached(search, ranking, 0.01));
        json["best_5_percent_after"] = optional_json(reached(search, ranking, 0.05));
        lines += json.dump() + "\n";
        if (speaks) fmt::print("{}\n", json.dump());
    }
    return lines;
}

}  // namespace weft::bench
