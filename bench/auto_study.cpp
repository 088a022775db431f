// engine=auto beside each engine by name, in turns: how much its choice costs at worst.
// bench/README.md says what it measures and how to run it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "api/usable_engines.hpp"
#include "fft/engine.hpp"
#include "measure/contender.hpp"
#include "measure/json.hpp"
#include "measure/race.hpp"
#include "study_main.hpp"
#include "weft/choice.hpp"

namespace {

using namespace weft;
using namespace weft::cli;

struct Options {
    std::vector<std::string> problems;
    int repeat = 41;
    std::string json;
};

/// Batches of 256 KiB, as lines lie in one rank's memory, and whole transforms.
std::vector<std::string> usual_problems(int ranks) {
    std::vector<std::string> result;
    if (ranks == 1) {
        for (const int length : {64, 150, 256, 1024}) {
            const int batch = (1 << 14) / length;
            const std::string lines = fmt::format("c2c:f64:{}x{} axes=1", batch, length);
            result.push_back(lines);
            result.push_back(fmt::format("c2c:f64:{}x{} axes=0", length, batch));
            result.push_back(lines + " in=single@01 out=single@10");
            result.push_back(lines + " in=single@10 out=single@01");
            result.push_back(fmt::format("r2c:f64:{}x{} axes=1", 2 * batch, length));
        }
    }
    for (const char* shape : {"64x64x64", "128x128x128", "200x180x150"}) {
        result.push_back(fmt::format("c2c:f64:{}", shape));
    }
    result.emplace_back("r2c:f64:128x128x128");
    result.emplace_back("c2c:f32:128x128x128");
    return result;
}

/// A transform there and back by one choice of the engine.
struct Entry {
    std::string engine;
    std::string plan;
    Quartiles seconds;
};

std::vector<Entry> measured(const std::string& problem, const std::vector<std::string>& engines,
                            const Options& options) {
    Contenders contenders;
    std::vector<Entry> result;
    for (const std::string& engine : engines) {
        contenders.push_back(
            weft_contender(fmt::format("{}; engine={}", problem, engine), MPI_COMM_WORLD));
        contenders.back()->clear();
        result.push_back({engine, contenders.back()->description().plan, {}});
    }
    const std::vector<Times> times = race(contenders, options.repeat, MPI_COMM_WORLD, false);
    for (std::size_t i = 0; i < result.size(); ++i) {
        std::vector<double> both = times[i].forward;
        std::transform(both.begin(), both.end(), times[i].backward.begin(), both.begin(),
                       std::plus<>());
        result[i].seconds = quartiles(both);
    }
    return result;
}

/// The first entry is that of `auto`.
Json record(const std::string& problem, const std::vector<Entry>& entries, int ranks,
            const Machine& here) {
    Json one;
    one["study"] = "auto";
    one["problem"] = problem;
    one["ranks"] = ranks;
    one["chosen"] = entries.front().plan;
    double best = entries[1].seconds.median;
    for (const Entry& entry : entries) {
        one["seconds"][entry.engine] = json(entry.seconds);
        if (&entry == &entries.front()) continue;
        best = std::min(best, entry.seconds.median);
        one["engines"][entry.engine] = core::engine(entry.engine).description();
    }
    one["ratio"] = entries.front().seconds.median / best;
    // By itself, without what two bindings of one plan differ by.
    for (const Entry& entry : entries) {
        if (entry.plan == entries.front().plan) one["choice_ratio"] = entry.seconds.median / best;
    }
    add_machine(one, here);
    return one;
}

std::string line(const Json& one) {
    std::string text = fmt::format("{:<52}", one["problem"].get<std::string>());
    for (const auto& [engine, seconds] : one["seconds"].items()) {
        text += fmt::format(" {} {:.3f}", engine, 1e3 * seconds["median"].get<double>());
    }
    return text + fmt::format("  {:.3f} {:.3f}\n", one["ratio"].get<double>(),
                              one["choice_ratio"].get<double>());
}

int run(const Options& options) {
    const char* heading =
        "milliseconds there and back; auto over the best of the others; so is what it chose\n";
    return bench::run_study(
        "auto_study", heading, options.json, [&](const Machine& here, int ranks, bool speaks) {
            std::vector<std::string> engines = engines_of_all(MPI_COMM_WORLD, {});
            engines.insert(engines.begin(), "auto");
            std::string lines;
            double worst = 0;
            double worst_choice = 0;
            for (const std::string& problem :
                 options.problems.empty() ? usual_problems(ranks) : options.problems) {
                const auto entries = measured(problem, engines, options);
                const Json one = record(problem, entries, ranks, here);
                worst = std::max(worst, one["ratio"].get<double>());
                worst_choice = std::max(worst_choice, one["choice_ratio"].get<double>());
                lines += one.dump() + "\n";
                if (speaks) fmt::print("{}", line(one));
            }
            if (speaks) fmt::print("worst ratio {:.3f}, of choices {:.3f}\n", worst, worst_choice);
            return lines;
        });
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("engine=auto beside each engine by name, in turns");
    app.add_option("problems", options.problems, "these instead of the usual ones");
    app.add_option("--repeat", options.repeat, "runs of each")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_option("--json", options.json, "also write one JSON object a line to this file");
    CLI11_PARSE(app, argc, argv);
    return run(options);
}
