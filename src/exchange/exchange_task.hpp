// What the tasks of all kinds of exchanges have in common.
#pragma once

#include <vector>

#include "base/work.hpp"
#include "geometry/layout.hpp"

namespace weft::core {

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
