// A redistribution as the transposition of a matrix, the way FFTW's MPI interface lays one out.
#pragma once

#include <optional>
#include <string>

#include "geometry/layout.hpp"

namespace weft::core {

/// Why a redistribution is no such transposition, and what would make it one; nothing if it is. It is if one
/// process grid's factors go from the slowest axis to the second, which swap places, both cut in
/// FFTW's blocks ([schulz] section 5: the matrix layout).
std::optional<std::string> why_not_matrix(const Layout& from, const Layout& to);

/// The matrix of a redistribution that is one.
MatrixTask matrix_of(const Layout& from, const Layout& to, int rank);

}  // namespace weft::core
