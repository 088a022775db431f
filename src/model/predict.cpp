#include "model/predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/text.hpp"
#include "geometry/process_grid.hpp"
#include "model/default_plan.hpp"
#include "model/space_choice.hpp"
#include "model/weight_choice.hpp"
#include "plan/share.hpp"
#include "plan/volume_table.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

/// Where plans are predicted to run, and whose memory the arrays are.
struct Where {
    const Machine& machine;
    Arrays arrays;
};

/// With the weight that the machine's figures propose, where a share of the ranks leaves it open.
/// Nothing if there is no such plan.
std::optional<Plan> plan_on(const Problem& problem, Choice choice,
                            const Decomposition& decomposition, int ranks, const Where& where) {
    std::optional<Plan> plan = plan_with(problem, choice, decomposition, ranks);
    if (!plan || !has_open_weight(choice.space)) return plan;
    choice.decomposition = decomposition;
    choice = with_weight(std::move(choice), where.machine,
                         [&](const Choice& each) { return make_plan(problem, each, ranks); });
    return plan_with(problem, choice, decomposition, ranks);
}

Prediction prediction(const std::string& name, const Plan& open, const Where& where) {
    const Plan plan = in_fastest_space(open, where.machine, where.arrays);
    const Machine& machine = where.machine;
    Prediction result;
    result.name = name;
    result.ranks = plan.ranks;
    result.grid = join(plan.choice.decomposition.grid, "x");
    result.decomposition = weft::to_string(plan.choice.decomposition);
    result.space = plan.choice.space;
    result.price = price(plan, machine, where.arrays);
    result.even_exchange = even_exchange_seconds(result.price, machine);
    result.bandwidth = average_bandwidth(result.price, machine);
    return result;
}

struct Named {
    std::string name;
    Decomposition decomposition;
};

/// A grid of so many factors, none of them 1; nothing if that many ranks have none.
std::optional<Decomposition> on_grid(std::vector<int> grid) {
    if (std::count(grid.begin(), grid.end(), 1) > 0) return std::nullopt;
    return Decomposition{static_cast<int>(grid.size()), std::move(grid)};
}

std::vector<Named> decompositions(const Problem& problem, int ranks, const Machine& machine) {
    const int dims = static_cast<int>(problem.shape.size());
    std::vector<Named> result = {{"slab", decomposition::slab}};
    const auto add = [&](const std::string& name, std::vector<int> grid) {
        if (const auto some = on_grid(std::move(grid))) result.push_back({name, *some});
    };
    if (dims >= 3) {
        add("pencil", near_square(ranks, 2));
        if (ranks % machine.ranks_per_node == 0) {
            add("pencil", {ranks / machine.ranks_per_node, machine.ranks_per_node});
        }
    }
    if (dims >= 2) add("brick", near_square(ranks, dims));
    return result;
}

/// The row, or of two with the same name the faster one.
void add_faster(std::vector<Prediction>& rows, Prediction row) {
    const auto same = std::find_if(rows.begin(), rows.end(), [&](const Prediction& each) {
        return each.name == row.name && each.ranks == row.ranks;
    });
    if (same == rows.end()) {
        rows.push_back(std::move(row));
    } else if (row.seconds() < same->seconds()) {
        *same = std::move(row);
    }
}

std::vector<Prediction> on_ranks(const Problem& problem, const Choice& choice, int ranks,
                                 const Where& where) {
    if (choice.decomposition != Decomposition{}) {
        const std::optional<Plan> plan =
            plan_on(problem, choice, choice.decomposition, ranks, where);
        return plan ? std::vector{prediction("given", *plan, where)} : std::vector<Prediction>{};
    }
    std::vector<Prediction> rows;
    for (const auto& [name, decomposition] : decompositions(problem, ranks, where.machine)) {
        const std::optional<Plan> plan = plan_on(problem, choice, decomposition, ranks, where);
        if (plan && !idles(*plan)) add_faster(rows, prediction(name, *plan, where));
    }
    if (rows.empty()) {
        const std::optional<Plan> plan = plan_on(problem, choice, {}, ranks, where);
        if (plan && !idles(*plan)) rows.push_back(prediction("default", *plan, where));
    }
    return rows;
}

/// Those of more ranks than the fastest of all, on which the fastest one's ranks compute.
std::vector<Prediction> shrunk(const Problem& problem, Choice choice, const Prediction& best,
                               const std::vector<int>& rank_counts, const Where& where) {
    std::vector<Prediction> rows;
    choice.shrink = best.ranks;
    Decomposition decomposition = parse_decomposition(best.decomposition);
    decomposition.path.reset();
    for (const int ranks : rank_counts) {
        if (ranks <= best.ranks) continue;
        const std::optional<Plan> plan = plan_on(problem, choice, decomposition, ranks, where);
        if (plan) rows.push_back(prediction("shrink", *plan, where));
    }
    return rows;
}

void mark_fastest(std::vector<Prediction>& rows) {
    for (Prediction& row : rows) {
        row.fastest = std::none_of(rows.begin(), rows.end(), [&](const Prediction& other) {
            return other.ranks == row.ranks && other.seconds() < row.seconds();
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
        (void)default_plan(problem, choice, counts.empty() ? 1 : counts.back());
        bad_request(fmt::format(
            "{}: nothing fits it on {} ranks without leaving a rank idle; ask for fewer",
            weft::to_string(problem), join(counts, ", ")));
    }
    if (choice.shrink == 0 && choice.decomposition == Decomposition{}) {
        const std::vector<Prediction> fewer =
            shrunk(problem, choice, *fastest(rows), counts, where);
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
        if (row.ranks != ranks || row.name == "shrink") continue;
        if (best == nullptr || row.seconds() < best->seconds()) best = &row;
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
