// Lines that are not in one array: each in pieces, at as many places as there are peers.
#pragma once

#include <memory>
#include <vector>

#include "base/work.hpp"

namespace weft::core {

class FftEngine;

/// Some elements of every line of a tile: element e >= first of line l is (e - first)*step +
/// l*lane_step elements after where the piece begins.
struct LinePiece {
    Index first = 0;
    Index extent = 0;
    Index step = 1;
    Index lane_step = 1;
    bool operator==(const LinePiece&) const = default;
};

/// Transforms of lines of `length` that are read from pieces and written to pieces, which may be in
/// strided memory, in several arrays or another process's. Together the pieces of a side hold every
/// element once: `length` of them, or length/2+1 on the complex side of r2c and c2r.
struct TileTask {
    Kind kind = Kind::c2c;
    int sign = -1;  ///< of the exponent; r2c is always -1, c2r always +1
    Precision precision = Precision::f64;
    Index length = 1;
    std::vector<LinePiece> from;
    std::vector<LinePiece> to;
    bool stream = false;  ///< results are not read soon by this core: past its caches, if aligned
    bool far = false;     ///< lines are not in this core's caches
    bool far_to = false;  ///< nor is what results take the place of
    /// Beyond the lines that there are, all up to a whole tile may be read (written): adjacent
    /// lanes that mean nothing.
    bool reads_beyond = false;
    bool writes_beyond = false;
    bool operator==(const TileTask&) const = default;
};

/// A tile of lines at a time: loads, transform and stores, without an array in between. Executing
/// allocates nothing; the source is kept, and may overlap the target if all pieces do exactly.
class TilePlan {
  public:
    TilePlan() = default;
    TilePlan(const TilePlan&) = delete;
    TilePlan& operator=(const TilePlan&) = delete;
    virtual ~TilePlan() = default;

    /// The most lines of one call, for which it is fastest.
    [[nodiscard]] virtual Index lines() const = 0;
    /// `count` lines; from[i] and to[i] is where piece i begins. `next`: where the pieces of the
    /// tile begin that is read next, to be asked for meanwhile; null if that is not known.
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

/// For engines that know arrays only: pieces are gathered, transformed, and scattered.
std::unique_ptr<TilePlan> gathered_tiles(const FftEngine& engine, const TileTask& task);

}  // namespace weft::core
