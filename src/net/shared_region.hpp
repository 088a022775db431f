// Memory of every rank that the other ranks of its node read or write, and how they take turns.
#pragma once

#include <cstddef>
#include <memory>

#include "base/no_copy.hpp"
#include "base/work.hpp"

namespace weft::core {

/// One rank's part in one RegionTask. It can be used again and again, publish, await, release each
/// time, and allocates nothing then.
class RegionUse : NoCopy {
  public:
    virtual ~RegionUse() = default;

    /// The others may use what this rank offers.
    virtual void publish() = 0;
    /// Whether all whose regions this rank uses have published theirs as often as this rank; waits
    /// until they have, if it may block.
    virtual bool await(bool block) = 0;
    /// Tells them that this rank is done with theirs.
    virtual void release() = 0;
};

/// A region of every rank of a node. All ranks publish theirs equally often.
class SharedRegion : NoCopy {
  public:
    virtual ~SharedRegion() = default;

    /// Where the memory of a rank begins; null if it cannot be reached from here. Known of other
    /// ranks once all have shared.
    [[nodiscard]] virtual std::byte* of(int rank) const = 0;
    /// Local. Throws Error(system) if a peer of the task cannot be reached.
    virtual std::unique_ptr<RegionUse> open(const RegionTask& task) = 0;
    /// Whether all to whom this rank's part was published have released it, so that its owner may
    /// write it again; waits until they have, if it may block.
    virtual bool reclaim(bool block) = 0;
};

}  // namespace weft::core
