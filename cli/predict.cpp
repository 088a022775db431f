// weft predict: what a transform takes on a machine, by ranks and decomposition, without MPI.
#include "model/predict.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "base/text.hpp"
#include "columns.hpp"
#include "fft/engine.hpp"
#include "machine_option.hpp"
#include "measure/files.hpp"
#include "measure/json.hpp"
#include "model/machine_file.hpp"
#include "model/space_choice.hpp"
#include "options.hpp"
#include "papers.hpp"
#include "plot/plan_plot.hpp"
#include "rank_counts.hpp"
#include "slow_planning.hpp"
#include "verbs.hpp"

namespace weft::cli {

namespace {

struct Predict {
    ProblemOptions problem;
    MachineOptions where;
    std::string ranks;
    std::string csv;
    std::string plot;
    bool json = false;
    bool device_arrays = false;
    bool show_machine = false;
};

Json json_of(const core::Prediction& row) {
    Json stages = Json::array();
    for (const core::StagePrice& stage : row.price.stages) {
        stages.push_back({{"work", stage.work}, {"exchange", stage.exchange}, {"hop", stage.hop}});
    }
    Json json = {{"ranks", row.ranks},
                 {"name", row.name},
                 {"grid", row.grid},
                 {"decomposition", row.decomposition},
                 {"shrink", row.shrink},
                 {"seconds", row.seconds()},
                 {"work", row.price.work()},
                 {"exchange", row.price.exchange()},
                 {"hop", row.price.hop()},
                 {"space", row.placements.text()},
                 {"even_exchange", row.even_exchange},
                 {"messages", row.price.messages},
                 {"bytes", row.price.bytes},
                 {"fastest", row.fastest},
                 {"stages", stages}};
    json["bandwidth"] = row.bandwidth ? Json(*row.bandwidth) : Json(nullptr);
    return json;
}

std::string json_text(const core::PlanRequest& request, const core::Machine& machine,
                      const std::vector<core::Prediction>& rows) {
    const core::Verdict verdict = core::verdict(rows);
    Json all = {{"verdict", verdict.fastest},
                {"fewer_ranks", verdict.fewer},
                {"problem", weft::to_string(request.problem)},
                {"choice", weft::to_string(request.choice)},
                {"machine", Json::parse(core::to_json(machine))},
                {"predictions", Json::array()}};
    for (const core::Prediction& row : rows) all["predictions"].push_back(json_of(row));
    return all.dump(1) + "\n";
}

int run(const Predict& options) {
    std::optional<SlowPlanning> slow;
    if (!options.json) slow.emplace();
    if (!options.plot.empty()) series_moved("weft predict PROBLEM");
    const core::Machine machine = options.where.machine();
    if (options.show_machine) {
        fmt::print("{}", core::to_json(machine));
        return 0;
    }
    const core::PlanRequest request = options.problem.request();
    if (request.backward) {
        core::bad_request("the text says backward: predictions are of the forward direction");
    }
    const std::vector<int> counts = rank_counts(options.ranks, request, "2..131072");
    // As weft explain plans it.
    Choice choice = request.choice;
    choice.engine = core::resolve_engine(choice.engine, core::Placements(choice).first().device);
    const std::vector<core::Prediction> rows =
        core::predict(request.problem, choice, counts, machine,
                      options.device_arrays ? core::Arrays::device : core::Arrays::host);
    if (!options.csv.empty()) write_file(options.csv, core::prediction_csv(rows));
    if (options.json) {
        fmt::print("{}", json_text(request, machine, rows));
        return 0;
    }
    const core::Verdict verdict = core::verdict(rows);
    std::string said = verdict_text(verdict.fastest);
    if (!verdict.fewer.empty()) said += fmt::format("shrink     {}\n", wrapped(verdict.fewer, 11));
    const std::string table = core::prediction_table(rows);
    const std::string keys = paper_keys(machine.summary);
    fmt::print("{}machine    {}: {}\nproblem    {}\n{}\n{}{}{}", said, machine.name,
               machine.summary, weft::to_string(request.problem),
               core::open_space_text(request.choice, machine), table, keys.empty() ? "" : "\n",
               keys);
    return 0;
}

}  // namespace

Verb add_predict(CLI::App& app) {
    auto options = std::make_shared<Predict>();
    CLI::App* verb = app.add_subcommand("predict",
                                        "Predict the time of a transform on a machine, by ranks "
                                        "and decomposition; needs no MPI launch");
    options->problem.add_to(*verb);
    options->where.add_to(*verb);
    verb->add_option("--ranks", options->ranks,
                     "numbers of ranks, as 2,4,8 or doubling, as 6..3072 (2..131072)");
    verb->add_option("--csv", options->csv, "also write the numbers to this file");
    verb->add_option("--plot", options->plot)->group("");  // only to say what draws
    verb->add_flag("--device-arrays", options->device_arrays,
                   "the caller's arrays are memory of the device that --space names");
    verb->add_flag("--json", options->json,
                   "print JSON, with the machine and every stage; python3 -m weft.plot draws it");
    verb->add_flag(
        "--show-machine", options->show_machine,
        "only print the machine's description; a changed copy can be given as --machine FILE");
    verb->footer("Example: weft predict 512x512x512 --machine summit --ranks 6..3072");
    return {verb, [options] { return run(*options); }, [] { return false; }};
}

}  // namespace weft::cli
