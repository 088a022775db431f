#include "plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "exchange/methods.hpp"
#include "plan/choice.hpp"
#include "plan/graph.hpp"
#include "plan/path.hpp"

namespace weft::core {

double Plan::scale() const { return scale_factor(problem, backward); }

int Plan::moves() const {
    return static_cast<int>(std::count_if(stages.begin(), stages.end(), [](const Stage& stage) {
        return std::holds_alternative<MoveStage>(stage);
    }));
}

namespace {

/// The order in memory after a move that makes `gathered` whole: just above the fastest axis. So
/// the transform that follows runs over lines side by side, the messages' runs stay long, and a
/// slab plan ends in FFTW's transposed order: 012, gathering 0, becomes 102.
Format gathering_format(const Format& before, const std::vector<int>& gathered) {
    const int fastest = before.order.back();
    std::vector<int> order;
    for (const int axis : before.order) {
        if (std::count(gathered.begin(), gathered.end(), axis) == 0) order.push_back(axis);
    }
    auto place = order.end();
    if (!order.empty() && order.back() == fastest) --place;
    std::vector<int> inserted;
    for (const int axis : before.order) {
        if (std::count(gathered.begin(), gathered.end(), axis) != 0) inserted.push_back(axis);
    }
    order.insert(place, inserted.begin(), inserted.end());
    return {order};
}

/// In place, lines of n reals get the room of n/2+1 complex numbers, unless the caller says how
/// they lie.
void pad_halved_lines(const Problem& problem, const Distribution& where, Format& format) {
    const int halved = halved_axis(problem);
    if (!problem.in_place || halved == -1) return;
    if (!problem.in.padding.empty() || !problem.in.strides.empty()) return;
    if (format.order.back() != halved || !where.local(halved)) return;
    const Index n = problem.shape[static_cast<std::size_t>(halved)];
    format.padding.assign(format.order.size(), 0);
    format.padding[static_cast<std::size_t>(halved)] = 2 * (n / 2 + 1) - n;
}

/// States and stages for a problem of kind c2c or r2c, moves without their methods. Padding and
/// strides are only of the ends: between them boxes are dense.
Plan build(const Problem& problem, const Path& path, int ranks) {
    Plan plan;
    plan.problem = problem;
    plan.ranks = ranks;
    const Scalar complex{problem.precision, true};
    const bool order_given = !problem.out.free || !problem.out.order.empty();
    const Format last = format_of(problem, problem.out);

    std::vector<bool> done(static_cast<std::size_t>(array_axes(problem)), false);
    const Distribution start = path.states.front().reshaped(array_shape(problem, false));
    Format first = format_of(problem, problem.in);
    Format format = dense(first);
    pad_halved_lines(problem, start, first);
    plan.at.push_back({start, first, scalar_of(problem, true)});
    for (std::size_t i = 0; i < path.states.size(); ++i) {
        const bool final_state = i + 1 == path.states.size();
        const std::vector<int> axes = transform_local_axes(problem, path.states[i], done);
        if (!axes.empty()) {
            if (final_state && i == 0 && order_given) format = dense(last);
            const bool halves = axes.back() == halved_axis(problem);
            plan.stages.emplace_back(TransformStage{axes, halves ? Kind::r2c : Kind::c2c, -1});
            plan.at.push_back({path.states[i], format, complex});
        }
        if (final_state) break;
        std::vector<bool> after = done;
        auto gathered = transform_local_axes(problem, path.states[i + 1], after);
        format = gathering_format(format, gathered);
        if (i + 2 == path.states.size() && order_given) format = dense(last);
        plan.stages.emplace_back(MoveStage{});
        const Layout& here = plan.at.back();
        plan.at.push_back({path.states[i + 1].reshaped(here.where.shape()), format, here.scalar});
    }
    Format& end = plan.at.back().format;
    end.padding = last.padding;
    end.strides = last.strides;
    return plan;
}

/// One move; also where the distribution stays and only the format changes.
Plan build_redistribution(const Problem& problem, int ranks) {
    Plan plan;
    plan.problem = problem;
    plan.ranks = ranks;
    const Scalar element = scalar_of(problem, true);
    plan.at.push_back({*distribution_of(problem, problem.in, false, ranks, {}),
                       format_of(problem, problem.in), element});
    plan.at.push_back({*distribution_of(problem, problem.out, false, ranks, {}),
                       format_of(problem, problem.out), element});
    plan.stages.emplace_back(MoveStage{});
    return plan;
}

/// Gives every move its method and records them, completely, in the plan's choice.
void choose_methods(Plan& plan, const Choice& choice) {
    // The default method; with pack=datatype the first that packs nothing.
    const bool packed = choice.pack != Pack::datatype;
    const auto suitable = std::find_if(methods().begin(), methods().end(),
                                       [&](const Method& m) { return m.packed == packed; });
    const std::string common = choice.via.empty() ? std::string(suitable->name) : choice.via;
    method(common);
    plan.choice.via = common;
    plan.choice.pack = choice.pack;
    for (const auto& [number, via] : choice.via_of_move) {
        if (number < 0 || number >= plan.moves()) {
            bad_request(fmt::format("via[{}]={}: the plan has {} moves, counted from 0", number,
                                    via, plan.moves()));
        }
        if (via != common) plan.choice.via_of_move[number] = method(via).name;
    }
    int number = 0;
    bool packs = method(common).packed;
    for (Stage& stage : plan.stages) {
        auto* move = std::get_if<MoveStage>(&stage);
        if (move == nullptr) continue;
        const auto own = plan.choice.via_of_move.find(number++);
        move->via = own == plan.choice.via_of_move.end() ? common : own->second;
        // One word for all moves: those that do not pack are not meant.
        const Method& how = method(move->via);
        const bool meant = how.packed || choice.pack == Pack::datatype;
        move->pack = resolve_pack(how, meant ? choice.pack : Pack::automatic);
        packs = packs || how.packed;
    }
    const Method& any = packs ? *std::find_if(methods().begin(), methods().end(),
                                              [](const Method& m) { return m.packed; })
                              : method(common);
    plan.choice.pack = resolve_pack(any, choice.pack);
}

void reverse_path(Decomposition& decomposition) {
    if (decomposition.path) std::reverse(decomposition.path->begin(), decomposition.path->end());
}

Plan planned_redistribution(const Problem& problem, const Decomposition& constraint, int ranks) {
    if (constraint != Decomposition{}) {
        bad_request(
            fmt::format("decomposition={}: redistribution is a single move, there is "
                        "nothing in between to decompose",
                        weft::to_string(constraint)));
    }
    return build_redistribution(problem, ranks);
}

/// States, stages and the complete decomposition; a c2r problem is the reverse of the r2c problem
/// with its ends exchanged.
Plan planned_transform(const Problem& problem, Decomposition constraint, int ranks) {
    const bool mirror = problem.kind == Kind::c2r;
    if (mirror) reverse_path(constraint);
    const Problem analysis = mirror ? mirrored(problem) : problem;
    Path path = find_path(analysis, constraint, ranks);
    Plan plan = build(analysis, path, ranks);
    if (mirror) {
        plan = reverse(plan);
        plan.problem = problem;
        plan.backward = false;
        reverse_path(path.decomposition);
    }
    plan.choice.decomposition = path.decomposition;
    return plan;
}

}  // namespace

Plan make_plan(const Problem& problem, const Choice& choice, int ranks) {
    validate(problem);
    validate(choice);
    constexpr int most_ranks = 1 << 24;
    if (ranks < 1) bad_request(fmt::format("{} ranks: at least 1 is needed", ranks));
    if (ranks > most_ranks) {
        bad_request(fmt::format("{} ranks: at most {} are planned for", ranks, most_ranks));
    }
    Plan plan = problem.kind == Kind::redistribute
                    ? planned_redistribution(problem, choice.decomposition, ranks)
                    : planned_transform(problem, choice.decomposition, ranks);
    check_fits_in_memory(plan.at.front(), "in");
    check_fits_in_memory(plan.at.back(), "out");
    choose_methods(plan, choice);
    plan.choice.engine = choice.engine;
    plan.choice.threads = choice.threads;
    plan.choice.chunk = choice.chunk;
    plan.choice.effort = choice.effort == Effort::automatic ? Effort::measure : choice.effort;
    return plan;
}

Plan reverse(const Plan& plan) {
    Plan result = plan;
    result.backward = !plan.backward;
    std::reverse(result.at.begin(), result.at.end());
    std::reverse(result.stages.begin(), result.stages.end());
    for (Stage& stage : result.stages) {
        if (auto* transform = std::get_if<TransformStage>(&stage)) {
            transform->sign = -transform->sign;
            if (transform->kind != Kind::c2c) {
                transform->kind = transform->kind == Kind::r2c ? Kind::c2r : Kind::r2c;
            }
        } else {
            Pack& pack = std::get<MoveStage>(stage).pack;
            if (pack != Pack::datatype) {
                pack = pack == Pack::sender ? Pack::receiver : Pack::sender;
            }
        }
    }
    return result;
}

std::string to_string(const Plan& plan) {
    return fmt::format("{}; ranks={}; {}{}", weft::to_string(plan.problem), plan.ranks,
                       weft::to_string(plan.choice), plan.backward ? "; backward" : "");
}

PlanRequest parse_plan_request(std::string_view text) {
    PlanRequest request;
    const auto items = split(text, ';');
    request.problem = parse_problem(items.front());
    std::set<std::string> seen;
    for (auto item = items.begin() + 1; item != items.end(); ++item) {
        if (!item->empty()) check_not_repeated(*item, seen);
        if (item->starts_with("ranks=")) {
            request.ranks = parse_int(std::string_view(*item).substr(6), "ranks");
            if (request.ranks < 1)
                bad_request(fmt::format("'{}': at least 1 rank is needed", *item));
        } else if (*item == "backward") {
            request.backward = true;
        } else if (!item->empty()) {
            parse_choice_item(*item, request.choice);
        }
    }
    return request;
}

Plan parse_plan(std::string_view text) {
    const PlanRequest request = parse_plan_request(text);
    const Plan plan = make_plan(request.problem, request.choice, std::max(request.ranks, 1));
    return request.backward ? reverse(plan) : plan;
}

}  // namespace weft::core
