#include "explain_volume.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "measure/files.hpp"
#include "plan/volume_table.hpp"
#include "plot/volume_plot.hpp"

namespace weft::cli {

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
    if (!options.plot.empty()) write_file(options.plot, volume_picture(request.problem, rows));
    fmt::print("problem    {}\n{}", weft::to_string(request.problem), core::volume_table(rows));
}

}  // namespace weft::cli
