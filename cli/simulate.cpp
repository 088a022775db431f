// weft simulate: the programs of all ranks on an event clock, without MPI and without data.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>

#include "api/estimate.hpp"
#include "base/text.hpp"
#include "clock/simulated.hpp"
#include "machine_option.hpp"
#include "measure/files.hpp"
#include "measure/json.hpp"
#include "model/machine_file.hpp"
#include "model/predict.hpp"
#include "options.hpp"
#include "rank_counts.hpp"
#include "verbs.hpp"

namespace weft::cli {

namespace {

struct Simulate {
    ProblemOptions problem;
    MachineOptions where;
    std::string ranks;
    std::string calls = "machine";
    std::string trace;
    int traced = 16;
    bool json = false;
    bool backward = false;
    bool every_rank = false;
    bool device_arrays = false;
};

/// A plan on so many ranks, simulated and predicted.
struct Simulated {
    core::Plan plan;
    core::ClockedRun simulation;
    double predicted = 0;
    double took = 0;  ///< seconds of the simulation itself
};

core::CallsOf calls_of(const std::string& name) {
    for (const auto& [each, calls] : core::names_of_calls) {
        if (each == name) return calls;
    }
    core::bad_request(fmt::format("--calls {}: there are machine, openmpi and mpich", name));
}

Simulated simulated(const Simulate& options, const core::PlanRequest& request, int ranks,
                    const core::Machine& machine) {
    const auto begin = std::chrono::steady_clock::now();
    const core::Arrays arrays = options.device_arrays ? core::Arrays::device : core::Arrays::host;
    core::Plan plan = plan_without_mpi(request, ranks, machine, arrays);
    if (options.backward && !request.backward) plan = core::reverse(plan);
    core::SimulationOptions how{calls_of(options.calls), arrays, !options.every_rank};
    if (!options.trace.empty()) how.traced = options.traced;
    Simulated result{plan, core::simulated(plan, machine, how)};
    result.predicted = core::price(plan, machine, arrays).seconds();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    result.took = took.count();
    return result;
}

Json json_of(const std::vector<core::StagePrice>& stages) {
    Json result = Json::array();
    for (const core::StagePrice& stage : stages) {
        result.push_back({{"work", stage.work}, {"exchange", stage.exchange}, {"hop", stage.hop}});
    }
    return result;
}

Json json_of(const Simulated& one) {
    const core::ClockedRun& simulation = one.simulation;
    return {{"ranks", one.plan.ranks},
            {"plan", core::to_string(one.plan)},
            {"simulated_s", simulation.seconds},
            {"mean_s", simulation.mean},
            {"predicted_s", one.predicted},
            {"stages", json_of(simulation.average)},
            {"slowest_stages", json_of(simulation.slowest)},
            {"messages", simulation.messages},
            {"bytes", simulation.bytes},
            {"ranks_run", simulation.classes},
            {"programs", simulation.programs},
            {"events", simulation.events},
            {"took_s", one.took}};
}

std::string row_of(const Simulated& one) {
    double work = 0;
    double exchange = 0;
    for (const core::StagePrice& stage : one.simulation.average) {
        work += stage.work + stage.hop;
        exchange += stage.exchange;
    }
    return fmt::format("{:7d} {:>12} {:>12} {:>10} {:>10} {:>9d} {:>9.1f}  {}\n", one.plan.ranks,
                       core::milliseconds_text(one.simulation.seconds),
                       core::milliseconds_text(one.predicted), core::milliseconds_text(work),
                       core::milliseconds_text(exchange), one.simulation.classes, one.took,
                       weft::to_string(one.plan.choice.decomposition));
}

int run(const Simulate& options) {
    const core::PlanRequest request = options.problem.request();
    const core::Machine machine = options.where.machine(request.choice.tuning);
    const std::vector<int> counts = rank_counts(options.ranks, request, "64");
    if (!options.trace.empty() && counts.size() > 1) {
        core::bad_request(fmt::format(
            "--ranks {}: --trace writes one run; give one number of ranks", options.ranks));
    }
    Json all = Json::array();
    if (!options.json) {
        fmt::print(
            "machine    {}: {}\nproblem    {}\n\n{:>7} {:>12} {:>12} {:>10} {:>10} {:>9} {:>9}  "
            "{}\n",
            machine.name, machine.summary, weft::to_string(request.problem), "ranks",
            "simulated ms", "predicted ms", "work", "exchange", "ranks run", "took s",
            "decomposition");
    }
    for (const int ranks : counts) {
        const Simulated one = simulated(options, request, ranks, machine);
        if (!options.trace.empty()) {
            write_file(options.trace, core::chrome_trace(one.plan, one.simulation));
        }
        if (options.json) {
            all.push_back(json_of(one));
        } else {
            fmt::print("{}", row_of(one));
            std::fflush(stdout);
        }
    }
    if (options.json) {
        const Json result = {{"problem", weft::to_string(request.problem)},
                             {"choice", weft::to_string(request.choice)},
                             {"calls", options.calls},
                             {"machine", Json::parse(core::to_json(machine))},
                             {"simulations", all}};
        fmt::print("{}\n", result.dump(1));
    }
    return 0;
}

}  // namespace

Verb add_simulate(CLI::App& app) {
    auto options = std::make_shared<Simulate>();
    CLI::App* verb = app.add_subcommand(
        "simulate",
        "Run the programs of all ranks on an event clock, without data; needs no MPI launch");
    options->problem.add_to(*verb);
    options->where.add_to(*verb);
    verb->add_option(
        "--ranks", options->ranks,
        "numbers of ranks, as 2,4,8 or doubling, as 16..4096 (ranks= of the text, or 64)");
    verb->add_option("--calls", options->calls,
                     "algorithms of MPI's collective calls: machine (collective_batch of its "
                     "description), openmpi or mpich");
    verb->add_option("--trace", options->trace,
                     "also write the operations of some ranks to this file, for chrome://tracing");
    verb->add_option("--traced", options->traced, "ranks in the file of --trace (16)");
    verb->add_flag("--every-rank", options->every_rank,
                   "run ranks that are alike as well, instead of one of them");
    verb->add_flag("--backward", options->backward, "simulate the backward transform");
    verb->add_flag("--device-arrays", options->device_arrays,
                   "the caller's arrays are memory of the device that --space names");
    verb->add_flag("--json", options->json,
                   "print JSON, with every stage; python3 -m weft.plot draws it");
    verb->footer("Example: weft simulate 256x256x256 --ranks 64..4096 --machine summit");
    return {verb, [options] { return run(*options); }, [] { return false; }};
}

}  // namespace weft::cli
