#include "api/estimate.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "api/described_machine.hpp"
#include "api/transports.hpp"
#include "api/usable_engines.hpp"
#include "base/variables.hpp"
#include "exchange/via.hpp"
#include "fft/engine.hpp"
#include "model/default_plan.hpp"
#include "model/machine_file.hpp"
#include "net/agree.hpp"
#include "net/rank_in.hpp"
#include "plan/choice.hpp"
#include "tune/estimate.hpp"
#include "tune/methods.hpp"

namespace weft {

namespace {

/// Those that every MPI has; of others the model knows nothing more.
std::vector<std::string> usual_methods() {
    std::vector<std::string> names;
    for (const core::Method& method : core::methods()) {
        if (method.estimated) names.emplace_back(method.name);
    }
    return names;
}

/// The request with everything said.
core::PlanRequest completed(core::PlanRequest request, int ranks, const core::Means& means,
                            const core::Machine& machine) {
    request.choice.tuning = {};
    if (core::measures_engine(request.choice)) request.choice.engine.clear();
    request.choice = core::estimated_choice(request.problem, request.choice, ranks, means, machine);
    return request;
}

/// `engines`: that there are, where the model is to choose among them.
core::Means means_of(const core::PlanRequest& request, const core::Topology& nodes,
                     std::vector<std::string> vias, std::vector<std::string> engines,
                     const core::Machine& machine) {
    core::Means means;
    means.nodes = nodes;
    means.vias = std::move(vias);
    means.engines = core::measures_engine(request.choice) ? std::move(engines)
                                                          : std::vector{engine_of(request.choice)};
    means.described = machine;
    return means;
}

}  // namespace

core::Plan estimated_plan(const core::PlanRequest& request, int ranks,
                          const core::Machine& machine) {
    const core::Topology nodes(ranks, machine.ranks_per_node);
    const core::Means means =
        means_of(request, nodes, usual_methods(), usable_engines(request.choice), machine);
    return core::make_plan(completed(request, ranks, means, machine), ranks);
}

core::Machine assumed_machine(const std::string& name_or_path, int ranks_per_node) {
    const std::string named = name_or_path.empty() ? machine_of_environment() : name_or_path;
    core::Machine machine = named.empty() ? core::modest_machine() : described_machine(named);
    if (ranks_per_node == 0 && name_or_path.empty()) {
        ranks_per_node = core::ranks_per_node_of_environment();
    }
    if (ranks_per_node > 0) machine.ranks_per_node = ranks_per_node;
    return machine;
}

core::Plan plan_without_mpi(core::PlanRequest request, int ranks, const core::Machine& machine,
                            core::Arrays arrays) {
    if (core::estimates_for_machine(request.choice.tuning)) {
        return estimated_plan(request, ranks, machine);
    }
    request.choice.engine = engine_of(request.choice);
    return core::default_plan(request, ranks, machine, arrays);
}

core::Plan plan_without_mpi(const core::PlanRequest& request, int ranks) {
    return plan_without_mpi(request, ranks, assumed_machine(request.choice.tuning.machine));
}

core::Plan estimated_plan(MPI_Comm comm, const core::Topology& nodes,
                          const core::PlanRequest& request, const core::Machine& machine) {
    const std::vector<std::string> possible = methods_of_all(comm, request.choice);
    const std::vector<std::string> engines = engines_of_all(comm, request.choice);
    const int ranks = core::ranks_in(comm);
    const std::string text = core::told_by_first(comm, [&] {
        std::vector<std::string> vias = usual_methods();
        std::erase_if(vias, [&](const std::string& via) {
            return std::find(possible.begin(), possible.end(), via) == possible.end();
        });
        const core::Machine here = core::machine_of_nodes(machine, nodes, ranks);
        const core::Means means = means_of(request, nodes, std::move(vias), engines, here);
        return to_string(completed(request, ranks, means, here).choice);
    });
    core::Plan plan;
    core::all_or_none(comm,
                      [&] { plan = core::make_plan(request.problem, parse_choice(text), ranks); });
    return plan;
}

}  // namespace weft
