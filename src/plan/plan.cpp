#include "plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/engines.hpp"
#include "base/text.hpp"
#include "base/transforms.hpp"
#include "exchange/matrix.hpp"
#include "exchange/via.hpp"
#include "plan/choice.hpp"
#include "plan/fuse.hpp"
#include "plan/graph.hpp"
#include "plan/path.hpp"
#include "plan/tiling.hpp"

namespace weft::core {

double Plan::scale() const { return scale_factor(problem, backward); }

int Plan::moves() const {
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

bool is_direct(const Plan& plan, std::size_t stage) {
    const RedistributionStage* one = redistribution_at(plan, stage);
    return one != nullptr && one->carrier == Carrier::direct;
}

bool is_fused(const RedistributionStage& redistribution) {
    return redistribution.pack == Pack::fused ||
           redistribution.via.how().packing == Packing::region;
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
/// strides are only of the ends: between them boxes are dense. `keeps_order`: moves do not permute
/// axes if they need not.
Plan build(const Problem& problem, const Path& path, int ranks, bool keeps_order) {
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
            // With pack=fft the last transform permutes, not the move before it.
            if (final_state && (i == 0 || keeps_order) && order_given) format = dense(last);
            const bool halves = axes.back() == halved_axis(problem);
            plan.stages.emplace_back(TransformStage{axes, halves ? Kind::r2c : Kind::c2c, -1});
            plan.at.push_back({path.states[i], format, complex});
        }
        if (final_state) break;
        std::vector<bool> after = done;
        auto gathered = transform_local_axes(problem, path.states[i + 1], after);
        const bool is_last = i + 2 == path.states.size();
        if (!keeps_order) format = gathering_format(format, gathered);
        if (is_last && order_given && (!keeps_order || gathered.empty())) format = dense(last);
        plan.stages.emplace_back(RedistributionStage{});
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
    plan.stages.emplace_back(RedistributionStage{});
    return plan;
}

/// Whether transforms can do the packing of moves, and it pays.
bool can_fuse(const Plan& plan, const Choice& choice) {
    return engine_traits(choice.engine).fuses &&
           std::any_of(plan.stages.begin(), plan.stages.end(), [](const Stage& stage) {
               return std::holds_alternative<TransformStage>(stage);
           });
}

/// The plan's common method and those of single moves, checked.
void record_methods(Plan& plan, const Choice& choice) {
    const bool tiles = choice.tile && plan.moves() > 0;
    const std::string default_one =
        tiles ? default_tiled_via(choice.pack) : default_via(choice.pack, can_fuse(plan, choice));
    plan.choice.via = choice.via.empty() ? default_one : to_string(parse_via(choice.via));
    for (const auto& [number, text] : choice.via_of_move) {
        if (number < 0 || number >= plan.moves()) {
            bad_request(fmt::format("via[{}]: the plan has {} moves, counted from 0", number,
                                    plan.moves()));
        }
        const std::string via = to_string(parse_via(text));
        if (via != plan.choice.via) plan.choice.via_of_move[number] = via;
    }
}

/// Throws unless the move is such as the method needs.
void check_move(const Plan& plan, int number, const RedistributionStage& move, const Layout& from,
                const Layout& to) {
    if (move.via.how().carries != Carries::matrix) return;
    const bool within_one_array = plan.problem.in_place && plan.stages.size() == 1;
    const std::string reason =
        within_one_array ? "it goes from an array to itself" : why_no_matrix(from, to);
    if (reason.empty()) return;
    bad_request(
        fmt::format("via={}: move {} is not the transpose of a matrix: {}; or take via=fftw",
                    to_string(move.via), number, reason));
}

/// The one word of packing from which the moves get theirs again: that of those which had a choice.
Pack common_pack(const Plan& plan, const Via& common, bool fuses) {
    Pack result = Pack::automatic;
    for (const Stage& stage : plan.stages) {
        const auto* move = std::get_if<RedistributionStage>(&stage);
        if (move == nullptr || !packs(move->via, Pack::automatic)) continue;
        if (result != Pack::fused) result = move->pack;
    }
    return result == Pack::automatic ? resolve_pack(common, result, fuses) : result;
}

/// Gives every move its method and where it permutes, and records them, completely, in the plan's
/// choice. One word of packing is for all moves: those that it does not suit are not meant.
void choose_methods(Plan& plan, const Choice& choice) {
    record_methods(plan, choice);
    const Via common = parse_via(plan.choice.via);
    // Messages in place would need room of their own both where they are written and where they
    // land.
    const bool automatic = choice.pack == Pack::automatic;
    const bool fuses = automatic && !plan.problem.in_place && can_fuse(plan, choice);
    bool meant = suits(common, choice.pack);
    int number = 0;
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        auto* move = std::get_if<RedistributionStage>(&plan.stages[i]);
        if (move == nullptr) continue;
        move->via = parse_via(via_of(plan.choice, number));
        const Via& via = move->via;
        const bool this_one = suits(via, choice.pack);
        meant = meant || this_one;
        const Pack word = this_one ? choice.pack : Pack::automatic;
        move->pack = resolve_pack(via, word, fuses);
        const bool permutes = plan.at[i].format.order != plan.at[i + 1].format.order;
        if (move->pack == Pack::fft && permutes) {
            move->pack = resolve_pack(via, Pack::automatic, false);
        }
        check_move(plan, number++, *move, plan.at[i], plan.at[i + 1]);
    }
    if (!meant) resolve_pack(common, choice.pack, false);  // Says why not.
    plan.choice.pack = automatic ? common_pack(plan, common, fuses) : choice.pack;
}

void reverse_path(Decomposition& decomposition) {
    if (decomposition.path) std::reverse(decomposition.path->begin(), decomposition.path->end());
}

Plan planned_redistribution(const Problem& problem, const Choice& choice, int ranks) {
    if (choice.decomposition != Decomposition{} || choice.shrink != 0) {
        bad_request(
            fmt::format("decomposition={}, shrink={}: redistribution is a single move, there is "
                        "nothing in between to decompose",
                        weft::to_string(choice.decomposition), choice.shrink));
    }
    return build_redistribution(problem, ranks);
}

/// States, stages and the complete decomposition; a c2r problem is the reverse of the r2c problem
/// with its ends exchanged.
Plan planned_transform(const Problem& problem, const Choice& choice, int ranks) {
    Decomposition constraint = choice.decomposition;
    const bool mirror = problem.kind == Kind::c2r;
    if (mirror) reverse_path(constraint);
    const std::optional<Problem> turned = mirror ? std::optional(mirrored(problem)) : std::nullopt;
    const Problem& analysis = turned ? *turned : problem;
    Path path = find_path(analysis, constraint, ranks, choice.shrink);
    Plan plan = build(analysis, path, ranks, choice.pack == Pack::fft);
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
    validate(problem);
    validate(choice);
    if (problem.kind == Kind::redistribute && choice.pack == Pack::fft) {
        bad_request("pack=fft: a redistribution transforms nothing; take sender or receiver");
    }
    constexpr int most_ranks = 1 << 24;
    if (ranks < 1) bad_request(fmt::format("{} ranks: at least 1 is needed", ranks));
    if (ranks > most_ranks) {
        bad_request(fmt::format("{} ranks: at most {} are planned for", ranks, most_ranks));
    }
    Plan plan = problem.kind == Kind::redistribute ? planned_redistribution(problem, choice, ranks)
                                                   : planned_transform(problem, choice, ranks);
    check_fits_in_memory(plan.at.front(), "in");
    check_fits_in_memory(plan.at.back(), "out");
    choose_methods(plan, choice);
    set_carriers(plan, choice);
    if (choice.tile) cut_in_tiles(plan, *choice.tile);
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
            transform->reads = Access::layout;
            transform->writes = Access::layout;
            transform->kind = inverse(transform->kind);
        } else {
            auto& redistribution = std::get<RedistributionStage>(stage);
            if (redistribution.carrier == Carrier::direct) {
                redistribution.carrier = Carrier::automatic;
            }
            Pack& pack = redistribution.pack;
            if (pack == Pack::sender || pack == Pack::receiver) {
                pack = pack == Pack::sender ? Pack::receiver : Pack::sender;
            }
        }
    }
    record_carriers(result);
    if (result.pipeline) {
        const std::size_t stages = result.stages.size();
        result.pipeline->first = stages - 1 - plan.pipeline->last;
        result.pipeline->last = stages - 1 - plan.pipeline->first;
        result.pipeline->first_tiled = stages - plan.pipeline->last_tiled;
        result.pipeline->last_tiled = stages - plan.pipeline->first_tiled;
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
    return make_plan(request, std::max(request.ranks, 1));
}

Plan make_plan(const PlanRequest& request, int ranks) {
    if (!request.backward) return make_plan(request.problem, request.choice, ranks);
    Choice choice = request.choice;
    choice.carrier = Carrier::automatic;
    choice.carrier_of_move.clear();
    Plan plan = reverse(make_plan(request.problem, choice, ranks));
    set_carriers(plan, request.choice);
    return plan;
}

}  // namespace weft::core
