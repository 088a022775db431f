// What repeated measurements say together.
#pragma once

#include <vector>

#include "measure/quartiles.hpp"

namespace weft::cli {

/// The median says what is usual; mean and deviation tell whether some repeats took much longer, as
/// they do where ranks arrive at different times ([schulz] section 4).
struct Statistics {
    double mean = 0;
    double deviation = 0;  ///< standard, of the sample; 0 for one value
    Quartiles quartiles;
};

/// Of at least one value.
Statistics statistics(const std::vector<double>& values);

}  // namespace weft::cli
