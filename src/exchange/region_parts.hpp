// Parts of the memory of a rank that other ranks read or write, or are sent.
#pragma once

#include <optional>
#include <vector>

#include "base/work.hpp"
#include "exchange/transfers.hpp"
#include "geometry/blocks.hpp"

namespace weft::core {

/// A piece of a share: in a region, in an array, in what is sent or in what has landed. Offsets
/// count elements.
struct RegionPart {
    int peer = 0;           ///< the other end; the rank asked about, for what it keeps
    int own = 0;            ///< the number of the box of the rank that was asked about
    bool in_place = false;  ///< it is read, or written, by other ranks where it lies
    bool of_peer = false;   ///< it lies in the peer's memory, not in that of the rank asked about
    bool padded = false;    ///< rows along the fastest axis have room for whole tiles
    BlockedBox where;
    bool operator==(const RegionPart&) const = default;
};

/// Those transfers in arrays of that layout: all in the owner's, or each in its peer's.
std::vector<RegionPart> parts_of_arrays(const Layout& layout,
                                        const std::vector<Transfer>& transfers,
                                        std::optional<int> owner);

/// What the other ranks use of a rank's memory, and it of theirs: all parts in place that are not
/// for itself, their elements in that order of axes.
void add_uses(const std::vector<RegionPart>& own, const std::vector<RegionPart>& others, int rank,
              const std::vector<int>& order, RegionTask& task);

/// A message for each peer, of all its parts that are not in place: they follow each other without
/// gaps.
std::vector<Message> messages_of(const std::vector<RegionPart>& parts, int rank);

}  // namespace weft::core
