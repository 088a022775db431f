#include "property/random_problem.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "exchange/via.hpp"
#include "model/default_plan.hpp"
#include "plan/wire.hpp"
#include "unit/easy_machine.hpp"
#include "verify/random_case.hpp"
#include "weft/error.hpp"

namespace weft::core::test {

namespace {

std::vector<int> permutation(Random& random, int count) {
    std::vector<int> result(static_cast<std::size_t>(count));
    std::iota(result.begin(), result.end(), 0);
    random.shuffle(result);
    return result;
}

/// Any methods, packing and tiles.
void add_methods(Random& random, const Problem& problem, Choice& choice) {
    if (!random.once_in(3)) choice.via = random_via(random);
    if (random.once_in(3)) {
        choice.via_of_redistribution[static_cast<int>(random.between(0, 1))] = random_via(random);
    }
    if (random.once_in(2)) {
        choice.pack = random.pick<Pack>(
            {Pack::sender, Pack::receiver, Pack::datatype, Pack::fft, Pack::fused});
    }
    if (random.once_in(2)) choice.tile = random_tiling(random, problem);
}

/// A few random states; whether they transform every axis is left to the planner to find out.
std::vector<std::vector<int>> random_path(Random& random, const Problem& problem,
                                          std::optional<std::size_t> factors) {
    const int dims = static_cast<int>(problem.shape.size());
    std::vector<std::vector<int>> path(static_cast<std::size_t>(random.between(0, 4)));
    for (auto& state : path) {
        state = permutation(random, dims);
        if (!factors) continue;  // rows: an order of the dimensions
        if (problem.batch > 1) {
            state.push_back(Decomposition::batch_axis);
            random.shuffle(state);
        }
        state.resize(*factors);
        if (factors == 2 && random.once_in(8)) state[1] = state[0];
    }
    return path;
}

Decomposition random_decomposition(Random& random, const Problem& problem, int ranks) {
    Decomposition result;
    if (random.once_in(3)) return result;
    result.row_wise = random.once_in(4);
    result.least_volume = !result.row_wise && random.once_in(8);
    if (result.row_wise && random.once_in(2)) result.path = random_path(random, problem, {});
    if (result.row_wise || result.least_volume) return result;
    const int dims = static_cast<int>(problem.shape.size());
    const int axes = dims == 1 && problem.batch > 1 ? 2 : dims;
    result.cuts = static_cast<int>(random.between(0, std::min(axes - 1, 4)));
    if (*result.cuts != 0 && random.once_in(3)) return result;
    if (*result.cuts != 0) {
        result.grid = random.pick(ordered_factorizations(ranks, *result.cuts, 1));
    }
    if (random.once_in(2)) result.path = random_path(random, problem, result.grid.size());
    return result;
}

}  // namespace

std::string to_string(const Case& drawn) {
    return weft::to_string(drawn.problem) + "; ranks=" + std::to_string(drawn.ranks) + "; " +
           weft::to_string(drawn.choice);
}

Case random_case(Random& random, Index most_elements) {
    static const std::vector<int> counts = {1, 2, 2, 3, 4, 4, 5, 6, 7, 8, 9, 12, 16, 24, 64};
    Case result;
    result.ranks = random.pick(counts);
    result.problem = random_problem(random, result.ranks, most_elements);
    Choice& choice = result.choice;
    const bool shrinks = random.once_in(6) && result.problem.kind != Kind::redistribute;
    if (shrinks) choice.shrink = static_cast<int>(random.between(1, result.ranks));
    choice.decomposition =
        random_decomposition(random, result.problem, shrinks ? choice.shrink : result.ranks);
    if (random.once_in(2)) {
        add_methods(random, result.problem, choice);
    } else {
        choice.via = "shared";
        const bool transforms = result.problem.kind != Kind::redistribute;
        if (transforms && random.once_in(2)) {
            return_by_shared_memory(random, result.problem, choice);
        }
    }
    if (!choice.tile) leave_out_some(random, result.problem);
    if (random.once_in(4)) choice.chunk = random.between(2, 1000);
    choice.engine = random.once_in(2) ? "native" : "reference";
    const bool transforms = result.problem.kind != Kind::redistribute;
    // A path that is given may have axes in another order.
    choice.reproducible = choice.engine == "native" && transforms && !choice.tile &&
                          !choice.decomposition.path && random.once_in(4);
    choice.effort = Effort::estimate;
    return result;
}

Environment random_environment(Random& random, int ranks) {
    const int ranks_per_node = random.once_in(3) ? static_cast<int>(random.between(1, 4)) : 0;
    Environment result{Topology(ranks, ranks_per_node)};
    result.regions = !random.once_in(6);
    result.input_exposed = !random.once_in(4);
    result.output_exposed = !random.once_in(4);
    return result;
}

std::string to_string(const PlannedCase& planned) {
    const Environment& here = planned.environment;
    std::vector<int> ranks(static_cast<std::size_t>(planned.plan.ranks));
    std::iota(ranks.begin(), ranks.end(), 0);
    return to_string(planned.drawn) + "\n  " + std::to_string(here.nodes.sizes(ranks).front()) +
           " ranks on each node" + (here.regions ? "" : ", no regions") +
           (here.input_exposed ? ", input exposed" : "") +
           (here.output_exposed ? ", output exposed" : "");
}

namespace {

/// Whether lines of two axes are alike, and one end has a single element of them: nothing then shows
/// to the shadow machine along which of the two a line lies.
bool has_twins(const Problem& problem) {
    const auto are_twins = [&](int a, int b) {
        return problem.shape[static_cast<std::size_t>(a)] ==
                   problem.shape[static_cast<std::size_t>(b)] &&
               axis_kind(problem, a) == axis_kind(problem, b) &&
               points_kept(problem, a) == points_kept(problem, b) &&
               modes_kept(problem, a) == modes_kept(problem, b);
    };
    const std::vector<int> axes = transformed_axes(problem);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (!keeps_part(problem, axes[i])) continue;
        if (points_kept(problem, axes[i]).count != 1 && modes_kept(problem, axes[i]).count != 1) {
            continue;
        }
        for (std::size_t j = 0; j < i; ++j) {
            if (are_twins(axes[i], axes[j])) return true;
        }
    }
    return false;
}

}  // namespace

PlannedCase planned_case(std::uint64_t seed, Index most_elements) {
    Random random(seed);
    PlannedCase result;
    for (;;) {
        result.drawn = random_case(random, most_elements);
        if (has_twins(result.drawn.problem)) continue;
        const Problem& problem = result.drawn.problem;
        Choice& choice = result.drawn.choice;
        const bool may_round = problem.kind != Kind::redistribute && !choice.reproducible;
        if (may_round && Random(~seed).once_in(20)) {
            choice.wire = half_of(problem.precision);
        }
        try {
            result.plan =
                default_plan(result.drawn.problem, result.drawn.choice, result.drawn.ranks);
            result.environment = random_environment(random, result.drawn.ranks);
            return result;
        } catch (const Error& error) {
            if (error.code() != ErrorCode::bad_request) throw;
            ++result.refused;
        }
    }
}

PlannedCase on_device(PlannedCase planned, Random& random) {
    if (may_leave_out(planned.drawn.problem)) return planned;  // which the host clears
    Choice& choice = planned.plan.choice;
    choice.wire = Wire::same;  // the host rounds
    Space& space = choice.space;
    space = Space{"fake", Travel::automatic, 0, 0, space.share};
    space.travel = random.once_in(3) ? Travel::direct : Travel::staged;
    constexpr Index longest_piece = 256;
    if (space.travel == Travel::staged && random.once_in(2)) {
        space.piece = random.between(1, longest_piece);
    }
    planned.plan.place(Placements(choice));
    planned.environment.mpi_reaches_device = space.travel == Travel::direct;
    planned.environment.device_arrays = random.once_in(2);
    planned.environment.device_regions = space.travel == Travel::direct && !random.once_in(4);
    for (Stage& stage : planned.plan.stages) {
        auto* one = std::get_if<RedistributionStage>(&stage);
        if (one != nullptr) one->carrier = Carrier::automatic;
    }
    return planned;
}

namespace {

/// Whether the case can be planned in that space, perhaps with less that its choice says. Then it
/// is planned there.
bool move_to(const Space& space, Random& random, PlannedCase& planned,
             const std::optional<Machine>& machine = {}) {
    Case& drawn = planned.drawn;
    RandomCase one{drawn.problem, drawn.choice};
    one.choice.carrier = Carrier::automatic;
    one.choice.carrier_of_redistribution.clear();
    try {
        move_to(space, random, one, drawn.ranks);
        planned.plan = default_plan(one.problem, one.choice, drawn.ranks,
                                    machine ? *machine : modest_machine());
    } catch (const Error& error) {
        if (error.code() != ErrorCode::bad_request) throw;
        return false;
    }
    drawn.problem = one.problem;
    drawn.choice = one.choice;
    return true;
}

/// On which a rank of a device computes so many times as fast as one of the host.
Machine machine_with_device(double times) {
    Machine machine = easy_machine();
    machine.inside = machine.between = {0, 1e15};
    Devices& devices = *machine.devices;
    devices.launch = 0;
    devices.host_link = {0, 1e15, 1e15};
    devices.copy_rate = devices.pack_rate = times * machine.memory.copy_rate;
    devices.per_node = machine.ranks_per_node;
    DeviceEngine& engine = devices.engines.begin()->second;
    engine.lines = engine.lanes = engine.permuting = devices.copy_rate;
    return machine;
}

Index random_weight(Random& random) {
    if (random.once_in(4)) return Share::open_weight;
    return random.once_in(4) ? 1 : random.between(2, random.once_in(4) ? 40 : 5);
}

}  // namespace

PlannedCase shared_case(std::uint64_t seed, Index most_elements) {
    for (std::uint64_t next = 0;; ++next) {
        PlannedCase planned = planned_case(seed + (next << 32), most_elements);
        if (planned.drawn.ranks == 1) continue;
        Random random(seed);
        Space space{"fake"};
        Share& share = space.share;
        share.ranks = static_cast<int>(random.between(2, std::min(planned.drawn.ranks, 5)));
        share.devices = static_cast<int>(random.between(1, share.ranks - 1));
        share.weight = random_weight(random);
        constexpr Index most_memory = 12000;
        if (random.once_in(4)) space.memory = random.between(1, most_memory);
        const Machine machine = machine_with_device(static_cast<double>(random.between(1, 9)));
        if (move_to(space, random, planned, machine)) {
            return space.memory > 0 ? planned : on_device(planned, random);
        }
    }
}

PlannedCase bounded_case(std::uint64_t seed, Index most_elements) {
    for (std::uint64_t next = 0;; ++next) {
        PlannedCase planned = planned_case(seed + (next << 32), most_elements);
        Random random(seed);
        Space space{"fake"};
        constexpr Index most_memory = 12000;
        space.memory = random.once_in(3) ? 1 : random.between(1, most_memory);
        if (move_to(space, random, planned)) return planned;
    }
}

}  // namespace weft::core::test
