#include "explain_volume.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "measure/files.hpp"
#include "plan/explain.hpp"
#include "plan/volume_table.hpp"
#include "plot/series_plot.hpp"

namespace weft::cli {

namespace {

std::string picture(const Problem& problem, const std::vector<core::Traffic>& rows) {
    std::vector<SeriesPoint> points;
    points.reserve(rows.size());
    for (const core::Traffic& row : rows) {
        points.push_back({row.name, row.ranks, static_cast<double>(row.total())});
    }
    return series_picture({weft::to_string(problem),
                           "bytes sent by all ranks together, in one direction", core::bytes_text},
                          points);
}

}  // namespace

void explain_volume(const core::PlanRequest& request, const VolumeOptions& options) {
    std::vector<int> counts = options.ranks;
    for (int ranks = 2; options.ranks.empty() && ranks <= 4096; ranks *= 2) counts.push_back(ranks);
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    std::vector<core::Traffic> rows;
    for (const int ranks : counts) {
        const auto some = core::compared_traffic(request.problem, request.choice, ranks);
        rows.insert(rows.end(), some.begin(), some.end());
    }
    if (!options.csv.empty()) write_file(options.csv, core::volume_csv(rows));
    if (!options.plot.empty()) write_file(options.plot, picture(request.problem, rows));
    fmt::print("problem    {}\n{}", weft::to_string(request.problem), core::volume_table(rows));
}

}  // namespace weft::cli
