// A picture of what decompositions move: total bytes against ranks, both logarithmic, as [duy]
// Fig. 6.
#pragma once

#include <string>
#include <vector>

#include "plan/volume_table.hpp"

namespace weft::cli {

/// As SVG, one group of class "series" for each name, in the order of the rows. Rows that move
/// nothing have no place on a logarithmic axis and are left out.
std::string volume_picture(const Problem& problem, const std::vector<core::Traffic>& rows);

}  // namespace weft::cli
