// The columns of modes that a sphere of plane waves has, and whose they are.
#pragma once

#include "geometry/distribution.hpp"
#include "weft/problem.hpp"

namespace weft::core {

/// The axis along which columns are whole: the first transformed one, not the r2c axis unless
/// there is no other.
int column_axis(const Problem& problem);

/// What weft::sphere(cutoff) asks for. Neighbouring columns are one box: along the last other axis
/// those of modes 0 to K are, and those of -K to -1. Costs the rows of columns, not the columns.
Distribution sphere_columns(const Problem& problem, double cutoff, int ranks);

}  // namespace weft::core
