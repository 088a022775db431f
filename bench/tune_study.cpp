// What tuning finds, gains and costs where it runs: points among random ones, problems beside the
// default plan and FFTW's planning, plans that were tuned elsewhere; bench/README.md.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "measure/json.hpp"
#include "study_main.hpp"
#include "tuning/percentiles.hpp"
#include "tuning/points.hpp"
#include "tuning/problems.hpp"

namespace {

using namespace weft;
using namespace weft::bench;
using weft::cli::Json;

struct Options {
    std::vector<std::string> problems = {"c2c:f64:64x64x64"};
    std::vector<std::string> choices;
    std::string choice =
        "decomposition=slab; via=isend-waitall; pack=sender; engine=native; tile=(axis:2)";
    std::string network = "?";
    std::string machine;
    int repeat = 15;
    PercentileOptions percentiles;
    std::string json;
};

Json header(const Options& options, const char* study, const cli::Machine& machine, int ranks) {
    Json json;
    json["study"] = study;
    json["ranks"] = ranks;
    json["network"] = options.network;
    cli::add_machine(json, machine);
    return json;
}

std::string points(const Options& options, const cli::Machine& machine, int ranks, bool speaks) {
    std::string lines;
    for (const std::string& problem : options.problems) {
        Json head = header(options, "tune points", machine, ranks);
        head["problem"] = problem;
        head["choice"] = options.choice;
        const Points some(problem, options.choice, MPI_COMM_WORLD);
        lines += percentiles(some, options.percentiles, head, speaks);
    }
    return lines;
}

std::string each_problem(const Options& options, const cli::Machine& machine, int ranks,
                         bool speaks) {
    std::string lines;
    for (const std::string& problem : options.problems) {
        Json line = header(options, "tune problems", machine, ranks);
        line.update(tuned_problem(problem, options.machine, options.repeat, MPI_COMM_WORLD));
        lines += line.dump() + "\n";
        if (!speaks) continue;
        const double usual = line["seconds"]["default"]["median"];
        fmt::print("{:<28} default {:9.3f} ms, tuned {:.3f} of it, in {:.2f} s, {}\n", problem,
                   1e3 * usual, line["seconds"]["tuned"]["median"].get<double>() / usual,
                   line["tuning_s"].get<double>(), line["tuned"].get<std::string>());
        std::fflush(stdout);
    }
    return lines;
}

std::string cross(const Options& options, const cli::Machine& machine, int ranks, bool /*speaks*/) {
    Json line = header(options, "tune cross", machine, ranks);
    line.update(
        in_turns(options.problems.front(), options.choices, options.repeat, MPI_COMM_WORLD));
    return line.dump() + "\n";
}

using Measure = std::string (*)(const Options&, const cli::Machine&, int, bool);

int run(const Options& options, const char* heading, Measure measure) {
    // What was found earlier is not what is studied.
    setenv("WEFT_WISDOM", "", 1);
    return run_study("tune_study", heading, options.json,
                     [&](const cli::Machine& machine, int ranks, bool speaks) {
                         return measure(options, machine, ranks, speaks);
                     });
}

void add_common(CLI::App& verb, Options& options) {
    verb.add_option("--problems", options.problems, "as c2c:f64:64x64x64,r2c:f64:100x90x80*2")
        ->delimiter(',')
        ->capture_default_str();
    verb.add_option("--network", options.network, "what links the ranks, for the records");
    verb.add_option("--json", options.json, "also write one JSON object a line to this file");
}

void add_points(CLI::App& verb, Options& options) {
    PercentileOptions& some = options.percentiles;
    verb.add_option("--choice", options.choice, "in tiles")->capture_default_str();
    verb.add_option("--random", some.random, "points drawn at random")->capture_default_str();
    verb.add_option("--rounds", some.rounds, "of these")->capture_default_str();
    verb.add_option("--again", some.again, "rounds of what counts")->capture_default_str();
    verb.add_option("--seeds", some.seeds, "so many times each search")->capture_default_str();
    verb.add_option("--most", some.most, "runs of the simplex search")->capture_default_str();
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("what tuning finds, gains and costs");
    app.require_subcommand(1);
    CLI::App* of_points = app.add_subcommand("points", "tuned points among random ones");
    CLI::App* of_problems = app.add_subcommand("problems", "tuned plans beside the default");
    CLI::App* of_plans = app.add_subcommand("cross", "given plans of one problem in turns");
    for (CLI::App* verb : {of_points, of_problems, of_plans}) add_common(*verb, options);
    add_points(*of_points, options);
    of_problems->add_option("--repeat", options.repeat, "rounds")->capture_default_str();
    of_problems->add_option("--machine", options.machine,
                            "as calibrated: tuning starts from it, and its estimate runs, too");
    of_plans->add_option("--repeat", options.repeat, "rounds")->capture_default_str();
    of_plans->add_option("--choice", options.choices, "of a plan; may be given again")
        ->required()
        ->allow_extra_args(false);
    CLI11_PARSE(app, argc, argv);
    if (*of_points) return run(options, "points of tiles\n", points);
    if (*of_problems) return run(options, "there and back, the slowest rank\n", each_problem);
    return run(options, "plans in turns\n", cross);
}
