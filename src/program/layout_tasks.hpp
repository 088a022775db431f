// Tasks (base/work.hpp, base/transforms.hpp) between two layouts of a rank's array: transforms,
// copies, exchanges.
#pragma once

#include <vector>

#include "base/transforms.hpp"
#include "geometry/layout.hpp"
#include "plan/plan.hpp"

namespace weft::core {

/// Transforms all axes of the stage, from one box of a rank to the same box after it. Loops over
/// the other axes follow `order`, slowest first.
FftTask fft_task(const TransformStage& transform, Precision precision, const StoredBox& from,
                 const StoredBox& to, const std::vector<int>& order);
/// Transforms each box of the rank from one layout to another.
std::vector<FftTask> fft_tasks(const TransformStage& transform, const Layout& from,
                               const Layout& to, int rank);

/// Copies a slice to another one with the same extents.
CopyTask copy_task(const Slice& from, const Slice& to, Index element_bytes);
/// Copies a rank's boxes from one layout to another that has the same boxes.
std::vector<CopyTask> copies_between(const Layout& from, const Layout& to, int rank);

/// The real numbers of a rank's boxes, in as few runs as they make: a slice for each box.
std::vector<Slice> real_slices(const Layout& layout, int rank);

/// An exchange between two layouts that has no transport and no messages yet.
ExchangeTask exchange_between(const Layout& from, const Layout& to, Group group, Index chunk);
/// The slices of a peer's message, or of its part of a region, to which the caller adds. Slices of
/// one peer follow each other.
template <class OfPeer>
std::vector<Slice>& slices_of(std::vector<OfPeer>& all, int peer) {
    if (all.empty() || all.back().peer != peer) all.push_back({peer, {}});
    return all.back().slices;
}

}  // namespace weft::core
