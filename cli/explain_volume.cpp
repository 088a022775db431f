#include "explain_volume.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "api/estimate.hpp"
#include "base/text.hpp"
#include "columns.hpp"
#include "measure/files.hpp"
#include "measure/json.hpp"
#include "plan/explain.hpp"
#include "plan/volume_table.hpp"

namespace weft::cli {

namespace {

const core::Traffic& least(const std::vector<core::Traffic>& rows, int ranks) {
    const core::Traffic* result = nullptr;
    for (const core::Traffic& row : rows) {
        if (row.ranks != ranks) continue;
        if (result == nullptr || row.total() < result->total()) result = &row;
    }
    return *result;
}

/// Of the most ranks: what the default sends, beside the least.
std::string verdict(const std::vector<core::Traffic>& rows) {
    const int ranks = rows.back().ranks;
    const core::Traffic& chosen = *std::find_if(
        rows.begin(), rows.end(), [&](const core::Traffic& row) { return row.ranks == ranks; });
    const core::Traffic& best = least(rows, ranks);
    const auto text = [](const core::Traffic& row) {
        return core::bytes_text(static_cast<double>(row.total()));
    };
    const std::string where = core::number_of(static_cast<std::size_t>(ranks), "rank");
    if (best.total() == chosen.total()) {
        return fmt::format("on {} the default, {}, sends {}; none of these sends less", where,
                           chosen.decomposition, text(chosen));
    }
    return fmt::format("on {} {} sends least, {}; the default, {}, sends {}", where,
                       best.decomposition, text(best), chosen.decomposition, text(chosen));
}

std::string json_text(const Problem& problem, const std::vector<core::Traffic>& rows) {
    Json all = {{"verdict", verdict(rows)},
                {"problem", weft::to_string(problem)},
                {"traffic", Json::array()}};
    for (const core::Traffic& row : rows) {
        all["traffic"].push_back({{"ranks", row.ranks},
                                  {"name", row.name},
                                  {"decomposition", row.decomposition},
                                  {"total_bytes", row.total()},
                                  {"mean_sent", row.mean_sent()},
                                  {"most_sent", row.most_sent},
                                  {"redistributions", row.redistributions}});
    }
    return all.dump(1) + "\n";
}

}  // namespace

void explain_volume(const core::PlanRequest& request, const core::Machine& machine,
                    const VolumeOptions& options) {
    std::vector<int> counts = options.ranks;
    for (int ranks = 2; options.ranks.empty() && ranks <= 4096; ranks *= 2) counts.push_back(ranks);
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    std::vector<core::Traffic> rows;
    for (const int ranks : counts) {
        const auto some =
            core::compared_traffic(plan_without_mpi(request, ranks, machine), request.choice);
        rows.insert(rows.end(), some.begin(), some.end());
    }
    if (!options.csv.empty()) write_file(options.csv, core::volume_csv(rows));
    if (options.json) {
        fmt::print("{}", json_text(request.problem, rows));
        return;
    }
    fmt::print("{}problem    {}\n{}", verdict_text(verdict(rows)), weft::to_string(request.problem),
               core::volume_table(rows));
}

}  // namespace weft::cli
