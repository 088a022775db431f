#include "tuning/problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "api/tune.hpp"
#include "exchange/via.hpp"
#include "measure/contender.hpp"
#include "measure/json.hpp"
#include "measure/quartiles.hpp"
#include "measure/race.hpp"
#include "net/agree.hpp"
#include "net/node_ranks.hpp"
#include "weft/error.hpp"
#include "weft/wisdom.hpp"

namespace weft::bench {

namespace {

std::string asked(const std::string& problem, const std::string& choice) {
    return fmt::format("{}; {}", problem, choice);
}

using cli::Json;

/// A plan that can run here, by all the names that came to it.
struct Runner {
    std::vector<std::string> names;
    std::unique_ptr<cli::Contender> contender;
};

/// Nothing where the plan cannot be made or bound, on all ranks.
std::optional<Runner> runner(const std::string& name, const std::string& text, MPI_Comm comm) {
    try {
        Runner one{{name}, cli::weft_contender(text, comm)};
        one.contender->clear();
        return one;
    } catch (const Error&) {
        return std::nullopt;
    }
}

/// The same plan is bound once: where arrays lie makes more of a difference than what is compared.
void add(Runner one, std::vector<Runner>& runners) {
    const std::string plan = one.contender->description().plan;
    for (Runner& other : runners) {
        if (other.contender->description().plan != plan) continue;
        other.names.push_back(one.names.front());
        return;
    }
    runners.push_back(std::move(one));
}

/// There and back, once.
double seconds(cli::Contender& contender, MPI_Comm comm) {
    return cli::seconds_of_slowest(comm, true, [&] { contender.run(false); }) +
           cli::seconds_of_slowest(comm, true, [&] { contender.run(true); });
}

/// Of the named methods those that are the fastest in a few runs: the text of each choice.
std::vector<std::string> promising_methods(const std::string& problem, bool one_node,
                                           MPI_Comm comm) {
    constexpr std::size_t kept = 3;
    constexpr int looks = 3;
    int ranks = 0;
    MPI_Comm_size(comm, &ranks);
    if (ranks == 1) return {"via=alltoallv"};  // All run the same.
    std::vector<std::pair<double, std::string>> all;
    for (const core::Method& method : core::methods()) {
        // The hosts of a virtual cluster have one kernel, by which it would go past the network.
        if (method.via.how().carries == core::Carries::node && !one_node) continue;
        const std::string choice = "via=" + std::string(method.name);
        const auto one = runner(choice, asked(problem, choice), comm);
        if (!one) continue;
        double least = seconds(*one->contender, comm);
        for (int look = 0; look < looks; ++look) {
            least = std::min(least, seconds(*one->contender, comm));
        }
        all.emplace_back(least, choice);
    }
    std::sort(all.begin(), all.end());
    std::vector<std::string> result;
    for (std::size_t i = 0; i < std::min(kept, all.size()); ++i) result.push_back(all[i].second);
    return result;
}

/// Runs all in turns, after rounds that are not counted. In each turn a plan runs once more before,
/// so that its arrays are as near as they are where transforms follow each other.
std::vector<std::vector<double>> turns(const std::vector<Runner>& runners, int repeat,
                                       MPI_Comm comm) {
    std::vector<std::vector<double>> times(runners.size());
    cli::Turns order(runners.size());
    constexpr int warm_up = 2;
    for (int round = 0; round < warm_up + repeat; ++round) {
        for (const std::size_t i : order.next()) {
            (void)seconds(*runners[i].contender, comm);
            const double once = seconds(*runners[i].contender, comm);
            if (round >= warm_up) times[i].push_back(once);
        }
    }
    return times;
}

Json planning_json(const std::string& problem, MPI_Comm comm) {
    constexpr Index most = Index{1} << 21;  // elements that FFTW plans in minutes
    const std::vector<Index> shape = parse_problem(problem).shape;
    if (std::accumulate(shape.begin(), shape.end(), Index{1}, std::multiplies<>()) > most) {
        return "not planned: that takes many minutes";
    }
    try {
        return cli::fftw_mpi_patient_seconds(parse_problem(problem), comm);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::not_available) throw;
        return error.what();
    }
}

}  // namespace

Json tuned_problem(const std::string& problem, const std::string& machine, int repeat,
                   MPI_Comm comm) {
    core::all_or_none(comm, [] { wisdom::forget(); });
    Tuning tuning;
    tuning.effort = TuningEffort::measure;
    tuning.machine = machine;
    const core::Topology nodes = core::NodeRanks(comm).topology(comm);
    core::all_or_none(comm, [] {});
    const double begin = MPI_Wtime();
    const TunedPlan found = tuned_plan(comm, nodes, parse_problem(problem), {}, tuning);
    Json json;
    json["problem"] = problem;
    json["tuning_s"] = MPI_Wtime() - begin;
    if (found.outcome) {
        json["evaluations"] = found.outcome->evaluations;
        json["known_choices"] = found.outcome->trials.size();
    }
    json["fftw_patient_s"] = planning_json(problem, comm);
    std::vector<Runner> runners;
    add(*runner("default", problem, comm), runners);
    if (found.outcome) {
        const core::Trial& start = found.outcome->trials[*found.outcome->start];
        json["start"] = weft::to_string(start.plan.choice);
    }
    const std::string start = core::told_by_first(
        comm, [&] { return json.contains("start") ? json["start"].get<std::string>() : ""; });
    if (!start.empty()) add(*runner("start", asked(problem, start), comm), runners);
    json["default"] = runners[0].contender->description().plan;
    const std::string choice = weft::to_string(found.plan.choice);
    add(*runner("tuned", asked(problem, choice), comm), runners);
    if (!machine.empty()) {
        const std::string estimate = fmt::format("tuning=estimate(machine:{})", machine);
        Runner one = *runner("calibrated", asked(problem, estimate), comm);
        json["calibrated"] = one.contender->description().plan;
        add(std::move(one), runners);
    }
    json["tuned"] = choice;
    for (const std::string& method : promising_methods(problem, nodes.one_node(), comm)) {
        add(*runner(method, asked(problem, method), comm), runners);
    }
    const auto times = turns(runners, repeat, comm);
    json["repeat"] = repeat;
    for (std::size_t i = 0; i < runners.size(); ++i) {
        for (const std::string& name : runners[i].names) {
            json["seconds"][name] = cli::json(cli::quartiles(times[i]));
        }
    }
    return json;
}

Json in_turns(const std::string& problem, const std::vector<std::string>& choices, int repeat,
              MPI_Comm comm) {
    std::vector<Runner> runners;
    Json json;
    json["problem"] = problem;
    json["repeat"] = repeat;
    json["choices"] = choices;
    std::vector<std::optional<std::size_t>> number;
    for (const std::string& choice : choices) {
        auto one = runner(choice, asked(problem, choice), comm);
        number.push_back(one ? std::optional(runners.size()) : std::nullopt);
        if (one) runners.push_back(std::move(*one));
    }
    const auto times = turns(runners, repeat, comm);
    for (const auto& place : number) {
        json["seconds"].push_back(place ? cli::json(cli::quartiles(times[*place])) : Json());
    }
    return json;
}

}  // namespace weft::bench
