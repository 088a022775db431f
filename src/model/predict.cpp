#include "model/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "model/default_plan.hpp"
#include "model/usual_ways.hpp"
#include "plan/volume_table.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

/// Where plans are predicted to run, and whose memory the arrays are.
struct Where {
    const Machine& machine;
    Arrays arrays;
};

/// Nothing if there is no such plan.
std::optional<Plan> plan_on(const Problem& problem, Choice choice,
                            const Decomposition& decomposition, int ranks, const Where& where) {
    choice.decomposition = decomposition;
    try {
        return default_plan(problem, choice, ranks, where.machine, where.arrays);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::bad_request) throw;
        return std::nullopt;
    }
}

Prediction prediction(const std::string& name, const Plan& plan, const Where& where) {
    const Machine& machine = where.machine;
    Prediction result;
    result.name = name;
    result.ranks = plan.ranks;
    result.grid = join(plan.choice.decomposition.grid, "x");
    result.decomposition = weft::to_string(plan.choice.decomposition);
    result.shrink = plan.choice.shrink;
    result.placements = plan.placements;
    result.price = price(plan, machine, where.arrays);
    result.even_exchange = even_exchange_seconds(result.price, machine);
    result.bandwidth = average_bandwidth(result.price, machine);
    return result;
}

/// The row, or of two with the same name the faster one; weft's own unless the other one is faster
/// by more than the planner overlooks.
void add_faster(std::vector<Prediction>& rows, Prediction row) {
    const auto same = std::find_if(rows.begin(), rows.end(), [&](const Prediction& each) {
        return each.name == row.name && each.ranks == row.ranks;
    });
    if (same == rows.end()) {
        rows.push_back(std::move(row));
    } else if (row.seconds() < same->seconds() * (same->own ? planner_tie : 1)) {
        row.own = false;
        *same = std::move(row);
    }
}

std::vector<Prediction> on_ranks(const Problem& problem, const Choice& choice, int ranks,
                                 const Where& where) {
    const bool given = choice.decomposition != Decomposition{};
    const std::size_t axes = problem.shape.size();
    const std::optional<Plan> own = plan_on(problem, choice, choice.decomposition, ranks, where);
    if (!own || (!given && idles(*own))) return {};
    const bool shrinks = choice.shrink == 0 && own->choice.shrink > 0;
    const std::string name = shrinks ? "shrink" : name_of_way(own->choice.decomposition, axes);
    std::vector<Prediction> rows = {prediction(given ? "given" : name, *own, where)};
    rows.front().own = true;
    if (given) return rows;
    for (const Decomposition& way : usual_ways(problem, choice, ranks, where.machine)) {
        const std::optional<Plan> plan = plan_on(problem, choice, way, ranks, where);
        if (!plan || idles(*plan)) continue;
        add_faster(rows, prediction(name_of_way(way, axes), *plan, where));
    }
    const auto order = [](const Prediction& row) {
        const std::array<std::string_view, 3> names = {"slab", "pencil", "brick"};
        return std::find(names.begin(), names.end(), row.name) - names.begin();
    };
    std::stable_sort(rows.begin(), rows.end(),
                     [&](const Prediction& a, const Prediction& b) { return order(a) < order(b); });
    return rows;
}

/// Those of more ranks than the fastest of all, on which the fastest one's ranks compute, where
/// weft's own plan does not shrink.
std::vector<Prediction> shrunk(const Problem& problem, Choice choice,
                               const std::vector<Prediction>& known,
                               const std::vector<int>& rank_counts, const Where& where) {
    const Prediction& best = *fastest(known);
    std::vector<Prediction> rows;
    if (best.shrink > 0) return rows;
    choice.shrink = best.ranks;
    Decomposition way = parse_decomposition(best.decomposition);
    // Given ends hold all ranks, so that another way between them may be better.
    if (!problem.in.free || !problem.out.free) way.path.reset();
    for (const int ranks : rank_counts) {
        const bool shrinks = std::any_of(known.begin(), known.end(), [&](const Prediction& row) {
            return row.ranks == ranks && row.shrink > 0;
        });
        if (ranks <= best.ranks || shrinks) continue;
        const std::optional<Plan> plan = plan_on(problem, choice, way, ranks, where);
        if (plan) rows.push_back(prediction("shrink", *plan, where));
    }
    return rows;
}

/// Whether a row is faster; weft's own is unless it takes longer by more than the planner
/// overlooks.
bool is_before(const Prediction& a, const Prediction& b) {
    return (a.own ? planner_tie : 1) * a.seconds() < (b.own ? planner_tie : 1) * b.seconds();
}

void mark_fastest(std::vector<Prediction>& rows) {
    for (Prediction& row : rows) {
        row.fastest = std::none_of(rows.begin(), rows.end(), [&](const Prediction& other) {
            return other.ranks == row.ranks && is_before(other, row);
        });
    }
}

}  // namespace

std::vector<Prediction> predict(const Problem& problem, const Choice& choice,
                                const std::vector<int>& rank_counts, const Machine& machine,
                                Arrays arrays) {
    const Where where{machine, arrays};
    std::vector<int> counts = rank_counts;
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    std::vector<Prediction> rows;
    for (const int ranks : counts) {
        const std::vector<Prediction> some = on_ranks(problem, choice, ranks, where);
        rows.insert(rows.end(), some.begin(), some.end());
    }
    if (rows.empty()) {
        // The error says why, for the largest of the counts.
        (void)default_plan(problem, choice, counts.empty() ? 1 : counts.back(), machine, arrays);
        bad_request(
            fmt::format("{}: no decomposition keeps every rank busy on {} ranks; give fewer ranks",
                        weft::to_string(problem), join(counts, ", ")));
    }
    if (choice.shrink == 0 && choice.decomposition == Decomposition{}) {
        const std::vector<Prediction> fewer = shrunk(problem, choice, rows, counts, where);
        rows.insert(rows.end(), fewer.begin(), fewer.end());
        std::stable_sort(rows.begin(), rows.end(), [](const Prediction& a, const Prediction& b) {
            return a.ranks < b.ranks;
        });
    }
    mark_fastest(rows);
    return rows;
}

const Prediction* fastest(const std::vector<Prediction>& rows, int ranks) {
    const Prediction* best = nullptr;
    for (const Prediction& row : rows) {
        if (row.ranks != ranks || (row.name == "shrink" && !row.own)) continue;
        if (best == nullptr || is_before(row, *best)) best = &row;
    }
    return best;
}

const Prediction* fastest(const std::vector<Prediction>& rows) {
    const auto best = std::min_element(
        rows.begin(), rows.end(),
        [](const Prediction& a, const Prediction& b) { return a.seconds() < b.seconds(); });
    return best == rows.end() ? nullptr : &*best;
}

}  // namespace weft::core
