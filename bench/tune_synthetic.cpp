// How good is the tuner where all is known? Machines are drawn that it does not know, all plans are
// forecast on each, and what the tuner finds by noisy runs is compared with the fastest of them;
// without MPI; bench/README.md.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "measure/files.hpp"
#include "measure/json.hpp"
#include "measure/quartiles.hpp"
#include "model/machine_file.hpp"
#include "plan/choice.hpp"
#include "synthetic/hidden_machine.hpp"
#include "synthetic/plan_space.hpp"
#include "synthetic/searches.hpp"
#include "weft/error.hpp"

namespace {

using namespace weft;
using namespace weft::bench;
using Json = nlohmann::ordered_json;

struct Case {
    std::string problem;
    int ranks = 1;
    int ranks_per_node = 1;
    std::string constraint;  ///< `tile=..`: all plans are in tiles; `via=shared`: none is
};

const std::vector<Case>& cases() {
    static const std::vector<Case> all = {
        {"c2c:f64:16x16x16", 4, 2, "decomposition=slab"},
        {"c2c:f64:16x16x16", 8, 4, ""},
        {"c2c:f64:64x64x64", 8, 8, ""},
        {"c2c:f64:64x64x64", 8, 2, ""},
        {"r2c:f64:60x50x44", 16, 4, ""},
        {"c2c:f32:48x40x32*4", 6, 1, ""},
        {"r2c:f32:128x96", 12, 4, ""},
        {"c2c:f64:128x128x128", 64, 16, "via=shared"},
        {"c2c:f64:97x64x90", 24, 8, "via=shared"},
        {"c2c:f64:128x128x128", 16, 4, "decomposition=slab; pack=sender; tile=default"},
        {"r2c:f64:64x64x64", 16, 4, "decomposition=pencil; tile=default"},
    };
    return all;
}

struct Options {
    std::vector<int> only;
    std::uint64_t first = 2000;
    int seeds = 100;
    int evaluations = 60;
    double noise = 0.03;
    bool losers = false;
    std::string json;
};

Question question_of(const Case& one) {
    Question question;
    question.problem = parse_problem(one.problem);
    question.constraint = parse_choice(one.constraint);
    question.ranks = one.ranks;
    question.means.nodes = core::Topology(one.ranks, one.ranks_per_node);
    question.means.vias = {"shared", "alltoallv", "alltoallw", "isend-waitall", "kway", "pairwise"};
    question.means.engines = {"native", "fftw"};
    question.described = core::named_machine(core::default_machine);
    question.described.ranks_per_node = std::min(one.ranks, one.ranks_per_node);
    return question;
}

/// What one search came to, seed by seed.
struct Record {
    std::string search;
    std::vector<double> over_best;
    std::vector<int> evaluations;
    std::vector<int> near_after;  ///< evaluations after which it was near the best, -1: never

    [[nodiscard]] int near(double within, int most) const {
        int count = 0;
        for (std::size_t i = 0; i < over_best.size(); ++i) {
            count += over_best[i] <= within && evaluations[i] <= most ? 1 : 0;
        }
        return count;
    }
};

constexpr double within = 1.05;

int near_after(const Found& found, double best) {
    const auto first = std::find_if(found.so_far.begin(), found.so_far.end(),
                                    [&](double seconds) { return seconds <= within * best; });
    return first == found.so_far.end() ? -1 : static_cast<int>(first - found.so_far.begin()) + 1;
}

double rounded(double value) { return std::stod(fmt::format("{:.4f}", value)); }

Json line(const Case& one, const Options& options, const PlanSpace& space, const Record& record) {
    Json json;
    json["study"] = "tune_synthetic";
    json["problem"] = one.problem;
    json["ranks"] = one.ranks;
    json["ranks_per_node"] = one.ranks_per_node;
    json["constraint"] = one.constraint;
    json["plans"] = space.plans();
    json["noise"] = options.noise;
    json["seeds"] = {options.first, options.first + static_cast<std::uint64_t>(options.seeds) - 1};
    json["search"] = record.search;
    json["most_evaluations"] = options.evaluations;
    json["within_5_percent"] = record.near(within, options.evaluations);
    json["over_best"] = record.over_best;
    json["evaluations"] = record.evaluations;
    json["near_after"] = record.near_after;
    return json;
}

std::vector<core::Machine> machines_of(const Case& one, const Question& question,
                                       const Options& options) {
    std::vector<core::Machine> machines;
    for (int i = 0; i < options.seeds; ++i) {
        core::Random random(options.first + static_cast<std::uint64_t>(i));
        machines.push_back(hidden_machine(question.described, one.ranks,
                                          question.described.ranks_per_node, random));
    }
    return machines;
}

std::string study(const Case& one, const Options& options) {
    using Clock = std::chrono::steady_clock;
    const auto begin = Clock::now();
    const auto spent = [&] { return std::chrono::duration<double>(Clock::now() - begin).count(); };
    const Question question = question_of(one);
    const std::vector<core::Machine> machines = machines_of(one, question, options);
    const PlanSpace space(question, machines);
    fmt::print("{}; ranks={}, {} on a node; {}: {} plans, {:.0f} s\n", one.problem, one.ranks,
               one.ranks_per_node, one.constraint, space.plans(), spent());
    std::string lines;
    for (const std::string& search : searches()) {
        Record record{search, {}, {}, {}};
        for (std::size_t i = 0; i < machines.size(); ++i) {
            core::Random random(core::mix(options.first + i));
            const Found found = searched(search, question, space, i, machines[i],
                                         options.evaluations, options.noise, random);
            const double best = space.seconds(space.best(i), i);
            record.over_best.push_back(rounded(found.seconds / best));
            record.evaluations.push_back(found.evaluations);
            record.near_after.push_back(near_after(found, best));
            if (options.losers && search == "tuner" && found.seconds > within * best) {
                fmt::print("  seed {}: {:.3f}\n    best  {}\n    found {}\n", options.first + i,
                           found.seconds / best, space.text(space.best(i)), found.choice);
            }
        }
        fmt::print("  {:<11} {:>3} of {} within 5%, median {:.3f} times the best, {:.0f} s\n",
                   search, record.near(within, options.evaluations), options.seeds,
                   cli::quartiles(record.over_best).median, spent());
        std::fflush(stdout);
        lines += line(one, options, space, record).dump() + "\n";
    }
    return lines;
}

void run(const Options& options) {
    Json first;
    first["study"] = "machine";
    cli::add_origin(first);
    first["described"] = core::default_machine;
    first["hidden"] = hidden_ranges();
    std::string lines = first.dump() + "\n";
    for (std::size_t i = 0; i < cases().size(); ++i) {
        const auto& only = options.only;
        const auto number = static_cast<int>(i);
        if (!only.empty() && std::count(only.begin(), only.end(), number) == 0) continue;
        lines += study(cases()[i], options);
        if (!options.json.empty()) cli::write_file(options.json, lines);
    }
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("how near the tuner comes to the fastest plan on machines that it does not know");
    app.add_option("--only", options.only, "the cases of these numbers, from 0")->delimiter(',');
    app.add_option("--first", options.first, "the first seed")->capture_default_str();
    app.add_option("--seeds", options.seeds, "so many of them")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--evaluations", options.evaluations, "runs of a search at most")
        ->capture_default_str();
    app.add_option("--noise", options.noise, "standard deviation of a run over its mean")
        ->capture_default_str();
    app.add_flag("--losers", options.losers, "say where the tuner is not within 5% of the best");
    app.add_option("--json", options.json, "also write one JSON object a line to this file");
    CLI11_PARSE(app, argc, argv);
    try {
        run(options);
    } catch (const Error& error) {
        fmt::print(stderr, "tune_synthetic: {}\n", error.what());
        return static_cast<int>(error.code());
    }
    return 0;
}
