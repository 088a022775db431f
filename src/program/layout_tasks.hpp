// Tasks (base/work.hpp, base/transforms.hpp) between two layouts of a rank's array: transforms
// and copies.
#pragma once

#include <vector>

#include "base/transforms.hpp"
#include "geometry/layout.hpp"
#include "plan/plan.hpp"

namespace weft::core {

/// Transforms all axes of the stage, one alone if a part of its lines is kept, from one box of a
/// rank, whose elements are `source`, to the same box after it. Loops over the other axes follow
/// `order`, slowest first. r2r of complex numbers is a task of real ones (program/real_parts.hpp).
FftTask fft_task(const TransformStage& transform, const Scalar& source, const StoredBox& from,
                 const StoredBox& to, const std::vector<int>& order);
/// Transforms each box of the rank from one layout to another.
std::vector<FftTask> fft_tasks(const TransformStage& transform, const Layout& from,
                               const Layout& to, int rank);

/// Where the array is between one axis and the next of a stage whose axes go one after the other, as
/// kept_order() says, from array to array.
std::vector<Layout> layouts_between_axes(const TransformStage& transform, const Layout& from,
                                         const Layout& to);

/// Copies a rank's boxes from one layout to another that has the same boxes.
std::vector<CopyTask> copies_between(const Layout& from, const Layout& to, int rank);

/// The real numbers of a slice's elements, of which each has so many, in as few runs as they make.
Slice real_numbers(const Slice& elements, Index width);
/// The real numbers of a rank's boxes, in as few runs as they make: a slice for each box.
std::vector<Slice> real_slices(const Layout& layout, int rank);

}  // namespace weft::core
