// weft bench: how long a transform takes and where the time goes, alone or beside another library.
#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "base/text.hpp"
#include "bench/report.hpp"
#include "bench/same_results.hpp"
#include "measure/account.hpp"
#include "measure/breakdown.hpp"
#include "measure/files.hpp"
#include "measure/race.hpp"
#include "net/agree.hpp"
#include "options.hpp"
#include "verbs.hpp"

namespace weft::cli {

namespace {

struct Bench {
    ProblemOptions problem;
    std::vector<std::string> against;
    int repeat = 11;
    bool json = false;
    bool quiet = false;
    bool account = false;
    bool breakdown = false;
    bool device_arrays = false;
    bool pinned_arrays = false;
    bool unchecked = false;
    std::string trace;

    [[nodiscard]] Arrays arrays() const {
        if (device_arrays) return Arrays::of_the_device;
        return pinned_arrays ? Arrays::pinned : Arrays::of_weft;
    }
};

void check_competitors(const std::vector<std::string>& names) {
    for (auto name = names.begin(); name != names.end(); ++name) {
        if (std::find(names.begin(), name, *name) != name) {
            core::bad_request(fmt::format("--against {} is given twice", *name));
        }
        require_competitor(*name);
    }
}

std::vector<Measurement> measure(const Contenders& contenders, const Bench& options,
                                 MPI_Comm comm) {
    const int repeat = options.repeat;
    const bool silent = options.json || options.quiet;
    const std::vector<Times> times = race(contenders, repeat, comm, !silent);
    // Looking at the clock within a transform is kept out of the times above.
    const int profiled = (repeat + 1) / 2;
    std::vector<Measurement> result;
    for (std::size_t i = 0; i < contenders.size(); ++i) {
        Contender& contender = *contenders[i];
        result.push_back({contender.description(),
                          {quartiles(times[i].forward), quartiles(times[i].backward)},
                          {typical_profile(contender, false, profiled, comm),
                           typical_profile(contender, true, profiled, comm)}});
    }
    return result;
}

int run(const Bench& options) {
    MPI_Comm comm = MPI_COMM_WORLD;
    int rank = 0;
    Comparison comparison;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &comparison.ranks);
    if (options.repeat < 1) {
        core::bad_request(fmt::format("--repeat {}: at least 1", options.repeat));
    }
    check_competitors(options.against);
    const core::PlanRequest request = options.problem.request();
    comparison.problem = request.problem;
    comparison.repeat = options.repeat;
    comparison.machine = machine(comm);
    if (rank == 0) warn_if_crowded(comparison.machine, "weft bench");

    Contenders contenders;
    contenders.push_back(weft_contender(options.problem.text(), comm, options.arrays()));
    for (const std::string& name : options.against) {
        contenders.push_back(competitor(name, options.problem.text(), comm));
    }
    if (!options.unchecked) {
        check_same_results(request.problem, request.choice.wire, contenders, comm);
    }
    for (const auto& contender : contenders) contender->clear();
    comparison.measurements = measure(contenders, options, comm);
    if (rank == 0) fmt::print("{}", options.json ? bench_json(comparison) : bench_text(comparison));
    if (options.account) {
        const std::string account = account_table(*contenders.front(), options.repeat, comm);
        if (rank == 0) fmt::print("{}", account);
    }
    if (options.breakdown) {
        fmt::print("{}", breakdown_table(*contenders.front(), options.repeat, comm));
    }
    if (!options.trace.empty()) {
        const std::string trace = chrome_trace(*contenders.front(), comm);
        core::all_or_none(comm, [&] {
            if (rank == 0) write_file(options.trace, trace);
        });
    }
    return 0;
}

}  // namespace

Verb add_bench(CLI::App& app) {
    auto options = std::make_shared<Bench>();
    CLI::App* verb = app.add_subcommand(
        "bench", "Time a transform, part by part, alone or beside another library");
    options->problem.add_to(*verb);
    verb->add_option(
            "--against", options->against,
            "also time this library, in turns with weft: fftw-mpi; engine (one rank); cufft (one "
            "rank with a GPU); cufftmp (a GPU for each rank); may be given again")
        ->delimiter(',')
        ->allow_extra_args(false);
    verb->add_option("--repeat", options->repeat, "timed repeats after a warm-up")
        ->capture_default_str();
    verb->add_flag("--device-arrays", options->device_arrays,
                   "arrays are memory of the device that space= names");
    verb->add_flag("--pinned-arrays", options->pinned_arrays,
                   "arrays are memory of the host that this device reaches fast")
        ->excludes("--device-arrays");
    verb->add_flag("--unchecked", options->unchecked,
                   "skip the comparison of results, which takes minutes above 10^8 elements");
    verb->add_flag("--json", options->json,
                   "print one JSON document: the verdict, and an object for each library");
    verb->add_flag("--account", options->account,
                   "also print how much each operation reads, writes and computes, and how fast")
        ->excludes("--json");
    verb->add_flag("--breakdown", options->breakdown,
                   "also print the time of each phase: FFTz, Transpose, FFTy, Pack, Unpack, FFTx, "
                   "Wait, Test")
        ->excludes("--json");
    verb->add_flag("--quiet", options->quiet, "print no progress on stderr");
    verb->add_option("--trace", options->trace,
                     "also write a Chrome trace to this file: every rank's operations in one "
                     "forward and one backward run");
    verb->footer("Example: mpirun -n 2 weft bench 256x256x256 --against fftw-mpi --json");
    return {verb, [options] { return run(*options); }, [] { return true; }};
}

}  // namespace weft::cli
