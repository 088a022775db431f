#include "weft/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>

#include "api/default_space.hpp"
#include "api/described_machine.hpp"
#include "api/device_here.hpp"
#include "api/estimate.hpp"
#include "api/fastest.hpp"
#include "api/state.hpp"
#include "api/transports.hpp"
#include "api/tune.hpp"
#include "base/index.hpp"
#include "base/text.hpp"
#include "base/variables.hpp"
#include "device/devices.hpp"
#include "model/default_plan.hpp"
#include "net/agree.hpp"
#include "net/mpi.hpp"
#include "net/node_ranks.hpp"
#include "net/rank_in.hpp"
#include "plan/choice.hpp"
#include "plan/explain.hpp"
#include "plan/fuse.hpp"
#include "plan/placement.hpp"
#include "program/lower.hpp"
#include "tune/methods.hpp"

namespace weft {

using core::bad_request;

namespace {

/// Where a plan is computed that does not say it, as WEFT_SPACE says.
void set_default_space(Choice& choice) {
    const std::optional<Space> space = default_space();
    if (space && choice.space == Space{}) choice.space = *space;
}

/// Collective: measures what the choice leaves to that, or tunes. The request has the choice's
/// defaults for what is to be measured.
void improve(Plan::State& state, const core::Topology& nodes, core::PlanRequest& request,
             const Choice& choice, const Tuning& tuning) {
    const MPI_Comm comm = state.comm;
    const bool estimates = core::estimates_for_machine(tuning) && !core::is_measured(choice);
    if (core::needs_ranks(tuning) || estimates) {
        core::all_or_none(comm, [&] {
            if (core::measures_engine(choice)) request.choice.engine = choice.engine;
        });
        TunedPlan tuned = tuned_plan(comm, nodes, state.plan.problem, request.choice, tuning);
        core::all_or_none(comm, [&] {
            // Whoever only wants the plan has nowhere else to look.
            for (const std::string& trouble : tuned.troubles) {
                if (state.rank == 0) std::fprintf(stderr, "weft: %s\n", trouble.c_str());
            }
            state.plan = std::move(tuned.plan);
        });
    } else if (core::measures_engine(choice) || core::is_measured(choice)) {
        if (core::measures_engine(choice)) {
            state.plan = with_fastest_engine(state, nodes, choice, tuning.plain_arrays);
        }
        if (core::is_measured(choice)) {
            state.plan = with_fastest_methods(state, nodes, choice, tuning.plain_arrays);
        }
    } else {
        return;
    }
    core::all_or_none(comm, [&] { state.environment = core::environment_of(state.plan, nodes); });
}

/// What ranks agree on before they plan.
struct Start {
    std::shared_ptr<core::CommPool> pool;
    int most_of_node = 0;        ///< WEFT_RANKS_PER_NODE of rank 0; 0: not set
    bool names_machine = false;  ///< rank 0 has WEFT_MACHINE
};

/// Collective, in one reduction where the communicator is known already. Throws unless all ranks
/// ask for the same.
Start agreed_start(MPI_Comm of_caller, core::FunctionRef<std::string()> asked) {
    core::require_mpi(of_caller);
    core::PoolPlace place;
    core::Numbers of_first{};
    const auto look = [&] {
        const int most = core::ranks_per_node_of_environment();
        if (core::rank_in(of_caller) == 0)
            of_first = {most, machine_of_environment().empty() ? 0 : 1};
        place = core::pool_place(of_caller);
        return asked();
    };
    core::require_same(of_caller, "the problem", look, of_first);
    return {core::pool_of(of_caller, place), static_cast<int>(of_first[0]), of_first[1] != 0};
}

/// What a rank understands of what is asked for.
struct Wanted {
    core::PlanRequest request;  ///< with the choice's defaults for what is to be measured
    Choice choice;              ///< without tuning
    Tuning tuning;
};

Wanted wanted_of(core::PlanRequest request) {
    core::validate(request.choice.tuning);
    set_default_space(request.choice);
    Choice choice = request.choice;
    Tuning tuning = std::exchange(choice.tuning, {});
    request.choice = core::unmeasured(choice);
    return {std::move(request), std::move(choice), std::move(tuning)};
}

/// Collective: every rank plans by itself, and all make sure that they have the same plan.
/// `asked` is the text of what is asked for; `understood` says what that is, given the number of
/// ranks.
std::shared_ptr<const Plan::State> plan_collectively(
    MPI_Comm of_caller, core::FunctionRef<std::string()> asked,
    core::FunctionRef<core::PlanRequest(int)> understood) {
    const Start start = agreed_start(of_caller, asked);
    const MPI_Comm comm = core::base_comm(*start.pool);
    std::shared_ptr<Plan::State> state;
    std::optional<Wanted> wanted;
    Index memory = 0;
    const int ranks = core::ranks_in(comm);
    const int rank = core::rank_in(comm);
    const core::Topology on_one;
    const core::Topology& nodes =
        ranks > 1 ? *core::known_nodes(*start.pool, start.most_of_node).topology : on_one;
    const auto understand = [&] {
        core::check_variables();
        wanted = wanted_of(understood(ranks));
        const core::Placements placements(wanted->choice);
        if (ranks > 1 && placements.mixed()) {
            core::set_place_among_devices(placements.place_among_devices(nodes, rank));
        }
        return "space=" + to_string(wanted->choice.space);
    };
    std::optional<core::Machine> described;
    if (start.names_machine) {
        described = described_machine(comm, "");
        core::require_same(comm, "the space", understand);
        leave_out_absent_devices(comm, wanted->choice, *described);
    }
    const auto planned = [&] {
        if (!wanted) understand();
        auto& [request, choice, tuning] = *wanted;
        if (const core::Placements placements(choice); placements.open_memory()) {
            if (memory == 0) return "space=" + to_string(choice.space);
            placements.bounding(memory).say_in(choice);
            placements.bounding(memory).say_in(request.choice);
        }
        state = std::make_shared<Plan::State>();
        state->plan =
            plan_without_mpi(request, ranks, core::machine_of_nodes(described, nodes, ranks));
        require_transports(state->plan);
        state->pool = start.pool;
        state->comm = comm;
        state->rank = rank;
        state->falls_back_to_messages = (choice.via.empty() || choice.via == core::measured_via) &&
                                        choice.via_of_redistribution.empty();
        state->environment = core::environment_of(state->plan, nodes);
        return core::to_string(state->plan);
    };
    core::require_same(comm, "the plan", planned);
    // There is none yet where all ranks have to ask their devices first.
    if (state == nullptr) {
        memory = free_device_memory(comm, *core::known_nodes(*start.pool, 0).ranks, wanted->choice);
        core::require_same(comm, "the plan", planned);
    }
    improve(*state, nodes, wanted->request, wanted->choice, wanted->tuning);
    return state;
}

std::string asked_text(const Problem& problem, const Choice& choice) {
    std::string text = to_string(problem);
    if (choice != Choice{}) text += "; " + to_string(choice);
    return text;
}

}  // namespace

Plan::Plan(std::shared_ptr<const State> state) : state_(std::move(state)) {}

Plan::Plan(const Problem& problem, MPI_Comm comm, const Choice& choice)
    : state_(plan_collectively(
          comm, [&] { return asked_text(problem, choice); },
          [&](int ranks) {
              return core::PlanRequest{problem, choice, ranks, false};
          })) {}

Plan Plan::for_ranks(int ranks, const Problem& problem, const Choice& choice) {
    auto state = std::make_shared<State>();
    state->plan = plan_without_mpi({problem, choice, ranks, false}, ranks);
    state->environment = core::environment_of(state->plan, core::assumed_topology(ranks));
    return Plan(std::move(state));
}

Plan Plan::parse(std::string_view text, MPI_Comm comm) {
    const auto understood = [&](int ranks) {
        core::PlanRequest request = core::parse_plan_request(text);
        if (request.backward) {
            bad_request("the text is of a backward plan; bind the forward plan and call backward");
        }
        if (request.ranks != 0 && request.ranks != ranks) {
            bad_request(fmt::format("the text is of a plan for {} ranks, the communicator has {}",
                                    request.ranks, ranks));
        }
        return request;
    };
    return Plan(plan_collectively(
        comm, [&] { return std::string(text); }, understood));
}

Plan Plan::for_ranks(int ranks, std::string_view text) {
    const core::PlanRequest request = core::parse_plan_request(text);
    auto state = std::make_shared<State>();
    if (ranks != 0 && request.ranks != 0 && ranks != request.ranks) {
        bad_request(fmt::format("{} ranks are asked for, but the text is of a plan for {}", ranks,
                                request.ranks));
    }
    const int count = ranks != 0 ? ranks : std::max(request.ranks, 1);
    state->plan = plan_without_mpi(request, count);
    state->environment = core::environment_of(state->plan, core::assumed_topology(count));
    return Plan(std::move(state));
}

const Problem& Plan::problem() const { return state_->plan.problem; }
const Choice& Plan::choice() const { return state_->plan.choice; }
int Plan::ranks() const { return state_->plan.ranks; }
int Plan::rank() const { return state_->rank; }

namespace {

const core::Layout& end_of(const core::Plan& plan, bool output) {
    return output ? plan.at.back() : plan.at.front();
}

void check_rank(const core::Plan& plan, int rank) {
    if (rank < 0 || rank >= plan.ranks) {
        bad_request(fmt::format("rank {}: the plan has ranks 0 to {}", rank, plan.ranks - 1));
    }
}

std::vector<Box> boxes(const core::Plan& plan, bool output, int rank) {
    check_rank(plan, rank);
    return end_of(plan, output).where.boxes(rank);
}

/// The box of that number; box 0 of a rank that owns nothing has no elements, and strides as if an
/// axis without any had one.
core::StoredBox stored_box(const core::Plan& plan, bool output, int rank, int box) {
    check_rank(plan, rank);
    const core::Layout& layout = end_of(plan, output);
    const std::vector<core::StoredBox> all = layout.stored(rank);
    if (all.empty() && box == 0) {
        const Box place = layout.where.place(rank);
        Box filled = place;
        for (std::size_t a = 0; a < filled.lo.size(); ++a) {
            filled.hi[a] = std::max(filled.hi[a], filled.lo[a] + 1);
        }
        return {place, 0, core::strides(layout.format, filled)};
    }
    if (box < 0 || box >= static_cast<int>(all.size())) {
        bad_request(fmt::format("box {} of rank {}, which owns {}", box, rank, all.size()));
    }
    return all[core::usize(box)];
}

Index size(const core::Plan& plan, bool output, int rank) {
    check_rank(plan, rank);
    const core::Layout& layout = end_of(plan, output);
    if (!plan.problem.in_place) return layout.span(rank);
    const Index bytes = std::max(layout.bytes(rank), end_of(plan, !output).bytes(rank));
    return (bytes + layout.scalar.bytes() - 1) / layout.scalar.bytes();
}

}  // namespace

std::vector<Box> Plan::in_boxes(int rank) const { return boxes(state_->plan, false, rank); }
std::vector<Box> Plan::out_boxes(int rank) const { return boxes(state_->plan, true, rank); }
Box Plan::in_box(int rank, int box) const { return stored_box(state_->plan, false, rank, box).box; }
Box Plan::out_box(int rank, int box) const { return stored_box(state_->plan, true, rank, box).box; }
std::vector<int> Plan::in_order() const { return state_->plan.at.front().format.order; }
std::vector<int> Plan::out_order() const { return state_->plan.at.back().format.order; }
std::vector<Index> Plan::in_strides(int rank, int box) const {
    return stored_box(state_->plan, false, rank, box).strides;
}
std::vector<Index> Plan::out_strides(int rank, int box) const {
    return stored_box(state_->plan, true, rank, box).strides;
}
Index Plan::in_offset(int rank, int box) const {
    return stored_box(state_->plan, false, rank, box).offset;
}
Index Plan::out_offset(int rank, int box) const {
    return stored_box(state_->plan, true, rank, box).offset;
}
Index Plan::in_size(int rank) const { return size(state_->plan, false, rank); }
Index Plan::out_size(int rank) const { return size(state_->plan, true, rank); }

Index Plan::workspace_bytes(int rank) const {
    check_rank(state_->plan, rank);
    return state_->memory(rank).workspace_bytes;
}

Index Plan::region_bytes(int rank) const {
    check_rank(state_->plan, rank);
    return state_->memory(rank).all_region_bytes();
}

std::string Plan::text() const { return core::to_string(state_->plan); }
std::string Plan::explain() const {
    const core::Environment& environment = state_->environment;
    return core::explain(core::fuse(state_->plan, environment), {}, environment.nodes);
}

}  // namespace weft
