// weft plan: the text of weft's plan on a machine, to be pasted into a program.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "api/estimate.hpp"
#include "base/text.hpp"
#include "machine_option.hpp"
#include "options.hpp"
#include "slow_planning.hpp"
#include "verbs.hpp"

namespace weft::cli {

namespace {

struct PlanVerb {
    ProblemOptions problem;
    MachineOptions where;
    int ranks = 0;
    bool choice = false;
};

int run(const PlanVerb& options) {
    const SlowPlanning slow;
    const core::PlanRequest request = options.problem.request();
    if (request.backward) {
        core::bad_request(
            "the text says backward; leave it out: programs bind the forward plan and call "
            "backward");
    }
    if (options.ranks != 0 && request.ranks != 0 && options.ranks != request.ranks) {
        core::bad_request(
            fmt::format("--ranks {}: the text says ranks={}", options.ranks, request.ranks));
    }
    const int ranks = options.ranks != 0 ? options.ranks : request.ranks;
    if (ranks == 0) core::bad_request("a plan needs the number of ranks; give --ranks");
    const core::Plan plan =
        plan_without_mpi(request, ranks, options.where.machine(request.choice.tuning));
    fmt::print("{}\n", options.choice ? weft::to_string(plan.choice) : core::to_string(plan));
    return 0;
}

}  // namespace

Verb add_plan(CLI::App& app) {
    auto options = std::make_shared<PlanVerb>();
    CLI::App* verb = app.add_subcommand(
        "plan", "Print the text of weft's plan on a machine, for a program; needs no MPI launch");
    options->problem.add_to(*verb);
    verb->add_option("--ranks", options->ranks, "number of ranks (default: ranks= of the text)");
    options->where.add_to(*verb);
    verb->add_flag("--choice", options->choice, "print the choice alone, without the problem");
    verb->footer("Example: weft plan 512x512x512 --ranks 1024 --machine summit");
    return {verb, [options] { return run(*options); }, [] { return false; }};
}

}  // namespace weft::cli
