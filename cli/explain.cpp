// weft explain: the plan of a problem, for any number of ranks, without MPI.
#include "plan/explain.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "base/text.hpp"
#include "fft/engine.hpp"
#include "options.hpp"
#include "plot/plan_plot.hpp"
#include "program/lower.hpp"
#include "run/binding.hpp"
#include "verbs.hpp"
#include "weft/error.hpp"

namespace weft::cli {

namespace {

struct Explain {
    ProblemOptions problem;
    int ranks = 0;
    int rank = -1;
    std::string plot;
    bool program = false;
    bool backward = false;
};

/// The largest workspace; of all ranks, or of the first and last where there are many.
std::string workspace_text(const core::Plan& plan) {
    const int all = plan.ranks <= 4096 ? 256 : 8;
    Index largest = 0;
    for (int rank = 0; rank < plan.ranks; ++rank) {
        if (plan.ranks > all && rank >= all / 2 && rank < plan.ranks - all / 2) continue;
        largest = std::max(largest, core::Programs(plan, rank).workspace_bytes());
    }
    return fmt::format("workspace  at most {} bytes on a rank\n", largest);
}

void write_file(const std::string& path, const std::string& text) {
    std::FILE* file = std::fopen(path.c_str(), "w");
    bool written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    if (file != nullptr) written = std::fclose(file) == 0 && written;
    if (written) return;
    throw Error(ErrorCode::system, fmt::format("'{}' could not be written: {}", path,
                                               std::generic_category().message(errno)));
}

int run(const Explain& options) {
    core::PlanRequest request = options.problem.request();
    if (options.ranks != 0 && request.ranks != 0 && options.ranks != request.ranks) {
        core::bad_request(
            fmt::format("--ranks {}: the text says ranks={}", options.ranks, request.ranks));
    }
    const int ranks = options.ranks != 0 ? options.ranks : std::max(request.ranks, 1);
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
    verb->add_option("--rank", options->rank, "also show this rank's boxes, peers and bytes");
    verb->add_flag("--program", options->program, "also show the program of --rank (0)");
    verb->add_option("--plot", options->plot, "also draw the layouts, to this SVG file");
    verb->add_flag("--backward", options->backward, "show the backward plan");
    verb->footer("Example: weft explain r2c:f64:256x256x256 --ranks 4096 --rank 17");
    return {verb, [options] { return run(*options); }, [] { return false; }};
}

}  // namespace weft::cli
