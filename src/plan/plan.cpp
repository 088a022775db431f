#include "plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/index.hpp"
#include "base/text.hpp"
#include "base/transforms.hpp"
#include "exchange/via.hpp"
#include "plan/carriers.hpp"
#include "plan/choice.hpp"
#include "plan/formats.hpp"
#include "plan/graph.hpp"
#include "plan/methods.hpp"
#include "plan/objective.hpp"
#include "plan/path.hpp"
#include "plan/placement.hpp"
#include "plan/stages.hpp"
#include "plan/tiling.hpp"
#include "plan/wire.hpp"

namespace weft::core {

double Plan::scale() const { return scale_factor(problem, backward); }

int Plan::redistributions() const {
    return static_cast<int>(std::count_if(stages.begin(), stages.end(), [](const Stage& stage) {
        return std::holds_alternative<RedistributionStage>(stage);
    }));
}

const RedistributionStage* redistribution_at(const Plan& plan, std::size_t stage) {
    return stage < plan.stages.size() ? std::get_if<RedistributionStage>(&plan.stages[stage])
                                      : nullptr;
}

const TransformStage* transform_at(const Plan& plan, std::size_t stage) {
    return stage < plan.stages.size() ? std::get_if<TransformStage>(&plan.stages[stage]) : nullptr;
}

namespace {

/// Which one of the stage's axes it is.
std::size_t place_of(const TransformStage& stage, int axis) {
    return usize(std::find(stage.axes.begin(), stage.axes.end(), axis) - stage.axes.begin());
}

}  // namespace

AxisKind kind_along(const TransformStage& stage, int axis) {
    const std::size_t place = place_of(stage, axis);
    return place < stage.kinds.size() ? stage.kinds[place] : AxisKind::none;
}

std::vector<int> axis_order(const TransformStage& stage) {
    std::vector<int> order = stage.axes;
    const bool has_r2c_axis = core::halves(stage.kind);
    std::sort(order.begin(), order.end() - (has_r2c_axis ? 1 : 0));
    if (stage.sign < 0) std::reverse(order.begin(), order.end());
    return order;
}

TransformStage part_of(const TransformStage& stage, std::vector<int> axes) {
    TransformStage part{std::move(axes), stage.kind, stage.sign};
    part.reproducible = stage.reproducible;
    const int r2c_axis = stage.axes.back();
    const bool keeps_r2c_axis = std::count(part.axes.begin(), part.axes.end(), r2c_axis) != 0;
    if (core::halves(stage.kind) && !keeps_r2c_axis) part.kind = Kind::c2c;
    if (stage.kind == Kind::r2r) {
        for (const int axis : part.axes) part.kinds.push_back(kind_along(stage, axis));
    }
    if (stage.kept.empty()) return part;
    for (const int axis : part.axes) part.kept.push_back(stage.kept[place_of(stage, axis)]);
    const auto is_whole = [](const KeptLines& one) {
        return one.from.what == KeptPart::What::all && one.to.what == KeptPart::What::all;
    };
    if (std::all_of(part.kept.begin(), part.kept.end(), is_whole)) part.kept.clear();
    return part;
}

void set_kept(LineTransform& line, const TransformStage& stage, int axis) {
    if (stage.kept.empty()) return;
    const KeptLines& kept = stage.kept[place_of(stage, axis)];
    line.length = kept.length;
    line.from = kept.from;
    line.to = kept.to;
}

std::vector<int> kept_order(const TransformStage& stage) {
    std::vector<int> order = axis_order(stage);
    if (stage.reproducible) return order;
    const auto growth = [&](int axis) {
        LineTransform line;
        set_kept(line, stage, axis);
        return static_cast<double>(line.target_length()) /
               static_cast<double>(line.source_length());
    };
    std::stable_sort(order.begin() + (stage.kind == Kind::r2c ? 1 : 0),
                     order.end() - (stage.kind == Kind::c2r ? 1 : 0),
                     [&](int a, int b) { return growth(a) < growth(b); });
    return order;
}

bool is_direct(const Plan& plan, std::size_t stage) {
    const RedistributionStage* one = redistribution_at(plan, stage);
    return one != nullptr && one->carrier == Carrier::direct;
}

namespace {

bool carries_any(const Plan& plan, bool from_device) {
    return std::any_of(plan.stages.begin(), plan.stages.end(), [&](const Stage& stage) {
        const auto* redistribution = std::get_if<RedistributionStage>(&stage);
        if (redistribution == nullptr) return false;
        const bool device =
            transport(message_transport(redistribution->via)).carries == Carries::device;
        return device == from_device;
    });
}

}  // namespace

void Plan::place(const Placements& where) {
    placements = where;
    placements.say_in(choice);
}

bool sends_by_mpi(const Plan& plan) { return carries_any(plan, false); }

bool sends_from_device(const Plan& plan) { return carries_any(plan, true); }

bool is_fused(const RedistributionStage& redistribution) {
    return redistribution.pack == Pack::fused ||
           redistribution.via.how().packing == Packing::region;
}

namespace {

/// Layouts and stages for a problem of kind c2c, r2c or r2r; formats and methods are still to be
/// chosen.
Plan build(const Problem& problem, const Path& path, int ranks, bool reproducible) {
    Plan plan;
    plan.problem = problem;
    plan.ranks = ranks;
    const Scalar after = scalar_of(problem, false);
    const Format row_major = format_of(problem, {});
    std::vector<bool> done(usize(array_axes(problem)), false);
    const Distribution start = path.states.front().reshaped(array_shape(problem, false));
    plan.at.push_back({start, row_major, scalar_of(problem, true)});
    for (std::size_t i = 0; i < path.states.size(); ++i) {
        for (TransformStage& stage : stages_along(problem, path.axes[i], reproducible)) {
            for (const int axis : stage.axes) done[usize(axis)] = true;
            const Scalar scalar = stage.kind == Kind::r2r ? plan.at.back().scalar : after;
            plan.stages.emplace_back(std::move(stage));
            plan.at.push_back(
                {path.states[i].reshaped(array_shape(problem, done)), row_major, scalar});
        }
        if (i + 1 == path.states.size()) break;
        plan.stages.emplace_back(RedistributionStage{});
        const Layout& here = plan.at.back();
        plan.at.push_back(
            {path.states[i + 1].reshaped(here.where.shape()), row_major, here.scalar});
    }
    return plan;
}

/// One redistribution; also where the distribution stays and only the format changes.
Plan build_redistribution(const Problem& problem, int ranks) {
    Plan plan;
    plan.problem = problem;
    plan.ranks = ranks;
    const Scalar element = scalar_of(problem, true);
    const Format row_major = format_of(problem, {});
    for (const LayoutRequest& end : {problem.in, problem.out}) {
        plan.at.push_back({*distribution_of(problem, end, false, ranks, {}), row_major, element});
    }
    plan.stages.emplace_back(RedistributionStage{});
    return plan;
}

void reverse_path(Decomposition& decomposition) {
    if (decomposition.path) std::reverse(decomposition.path->begin(), decomposition.path->end());
}

Plan planned_redistribution(const Problem& problem, const Choice& choice, int ranks) {
    if (choice.decomposition != Decomposition{} || choice.shrink != 0) {
        bad_request(fmt::format(
            "decomposition={}, shrink={}: kind redistribute is a single redistribution, there is "
            "nothing in between to decompose",
            weft::to_string(choice.decomposition), choice.shrink));
    }
    return choose_formats(build_redistribution(problem, ranks), choice.pack);
}

/// States, stages and the complete decomposition; a c2r problem is the reverse of the r2c problem
/// with its ends exchanged.
Plan planned_transform(const Problem& problem, const Choice& choice, int ranks,
                       const Objective& objective) {
    Decomposition constraint = choice.decomposition;
    const bool mirror = problem.kind == Kind::c2r;
    if (mirror) reverse_path(constraint);
    const std::optional<Problem> turned = mirror ? std::optional(mirrored(problem)) : std::nullopt;
    const Problem& analysis = turned ? *turned : problem;
    Path path = find_path(analysis, constraint, ranks, choice.shrink, objective,
                          Placements(choice).split(problem.cut), choice.reproducible);
    Plan plan = choose_formats(build(analysis, path, ranks, choice.reproducible), choice.pack);
    if (mirror) {
        plan = reverse(plan);
        plan.problem = problem;
        plan.backward = false;
        reverse_path(path.decomposition);
    }
    plan.choice.decomposition = path.decomposition;
    plan.choice.shrink = choice.shrink == ranks ? 0 : choice.shrink;
    return plan;
}

}  // namespace

Plan make_plan(const Problem& problem, const Choice& choice, int ranks) {
    return make_plan(problem, choice, ranks, objective_for(choice.decomposition));
}

Plan make_plan(const Problem& problem, const Choice& choice, int ranks,
               const Objective& objective) {
    validate(problem);
    validate(choice);
    if (needs_ranks(choice.tuning)) {
        bad_request(
            fmt::format("tuning={} needs the ranks for its measurements: make the plan with their "
                        "communicator, or take estimate",
                        weft::to_string(choice.tuning)));
    }
    const Placements placements(choice);
    if (placements.open_memory()) {
        placements.refuse(
            "the ranks' devices say how much memory is free: make the plan with their "
            "communicator, or write the bytes, as in memory:1073741824");
    }
    if (has_real_to_real(problem) && placements.first().own_engines) {
        placements.refuse(
            fmt::format("the engines of {} have no real-to-real transforms; take space=host",
                        placements.first().device));
    }
    if (keeps_part(problem) && placements.first().own_engines) {
        placements.refuse(
            fmt::format("the engines of {} transform whole lines; take space=host, or leave out "
                        "modes and inside",
                        placements.first().device));
    }
    if (may_leave_out(problem) && placements.on_device()) {
        placements.refuse(
            "ends that leave elements out are cleared on the host; take space=host, or give boxes "
            "that cover the array");
    }
    if (may_leave_out(problem) && choice.tile) {
        bad_request(
            fmt::format("tile={}: an end leaves elements out, and each tile would search for these "
                        "elements again; leave out tile",
                        weft::to_string(*choice.tile)));
    }
    check_wire(problem, choice, placements);
    if (problem.kind == Kind::redistribute && choice.pack == Pack::fft) {
        bad_request("pack=fft: a redistribution transforms nothing; take sender or receiver");
    }
    constexpr int most_ranks = 1 << 24;
    if (ranks < 1) bad_request(fmt::format("{} ranks: at least 1 is needed", ranks));
    if (ranks > most_ranks) {
        bad_request(fmt::format("{} ranks: at most {} are planned for", ranks, most_ranks));
    }
    check_share(problem, choice, ranks);
    Plan plan = problem.kind == Kind::redistribute
                    ? planned_redistribution(problem, choice, ranks)
                    : planned_transform(problem, choice, ranks, objective);
    plan.place(placements);
    check_fits_in_memory(plan.at.front(), "in");
    check_fits_in_memory(plan.at.back(), "out");
    plan = set_carriers(choose_methods(std::move(plan), choice), choice);
    if (choice.tile) plan = tile(std::move(plan), *choice.tile);
    plan.choice.engine = choice.engine;
    plan.choice.threads = choice.threads;
    plan.choice.reproducible = choice.reproducible;
    plan.choice.chunk = choice.chunk;
    plan.choice.effort = choice.effort == Effort::automatic ? Effort::measure : choice.effort;
    return plan;
}

}  // namespace weft::core
