// The median and the quartiles of repeated measurements.
#pragma once

#include <vector>

namespace weft::cli {

struct Quartiles {
    double median = 0;
    double q1 = 0;
    double q3 = 0;
};

/// Of at least one value; linear between the two values next to a quartile, as numpy and R do.
Quartiles quartiles(std::vector<double> values);

}  // namespace weft::cli
