// weft explain: the plan of a problem, for any number of ranks, without MPI.
#include "plan/explain.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "api/estimate.hpp"
#include "base/text.hpp"
#include "explain_volume.hpp"
#include "explained.hpp"
#include "machine_option.hpp"
#include "measure/files.hpp"
#include "model/predict.hpp"
#include "options.hpp"
#include "plan/fuse.hpp"
#include "plot/plan_plot.hpp"
#include "program/lower.hpp"
#include "rank_counts.hpp"
#include "slow_planning.hpp"
#include "verbs.hpp"

namespace weft::cli {

namespace {

struct Explain {
    ProblemOptions problem;
    std::string ranks;
    std::optional<int> rank{};
    MachineOptions where;
    std::string plot;
    std::string csv;
    bool volume = false;
    bool program = false;
    bool backward = false;
    bool exposed = false;
    bool why = false;
    bool json = false;
    bool device_arrays = false;
};

void check_compares_plans(const Explain& options, const core::PlanRequest& request) {
    if (!options.rank && !options.program && !options.backward && !request.backward) return;
    core::bad_request(
        "--volume compares many plans, but --rank, --program and --backward show one plan; leave "
        "them out");
}

void check_shows_one(const Explain& options, const std::vector<int>& counts) {
    if (counts.size() <= 1 && options.csv.empty()) return;
    const std::string given = counts.size() > 1 ? fmt::format("--ranks {}", options.ranks)
                                                : fmt::format("--csv {}", options.csv);
    core::bad_request(fmt::format(
        "{}: only --volume takes several numbers of ranks and writes tables; add --volume", given));
}

int run(const Explain& options) {
    std::optional<SlowPlanning> slow;
    if (!options.json) slow.emplace();
    if (!options.plot.empty() && options.volume) series_moved("weft explain PROBLEM --volume");
    if (!options.plot.empty()) require_picture_name(options.plot);
    core::PlanRequest request = options.problem.request();
    const std::vector<int> counts = rank_counts(options.ranks, request, "");
    if (options.volume) {
        check_compares_plans(options, request);
        explain_volume(request, options.where.machine(request.choice.tuning),
                       {counts, options.csv, options.json});
        return 0;
    }
    check_shows_one(options, counts);
    const int ranks = counts.empty() ? 1 : counts.front();
    const core::Machine machine = options.where.machine(request.choice.tuning);
    const core::Arrays arrays = options.device_arrays ? core::Arrays::device : core::Arrays::host;
    core::Plan plan = plan_without_mpi(request, ranks, machine, arrays);
    const int rank = options.rank.value_or(0);
    if (rank < 0 || rank >= ranks) {
        core::bad_request(fmt::format("--rank {}: there are ranks 0 to {}", rank, ranks - 1));
    }
    if (options.backward && !request.backward) plan = core::reverse(plan);
    core::Environment environment = core::environment_on(plan, machine, arrays);
    environment.input_exposed = environment.output_exposed = options.exposed;
    if (!options.plot.empty()) draw_plan(options.plot, plan);
    Explained found{core::fuse(plan, environment),
                    plan,
                    {ranks, machine.ranks_per_node},
                    machine,
                    environment,
                    {},
                    options.rank};
    // Where even a few tiles have very many operations, pricing them would take long.
    if (!core::representative_ranks(found.plan).empty()) {
        found.price = core::price(found.plan, machine, arrays);
    }
    if (options.why) {
        found.why = core::why_text(plan, environment) + core::rules_text(plan, rank, environment);
    }
    if (options.program) {
        found.program = fmt::format("program of rank {}\n{}", rank,
                                    core::to_string(core::lower(plan, rank, environment)));
    }
    fmt::print("{}", options.json ? explain_json(found) : explain_text(found));
    return 0;
}

}  // namespace

Verb add_explain(CLI::App& app) {
    auto options = std::make_shared<Explain>();
    CLI::App* verb =
        app.add_subcommand("explain", "Show the plan of a problem; needs no MPI launch");
    options->problem.add_to(*verb);
    verb->add_option("--ranks", options->ranks,
                     "number of ranks (default: ranks= of the text, or 1)");
    verb->add_flag("--volume", options->volume,
                   "compare the bytes that decompositions send, for --ranks 2,4,8 (2,4,..,4096)");
    verb->add_option("--csv", options->csv, "with --volume: also write its numbers to this file");
    verb->add_option("--rank", options->rank, "also show this rank's boxes, peers and bytes");
    options->where.add_to(*verb);
    verb->add_flag("--device-arrays", options->device_arrays,
                   "for arrays that are memory of the plan's device");
    verb->add_flag("--exposed", options->exposed,
                   "for arrays that other ranks can access, as weft::allocate returns");
    verb->add_flag("--why", options->why,
                   "also print the carrier of each redistribution and the rule that lowers each "
                   "stage (on --rank, 0), and why better ones do not apply");
    verb->add_flag("--program", options->program, "also show the program of --rank (0)");
    verb->add_option("--plot", options->plot, "also draw the layouts, to this file, .svg");
    verb->add_flag("--backward", options->backward, "show the backward plan");
    verb->add_flag("--json", options->json, "print one JSON document");
    verb->footer("Example: weft explain r2c:f64:256x256x256 --ranks 4096 --rank 17");
    return {verb, [options] { return run(*options); }, [] { return false; }};
}

}  // namespace weft::cli
