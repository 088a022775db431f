// Lines that are not in one array: each in segments, of which there are as many as peers.
#pragma once

#include <memory>

#include "base/no_copy.hpp"
#include "base/transforms.hpp"

namespace weft::core {

class FftEngine;

/// A tile of lines at a time: loads, transform and stores, without an array in between. Executing
/// allocates nothing; the source is kept, and may overlap the target if all segments do exactly.
class TilePlan : NoCopy {
  public:
    virtual ~TilePlan() = default;

    /// The most lines of one call, for which it is fastest.
    [[nodiscard]] virtual Index lines() const = 0;
    /// `count` lines; from[i] and to[i] is where segment i begins. `next`: where the segments of
    /// the tile begin that is read next, to be asked for meanwhile; null if that is not known.
    virtual void execute(const std::byte* const* from, std::byte* const* to, Index count,
                         const std::byte* const* next) = 0;
    void execute(const std::byte* const* from, std::byte* const* to, Index count) {
        execute(from, to, count, nullptr);
        complete();
    }
    /// After the last tile: what was streamed is visible to other cores before what is written
    /// next.
    virtual void complete() {}
};

/// For engines that know arrays only: segments are gathered, transformed, and scattered.
std::unique_ptr<TilePlan> gathered_tiles(const FftEngine& engine, const TileTask& task);

}  // namespace weft::core
