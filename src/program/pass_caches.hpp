// Which caches hold what a pass over memory reads and writes.
#pragma once

#include "base/transforms.hpp"

namespace weft::core {

/// What a pass tells the engine about its source and its result.
class PassCaches {
  public:
    /// `before`, `after`: bytes of the rank's box on either side; `own`: nobody else reads the
    /// result; `shared_cache` as Environment has it.
    PassCaches(Index before, Index after, bool own, Index shared_cache)
        : far_(before > far_bytes),
          stream_(after > (own ? stream_own_bytes : stream_bytes)),
          near_in_share_(shared_cache > 0 && before <= far_in_share_bytes),
          fits_share_(after <= shared_cache / arrays_in_share) {}

    [[nodiscard]] bool far() const { return far_; }
    [[nodiscard]] bool stream() const { return stream_; }
    /// Of lines from the source or from scratch memory of so many bytes, to the result or to
    /// scratch memory. What was measured where a plan runs must change no bits: contiguous lines
    /// take other kernels where the caches are said to be others, so they are not told.
    [[nodiscard]] CacheHints of_lines(bool contiguous, Index reads_scratch,
                                      bool writes_scratch) const {
        const bool far = far_ && (contiguous || !near_in_share_);
        const bool stream = stream_ && (contiguous || !fits_share_);
        return {.far_from = reads_scratch > 0 ? reads_scratch > near_bytes : far,
                .far_to = far && !writes_scratch,
                .stream = stream && !writes_scratch};
    }

  private:
    /// Sources above 256 KiB have left the cache by the time they are read, so the next tile is
    /// prefetched; up to 1.25 MiB they are as near as lines ask where ranks share a cache.
    static constexpr Index far_bytes = Index{1} << 18;
    static constexpr Index far_in_share_bytes = Index{5} << 18;
    /// Scratch memory above 448 KiB does not stay in the nearer caches, so the next tile is
    /// prefetched from it as well.
    static constexpr Index near_bytes = Index{7} << 16;
    /// Results for others above 768 KiB are written past the caches: the reader gets them faster
    /// from memory than from another core's caches, and the source keeps its room in this core's.
    static constexpr Index stream_bytes = Index{3} << 18;
    /// Results that nobody else reads are, above 1.5 MiB: up to that much of them is in the second
    /// cache when this core goes on with it.
    static constexpr Index stream_own_bytes = Index{3} << 19;
    /// But where ranks share a cache they stay in it as long as a fifth of a rank's share holds
    /// them: the other arrays and regions want room as well.
    static constexpr Index arrays_in_share = 5;

    bool far_;
    bool stream_;
    bool near_in_share_;
    bool fits_share_;
};

}  // namespace weft::core
