// weft explain: the plan of a problem, for any number of ranks, without MPI.
#include "plan/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/text.hpp"
#include "explain_volume.hpp"
#include "fft/engine.hpp"
#include "measure/files.hpp"
#include "options.hpp"
#include "plot/plan_plot.hpp"
#include "program/lower.hpp"
#include "run/binding.hpp"
#include "verbs.hpp"

namespace weft::cli {

namespace {

struct Explain {
    ProblemOptions problem;
    std::string ranks;
    int rank = -1;
    std::string plot;
    std::string csv;
    bool volume = false;
    bool program = false;
    bool backward = false;
};

/// The largest workspace; of all ranks, or of the first and last where there are many.
std::string workspace_text(const core::Plan& plan) {
    const int all = plan.ranks <= 4096 ? 256 : 8;
    Index largest = 0;
    Index windows = 0;
    for (int rank = 0; rank < plan.ranks; ++rank) {
        if (plan.ranks > all && rank >= all / 2 && rank < plan.ranks - all / 2) continue;
        const core::Programs programs(plan, rank);
        largest = std::max(largest, programs.workspace_bytes());
        windows = std::max(windows, core::total(programs.window_bytes()));
    }
    std::string text = fmt::format("workspace  at most {} bytes on a rank\n", largest);
    if (windows > 0) text += fmt::format("windows    at most {} bytes on a rank\n", windows);
    return text;
}

/// What --ranks lists, or what the text says.
std::vector<int> rank_counts(const std::string& option, const core::PlanRequest& request) {
    std::vector<int> counts;
    if (option.empty() && request.ranks != 0) counts = {request.ranks};
    for (const std::string& count : core::split(option, ',')) {
        if (!option.empty()) counts.push_back(core::parse_int(count, "--ranks"));
    }
    if (request.ranks != 0 && counts != std::vector<int>{request.ranks}) {
        core::bad_request(fmt::format("--ranks {}: the text says ranks={}", option, request.ranks));
    }
    return counts;
}

int run(const Explain& options) {
    core::PlanRequest request = options.problem.request();
    const std::vector<int> counts = rank_counts(options.ranks, request);
    if (options.volume) {
        if (options.rank >= 0 || options.program || options.backward || request.backward) {
            core::bad_request(
                "--volume compares many plans; --rank, --program and --backward show one");
        }
        explain_volume(request, {counts, options.plot, options.csv});
        return 0;
    }
    if (counts.size() > 1 || !options.csv.empty()) {
        core::bad_request(
            fmt::format("--ranks {}, --csv '{}': several numbers of ranks, and tables, "
                        "are for --volume",
                        options.ranks, options.csv));
    }
    const int ranks = counts.empty() ? 1 : counts.front();
    request.choice.engine = core::resolve_engine(request.choice.engine);
    core::Plan plan = core::make_plan(request.problem, request.choice, ranks);
    if (options.rank >= ranks || options.rank < -1) {
        core::bad_request(
            fmt::format("--rank {}: there are ranks 0 to {}", options.rank, ranks - 1));
    }
    if (request.backward || options.backward) plan = core::reverse(plan);
    if (!options.plot.empty()) write_file(options.plot, plan_picture(plan));
    fmt::print("{}{}", core::explain(plan, options.rank), workspace_text(plan));
    if (options.rank >= 0) {
        fmt::print("           rank {}: {} bytes\n", options.rank,
                   core::Programs(plan, options.rank).workspace_bytes());
    }
    if (options.program) {
        const int rank = std::max(options.rank, 0);
        fmt::print("program of rank {}\n{}", rank, core::to_string(core::lower(plan, rank)));
    }
    return 0;
}

}  // namespace

Verb add_explain(CLI::App& app) {
    auto options = std::make_shared<Explain>();
    CLI::App* verb =
        app.add_subcommand("explain", "Show the plan of a problem; needs no MPI launch");
    options->problem.add_to(*verb);
    verb->add_option("--ranks", options->ranks, "number of ranks (1, or what the text says)");
    verb->add_flag("--volume", options->volume,
                   "compare what decompositions move, for --ranks 2,4,8 (2,4,..,4096)");
    verb->add_option("--csv", options->csv, "with --volume: also write its numbers to this file");
    verb->add_option("--rank", options->rank, "also show this rank's boxes, peers and bytes");
    verb->add_flag("--program", options->program, "also show the program of --rank (0)");
    verb->add_option(
        "--plot", options->plot,
        "also draw the layouts (with --volume: bytes against ranks), to this SVG file");
    verb->add_flag("--backward", options->backward, "show the backward plan");
    verb->footer("Example: weft explain r2c:f64:256x256x256 --ranks 4096 --rank 17");
    return {verb, [options] { return run(*options); }, [] { return false; }};
}

}  // namespace weft::cli
