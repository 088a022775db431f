// weft bench: how long a transform takes and where the time goes, alone or beside another library.
#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "base/text.hpp"
#include "bench/report.hpp"
#include "bench/same_results.hpp"
#include "measure/account.hpp"
#include "measure/breakdown.hpp"
#include "measure/files.hpp"
#include "measure/program.hpp"
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
    double limit = 600;
    std::string trace;

    [[nodiscard]] Arrays arrays() const {
        if (device_arrays) return Arrays::of_the_device;
        return pinned_arrays ? Arrays::pinned : Arrays::of_weft;
    }
};

/// The libraries and the programs of --against.
struct Competitors {
    std::vector<std::string> libraries;
    std::vector<Program> programs;
};

Competitors competitors(const std::vector<std::string>& names, double limit) {
    Competitors result;
    for (auto name = names.begin(); name != names.end(); ++name) {
        if (std::find(names.begin(), name, *name) != name) {
            core::bad_request(fmt::format("--against {} is given twice", *name));
        }
        if (auto program = program_of(*name, limit)) {
            result.programs.push_back(*std::move(program));
        } else {
            require_competitor(*name);
            result.libraries.push_back(*name);
        }
    }
    return result;
}

void append(Times& all, const Times& more) {
    all.forward.insert(all.forward.end(), more.forward.begin(), more.forward.end());
    all.backward.insert(all.backward.end(), more.backward.begin(), more.backward.end());
}

/// What the contenders and the programs take. A program is started anew for each of its turns, of
/// which there are a few, because its ranks would wait busily while weft computes.
struct Raced {
    std::vector<Times> contenders;
    std::vector<ProgramRun> programs;
};

Raced take_turns(const Contenders& contenders, const std::vector<Program>& programs,
                 const Bench& options, const Problem& problem, const std::optional<Results>& ours) {
    MPI_Comm comm = MPI_COMM_WORLD;
    constexpr int most_turns = 3;
    const int turns = programs.empty() ? 1 : std::min(options.repeat, most_turns);
    Raced raced{std::vector<Times>(contenders.size()), std::vector<ProgramRun>(programs.size())};
    for (int turn = 0; turn < turns; ++turn) {
        const int repeat = options.repeat * (turn + 1) / turns - options.repeat * turn / turns;
        const auto times = race(contenders, repeat, comm, !options.json && !options.quiet);
        for (std::size_t i = 0; i < times.size(); ++i) append(raced.contenders[i], times[i]);
        for (std::size_t i = 0; i < programs.size(); ++i) {
            ProgramRun run = run_program(programs[i], problem, repeat, comm);
            if (ours) check_program(*ours, run);
            append(run.times, raced.programs[i].times);
            raced.programs[i] = std::move(run);
        }
    }
    return raced;
}

std::array<Quartiles, 2> of_both(const Times& times) {
    return {quartiles(times.forward), quartiles(times.backward)};
}

std::vector<Measurement> measure(const Contenders& contenders, const Raced& raced, int repeat,
                                 MPI_Comm comm) {
    // Looking at the clock within a transform is kept out of the times above.
    const int profiled = (repeat + 1) / 2;
    std::vector<Measurement> result;
    for (std::size_t i = 0; i < contenders.size(); ++i) {
        Contender& contender = *contenders[i];
        result.push_back({contender.description(),
                          of_both(raced.contenders[i]),
                          {typical_profile(contender, false, profiled, comm),
                           typical_profile(contender, true, profiled, comm)}});
    }
    for (const ProgramRun& run : raced.programs) {
        result.push_back({run.how, of_both(run.times), {}});
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
    const Competitors others = competitors(options.against, options.limit);
    const core::PlanRequest request = options.problem.request();
    comparison.problem = request.problem;
    comparison.repeat = options.repeat;
    comparison.machine = machine(comm);
    if (rank == 0) warn_if_crowded(comparison.machine, "weft bench");

    Contenders contenders;
    contenders.push_back(weft_contender(options.problem.text(), comm, options.arrays()));
    for (const std::string& name : others.libraries) {
        contenders.push_back(competitor(name, options.problem.text(), comm));
    }
    std::optional<Results> results;
    if (!options.unchecked) {
        results = check_same_results(request.problem, request.choice.wire, contenders, comm);
    }
    for (const auto& contender : contenders) contender->clear();
    const Raced raced = take_turns(contenders, others.programs, options, request.problem, results);
    comparison.measurements = measure(contenders, raced, options.repeat, comm);
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
            "rank with a GPU); cufftmp (a GPU for each rank); program:NAME=COMMAND, a program that "
            "prints times (bench/README.md); may be given again")
        ->allow_extra_args(false);
    verb->add_option("--limit", options->limit, "seconds that each run of a program may take")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
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
