// The element type of an array: real or complex, single or double precision.
#pragma once

#include "weft/problem.hpp"

namespace weft::core {

struct Scalar {
    Precision precision = Precision::f64;
    bool complex = true;

    /// Bytes of one element: 4, 8 or 16.
    [[nodiscard]] Index bytes() const {
        return (precision == Precision::f64 ? 8 : 4) * (complex ? 2 : 1);
    }
    bool operator==(const Scalar&) const = default;
};

}  // namespace weft::core
