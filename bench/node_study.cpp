// How near distributed arrays come to the speed of shared memory on one node: weft's ways, FFTW's
// MPI transforms, and FFTW and MKL in one process with as many threads as there are ranks, which
// distribute nothing. bench/README.md says how to run it.
#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "measure/json.hpp"
#include "measure/machine.hpp"
#include "measure/quartiles.hpp"
#include "measure/race.hpp"
#include "node/runner.hpp"
#include "study_main.hpp"

namespace {

using namespace weft;
using namespace weft::cli;

struct Options {
    std::vector<std::string> shapes = {"64x64x64",    "128x128x128", "200x180x150", "256x256x256",
                                       "197x233x189", "384x384x384", "512x512x512"};
    std::vector<std::string> kinds = {"c2c", "r2c"};
    std::vector<std::string> only;
    int repeat = 0;
    double seconds = 6;
    std::string json;
};

/// Of one runner on one problem.
struct Result {
    std::string name;
    Quartiles forward;
    Quartiles backward;
};

struct Study {
    std::string problem;
    int repeat = 0;
    std::vector<Result> results;

    [[nodiscard]] const Result* find(const std::string& name) const {
        for (const Result& result : results) {
            if (result.name == name) return &result;
        }
        return nullptr;
    }
};

/// All runners, taken in turns.
Study measure(const std::string& problem, const Options& options, MPI_Comm comm) {
    const auto runners = bench::runners(problem, options.only, comm);
    std::vector<std::vector<double>> forward(runners.size());
    std::vector<std::vector<double>> backward(runners.size());
    double round_seconds = 0;
    Turns turns(runners.size());
    const auto round = [&](bool counts) {
        round_seconds = 0;
        for (const std::size_t i : turns.next()) {
            const double there = runners[i]->seconds(false);
            const double back = runners[i]->seconds(true);
            round_seconds += there + back;
            if (!counts) continue;
            forward[i].push_back(there);
            backward[i].push_back(back);
        }
    };
    constexpr int warm_up = 2;
    for (int i = 0; i < warm_up; ++i) round(false);
    // The same on all ranks, since seconds are those of the slowest.
    constexpr int least = 7;
    constexpr int most = 101;
    const int repeat =
        options.repeat > 0
            ? options.repeat
            : std::clamp(static_cast<int>(options.seconds / round_seconds), least, most);
    for (int i = 0; i < repeat; ++i) round(true);
    Study study{problem, repeat, {}};
    for (std::size_t i = 0; i < runners.size(); ++i) {
        study.results.push_back(
            {runners[i]->name(), quartiles(forward[i]), quartiles(backward[i])});
    }
    return study;
}

/// FFTW-MPI's best order of the output, by direction.
std::optional<double> best_of_fftw_mpi(const Study& study, bool backward) {
    std::optional<double> best;
    for (const char* name : {"fftw-mpi", "fftw-mpi-returning"}) {
        const Result* result = study.find(name);
        if (result == nullptr) continue;
        const double seconds = (backward ? result->backward : result->forward).median;
        best = best ? std::min(*best, seconds) : seconds;
    }
    return best;
}

std::optional<double> of_mkl(const Study& study, bool backward) {
    const Result* result = study.find("mkl-threads");
    if (result == nullptr) return {};
    return (backward ? result->backward : result->forward).median;
}

Json ratio(const Quartiles& seconds, const std::optional<double>& other) {
    return other ? Json(seconds.median / *other) : Json(nullptr);
}

std::string json_lines(const Study& study, const Machine& machine, int ranks) {
    std::string lines;
    for (const Result& result : study.results) {
        Json line;
        line["study"] = "node";
        line["problem"] = study.problem;
        line["ranks"] = ranks;
        line["runner"] = result.name;
        line["repeat"] = study.repeat;
        line["forward_s"] = json(result.forward);
        line["backward_s"] = json(result.backward);
        line["to_fftw_mpi"] = ratio(result.forward, best_of_fftw_mpi(study, false));
        line["to_fftw_mpi_backward"] = ratio(result.backward, best_of_fftw_mpi(study, true));
        line["to_mkl_threads"] = ratio(result.forward, of_mkl(study, false));
        line["to_mkl_threads_backward"] = ratio(result.backward, of_mkl(study, true));
        add_machine(line, machine);
        lines += line.dump() + "\n";
    }
    return lines;
}

std::string ratio_text(double seconds, const std::optional<double>& other) {
    return other ? fmt::format("{:>7.2f}", seconds / *other) : fmt::format("{:>7}", "-");
}

std::string table(const Study& study) {
    std::string text = fmt::format("{}, {} repeats\n", study.problem, study.repeat);
    for (const Result& result : study.results) {
        text += fmt::format("  {:<24}", result.name);
        for (const bool backward : {false, true}) {
            const Quartiles& all = backward ? result.backward : result.forward;
            text +=
                fmt::format(" {:>9.2f} [{:>8.2f},{:>8.2f}]{}{}", 1e3 * all.median, 1e3 * all.q1,
                            1e3 * all.q3, ratio_text(all.median, best_of_fftw_mpi(study, backward)),
                            ratio_text(all.median, of_mkl(study, backward)));
        }
        text += '\n';
    }
    return text;
}

int run(const Options& options) {
    const std::string heading =
        "milliseconds of the slowest rank, forward and backward: median [quartiles], and the "
        "median over FFTW-MPI's best and over MKL's threads\n";
    return bench::run_study(
        "node_study", heading, options.json, [&](const Machine& here, int ranks, bool speaks) {
            std::string lines;
            for (const std::string& kind : options.kinds) {
                for (const std::string& shape : options.shapes) {
                    const Study study =
                        measure(fmt::format("{}:f64:{}", kind, shape), options, MPI_COMM_WORLD);
                    lines += json_lines(study, here, ranks);
                    if (speaks) fmt::print("{}", table(study));
                    std::fflush(stdout);
                }
            }
            return lines;
        });
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("transforms on one node: ranks that share memory beside what else there is");
    app.add_option("--shapes", options.shapes, "as 64x64x64,100x90x70")
        ->delimiter(',')
        ->capture_default_str();
    app.add_option("--kinds", options.kinds, "c2c, r2c")
        ->delimiter(',')
        ->check(CLI::IsMember({"c2c", "r2c"}))
        ->capture_default_str();
    app.add_option("--only", options.only, "only these runners")->delimiter(',');
    app.add_option("--seconds", options.seconds, "time for each problem")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--repeat", options.repeat,
                   "exactly this number of repeats, instead of --seconds")
        ->check(CLI::PositiveNumber);
    app.add_option("--json", options.json, "also write one JSON object a line to this file");
    CLI11_PARSE(app, argc, argv);
    return run(options);
}
