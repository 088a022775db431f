#include "plan/volume_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/index.hpp"
#include "base/mapped.hpp"
#include "base/text.hpp"
#include "exchange/transfers.hpp"
#include "plan/explain.hpp"
#include "plan/wire.hpp"
#include "weft/error.hpp"

namespace weft::core {

Index Traffic::total() const {
    return std::accumulate(redistributions.begin(), redistributions.end(), Index{0});
}

double Traffic::mean_sent() const {
    return static_cast<double>(total()) / static_cast<double>(ranks);
}

Traffic traffic(const Plan& plan, const std::string& name) {
    Traffic result{name, plan.ranks, weft::to_string(plan.choice.decomposition)};
    std::vector<Index> sent_by(usize(plan.ranks), 0);
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        if (!std::holds_alternative<RedistributionStage>(plan.stages[i])) continue;
        const Distribution& from = plan.at[i].where;
        const Distribution& to = plan.at[i + 1].where;
        const Index element = sent_bytes(plan, i);
        Index moved = 0;
        for (int rank = 0; rank < plan.ranks; ++rank) {
            const Index bytes = sent(from, to, rank) * element;
            sent_by[usize(rank)] += bytes;
            moved += bytes;
        }
        result.redistributions.push_back(moved);
    }
    result.most_sent = *std::max_element(sent_by.begin(), sent_by.end());
    return result;
}

bool idles(const Plan& plan) {
    const int used = plan.choice.shrink > 0 ? plan.choice.shrink : plan.ranks;
    int moved = 0;
    for (std::size_t i = 0; i < plan.at.size(); ++i) {
        const bool given = (moved == 0 && !plan.problem.in.free) ||
                           (moved == plan.redistributions() && !plan.problem.out.free);
        if (!given && plan.at[i].where.idle(used)) return true;
        if (i < plan.stages.size() && std::holds_alternative<RedistributionStage>(plan.stages[i]))
            ++moved;
    }
    return false;
}

std::optional<Plan> plan_with(const Problem& problem, Choice choice,
                              const Decomposition& decomposition, int ranks) {
    choice.decomposition = decomposition;
    try {
        return make_plan(problem, choice, ranks);
    } catch (const Error& error) {
        if (error.code() != ErrorCode::bad_request) throw;
        return std::nullopt;
    }
}

std::vector<Traffic> compared_traffic(const Plan& by_default, const Choice& choice) {
    const Problem& problem = by_default.problem;
    const int ranks = by_default.ranks;
    if (choice.decomposition != Decomposition{}) {
        bad_request(fmt::format("decomposition={}: decompositions are compared here, leave it out",
                                weft::to_string(choice.decomposition)));
    }
    std::vector<Traffic> rows = {traffic(by_default, "default")};
    const std::vector<std::pair<std::string, Decomposition>> others = {
        {"least volume", decomposition::least_volume},
        {"slab", decomposition::slab},
        {"pencil 1xP", {2, {1, ranks}}},
        {"pencil square", {2, near_square(ranks, 2)}},
        {"row-wise", decomposition::row_wise}};
    for (const auto& [name, decomposition] : others) {
        // With as many cuts as axes they would be bricks.
        if (decomposition.cuts == 2 && problem.shape.size() < 3) continue;
        const std::optional<Plan> plan = plan_with(problem, choice, decomposition, ranks);
        if (!plan || (!decomposition.least_volume && idles(*plan))) continue;
        rows.push_back(traffic(*plan, name));
    }
    return rows;
}

std::string volume_table(const std::vector<Traffic>& rows) {
    std::string text = fmt::format("{:>7}  {:<13}  {:>9}  {:>9}  {}\n", "ranks", "decomposition",
                                   "total", "most sent", "each redistribution, by which path");
    int ranks = 0;
    for (const Traffic& row : rows) {
        const std::vector<std::string> redistributions = mapped(
            row.redistributions,
            [](Index redistribution) { return bytes_text(static_cast<double>(redistribution)); });
        if (ranks != 0 && ranks != row.ranks) text += '\n';
        ranks = row.ranks;
        const std::string line = fmt::format(
            "{:>7}  {:<13}  {:>9}  {:>9}  {}", row.ranks, row.name,
            bytes_text(static_cast<double>(row.total())),
            bytes_text(static_cast<double>(row.most_sent)),
            redistributions.empty() ? "none"
                                    : fmt::format("{}", fmt::join(redistributions, " + ")));
        // A path that does not fit into 80 columns has a line of its own.
        const bool fits = line.size() + 2 + row.decomposition.size() <= 80;
        text += fmt::format("{}{}{}\n", line, fits ? "  " : "\n         ", row.decomposition);
    }
    return text;
}

std::string volume_csv(const std::vector<Traffic>& rows) {
    std::string text =
        "ranks,name,exchanges,total_bytes,mean_sent,most_sent,redistributions,decomposition\n";
    for (const Traffic& row : rows) {
        text += fmt::format("{},{},{},{},{:.1f},{},{},\"{}\"\n", row.ranks, row.name,
                            row.redistributions.size(), row.total(), row.mean_sent(), row.most_sent,
                            join(row.redistributions, "+"), row.decomposition);
    }
    return text;
}

}  // namespace weft::core
