// The element type of an array: real or complex, single or double precision; or bytes that are
// only moved.
#pragma once

#include "weft/problem.hpp"

namespace weft::core {

struct Scalar {
    Precision precision = Precision::f64;
    bool complex = true;
    Index opaque_bytes = 0;  ///< of an element that nobody looks into; 0: it is a number

    /// Bytes of one element; of a number 4, 8 or 16.
    [[nodiscard]] Index bytes() const {
        if (opaque_bytes != 0) return opaque_bytes;
        return (precision == Precision::f64 ? 8 : 4) * (complex ? 2 : 1);
    }
    /// Real numbers in one element, if it is a number.
    [[nodiscard]] Index numbers() const { return complex ? 2 : 1; }
    bool operator==(const Scalar&) const = default;
};

}  // namespace weft::core
