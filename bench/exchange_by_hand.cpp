// weft's redistribution beside the same one written by hand with MPI alone: what it costs that weft
// knows neither methods nor layouts beforehand.
#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <optional>

#include "base/text.hpp"
#include "by_hand/transposition.hpp"
#include "measure/json.hpp"
#include "measure/statistics.hpp"
#include "measure/turns.hpp"
#include "study_main.hpp"

namespace {

using namespace weft;       // NOLINT(google-build-using-namespace)
using namespace weft::cli;  // NOLINT(google-build-using-namespace)

struct Options {
    std::vector<std::string> shapes = {"8x8x8", "64x64x64", "100x90x70", "128x128x128",
                                       "256x256x256"};
    std::vector<std::string> methods = bench::hand_written();
    double seconds = 3;
    std::optional<int> repeat;
    std::string json;
};

/// Of one transposition; statistics are those with a barrier before each call.
struct Result {
    bench::Transposition what;
    int repeats = 0;
    Statistics weft;
    Statistics by_hand;

    [[nodiscard]] double ratio() const { return weft.quartiles.median / by_hand.quartiles.median; }
};

std::vector<bench::Transposition> transpositions(const Options& options) {
    std::vector<bench::Transposition> all;
    for (const std::string& shape : options.shapes) {
        for (const std::string& method : options.methods) {
            for (const char* order : {"012", "102"}) {
                const bench::Transposition one{method, bench::parse_shape(shape), order};
                // Subarrays cannot permute.
                if (method != "alltoallw" || one.order == "012") all.push_back(one);
            }
        }
    }
    return all;
}

Result measure(const bench::Transposition& what, const Budget& budget, MPI_Comm comm) {
    bench::Pair pair(what, comm);
    pair.check();
    const std::vector<CallTimes> times =
        take_turns({[&] { pair.run_weft(); }, [&] { pair.run_by_hand(); }}, budget, comm);
    return {what, static_cast<int>(times[0].with_barrier.size()), statistics(times[0].with_barrier),
            statistics(times[1].with_barrier)};
}

std::string json_line(const Result& result, const Machine& machine, int ranks) {
    Json line;
    line["method"] = result.what.method;
    line["shape"] = result.what.shape;
    line["order"] = result.what.order;
    line["ranks"] = ranks;
    line["plan"] = result.what.text();
    line["repeats"] = result.repeats;
    line["weft_s"] = json(result.weft.quartiles);
    line["by_hand_s"] = json(result.by_hand.quartiles);
    line["ratio"] = result.ratio();
    add_machine(line, machine);
    return line.dump() + "\n";
}

std::string quartiles_text(const Statistics& seconds) {
    const Quartiles& all = seconds.quartiles;
    return fmt::format("{:>10.1f} [{:>9.1f},{:>9.1f}]", 1e6 * all.median, 1e6 * all.q1,
                       1e6 * all.q3);
}

std::string table_line(const Result& result) {
    return fmt::format("{:<14} {:<14} {:>5} {} {} {:>7.3f}\n",
                       fmt::format("{}", fmt::join(result.what.shape, "x")), result.what.method,
                       result.what.order, quartiles_text(result.weft),
                       quartiles_text(result.by_hand), result.ratio());
}

int run(const Options& options) {
    const std::string heading = fmt::format(
        "microseconds of the slowest rank, medians [quartiles]\n"
        "{:<14} {:<14} {:>5} {:<32} {:<32} {:>7}\n",
        "shape", "method", "order", "weft", "by hand", "ratio");
    return bench::run_study("exchange_by_hand", heading, options.json,
                            [&](const Machine& here, int ranks, bool speaks) {
                                std::string lines;
                                for (const bench::Transposition& what : transpositions(options)) {
                                    const Result result =
                                        measure(what, {options.seconds, options.repeat.value_or(0)},
                                                MPI_COMM_WORLD);
                                    lines += json_line(result, here, ranks);
                                    if (speaks) fmt::print("{}", table_line(result));
                                    std::fflush(stdout);
                                }
                                return lines;
                            });
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("weft's redistribution of slabs beside the same one written with MPI alone");
    app.add_option("--shapes", options.shapes, "of three axes, as 64x64x64,100x90x70")
        ->delimiter(',')
        ->capture_default_str();
    app.add_option("--methods", options.methods, "only these")
        ->delimiter(',')
        ->check(CLI::IsMember(bench::hand_written()))
        ->capture_default_str();
    app.add_option("--seconds", options.seconds, "time for each line")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--repeat", options.repeat,
                   "exactly this number of repeats, instead of --seconds")
        ->check(CLI::PositiveNumber);
    app.add_option("--json", options.json, "also write one JSON object a line to this file");
    CLI11_PARSE(app, argc, argv);
    return run(options);
}
