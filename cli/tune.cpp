// weft tune: finds the fastest plan of a problem on these ranks, and says why it is the fastest.
#include "api/tune.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "base/text.hpp"
#include "fft/engine.hpp"
#include "machine_option.hpp"
#include "measure/files.hpp"
#include "measure/progress.hpp"
#include "net/agree.hpp"
#include "net/node_ranks.hpp"
#include "options.hpp"
#include "plan/choice.hpp"
#include "tune/methods.hpp"
#include "tune/session.hpp"
#include "tuned.hpp"
#include "verbs.hpp"

namespace weft::cli {

namespace {

struct Tune {
    ProblemOptions problem;
    std::string limit;
    std::optional<double> uses;
    std::string machine;
    std::optional<double> forward;
    std::optional<double> backward;
    bool plain = false;
    bool quiet = false;
    bool json = false;
};

/// What the options say of tuning, over what the text says of it.
Tuning tuning_of(const Tune& options, const Tuning& in_text) {
    Tuning tuning = in_text;
    if (tuning.effort == TuningEffort::none) tuning.effort = TuningEffort::measure;
    if (!options.limit.empty()) {
        tuning.limit = parse_tuning("measure(limit:" + options.limit + ")").limit;
    }
    if (options.uses) tuning.uses = options.uses;
    if (!options.machine.empty()) tuning.machine = options.machine;
    if (options.plain) tuning.plain_arrays = true;
    if (options.forward) tuning.forward = *options.forward;
    if (options.backward) tuning.backward = *options.backward;
    core::validate(tuning);
    return tuning;
}

/// Collective: the request is for as many ranks as there are, with an engine that they have.
void require_possible(const core::PlanRequest& request) {
    core::all_or_none(MPI_COMM_WORLD, [&] {
        int ranks = 0;
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        if (request.ranks != 0 && request.ranks != ranks) {
            core::bad_request(
                fmt::format("ranks={}, but the communicator has {} ranks", request.ranks, ranks));
        }
        if (!core::measures_engine(request.choice)) {
            (void)core::resolve_engine(request.choice.engine);
        }
    });
}

int run(const Tune& options) {
    core::PlanRequest request = options.problem.request();
    if (request.backward) core::bad_request("the text says backward: tune the forward plan");
    const Tuning tuning = tuning_of(options, request.choice.tuning);
    request.choice.tuning = {};
    require_possible(request);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<TunedRun> runs;
    TuningObserver observer;
    observer.checks_known = true;
    Progress progress("weft tune", "runs", 0, rank == 0 && !options.quiet && !options.json);
    observer.after = [&](const core::Trial& trial, double left) {
        runs.push_back({left, trial.failed ? 0 : trial.seconds.back(), trial.predicted,
                        weft::to_string(trial.open), trial.failed ? trial.dropped : ""});
        progress.done(static_cast<int>(runs.size()));
    };
    const core::Topology nodes = core::NodeRanks(MPI_COMM_WORLD).topology(MPI_COMM_WORLD);
    const TunedPlan found =
        tuned_plan(MPI_COMM_WORLD, nodes, request.problem, request.choice, tuning, observer);
    if (rank != 0) return 0;
    for (const std::string& trouble : found.troubles) say_error(fmt::format("weft: {}\n", trouble));
    if (found.outcome && !core::tried_enough(*found.outcome)) {
        say_error(
            fmt::format("weft tune: the plan is not kept as wisdom: the limit ended tuning after "
                        "{} runs, and wisdom needs at least {}; give a longer --limit\n",
                        found.outcome->evaluations, core::enough_runs));
    }
    if (options.quiet && !options.json) runs.clear();
    fmt::print("{}", options.json ? tune_json(found, runs) : tune_text(found, runs));
    return 0;
}

}  // namespace

Verb add_tune(CLI::App& app) {
    auto options = std::make_shared<Tune>();
    CLI::App* verb = app.add_subcommand(
        "tune", "Find the fastest plan of a problem on these ranks by timing, and remember it");
    options->problem.add_to(*verb);
    verb->add_option("--limit", options->limit, "time limit of tuning, in seconds");
    verb->add_option("--uses", options->uses,
                     "transforms there and back that the plan is for (1000); tuning takes about an "
                     "80th of their time at most");
    verb->add_option("--machine", options->machine,
                     "machine that predictions start from (default): " + machine_option_help());
    verb->add_option("--forward", options->forward, "weight of the forward transform's time (1)");
    verb->add_option("--backward", options->backward,
                     "weight of the backward transform's time (1)");
    verb->add_flag("--plain", options->plain, "time arrays that do not come from weft::allocate");
    verb->add_flag("--quiet", options->quiet, "print no line for each run, and no progress");
    verb->add_flag("--json", options->json, "print one JSON document");
    verb->footer("Example: mpirun -n 2 weft tune 256x256x256 --limit 10");
    return {verb, [options] { return run(*options); }, [] { return true; }};
}

}  // namespace weft::cli
