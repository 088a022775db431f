// The classes of NAS Parallel Benchmark FT, and what their checksums are.
#pragma once

#include <array>
#include <complex>
#include <span>

#include "weft/problem.hpp"

namespace weft::cli {

using Complex = std::complex<double>;

struct ProblemClass {
    char name;
    std::array<Index, 3> shape;          ///< nz, ny, nx: NAS' u(nx,ny,nz) has x fastest
    std::span<const Complex> published;  ///< one checksum for each iteration
};

/// Throws Error(bad_request) if there is none of that name.
const ProblemClass& find_class(char name);

}  // namespace weft::cli
