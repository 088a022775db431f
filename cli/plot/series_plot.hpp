// A picture of something against the number of ranks, one line for each name, both axes
// logarithmic, as [duy] Fig. 6.
#pragma once

#include <string>
#include <vector>

namespace weft::cli {

struct SeriesPoint {
    std::string name;
    int ranks = 1;
    double value = 0;
};

struct SeriesLabels {
    std::string title;
    std::string what;                       ///< the values are
    std::string (*text)(double) = nullptr;  ///< of a value, with its unit
};

/// As SVG, one group of class "series" for each name, in the order of the points. Values of 0 have
/// no place on a logarithmic axis and are left out.
std::string series_picture(const SeriesLabels& labels, const std::vector<SeriesPoint>& points);

}  // namespace weft::cli
