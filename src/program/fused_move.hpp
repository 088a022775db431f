// A move without packing, as one rank sees it: what it writes for others to read or to be sent to
// them, and what it reads in their regions or of what has landed.
#pragma once

#include <optional>
#include <vector>

#include "base/topology.hpp"
#include "exchange/via.hpp"
#include "program/fused.hpp"
#include "program/region_layout.hpp"

namespace weft::core {

/// Copies from or to one place.
struct PlacedCopies {
    int place = 0;
    std::vector<CopyTask> copies;
};

class FusedMove {
  public:
    FusedMove(const Plan& plan, std::size_t stage, int rank, const Topology& topology);

    /// Which of the work regions what it writes lies in; nothing: in none, all is sent.
    [[nodiscard]] std::optional<int> region() const { return region_; }
    /// Whether messages are sent; the same on every rank.
    [[nodiscard]] bool sends() const { return sends_; }
    [[nodiscard]] Index written_bytes() const { return layout_.written_bytes(rank_); }
    [[nodiscard]] Index landed_bytes() const { return layout_.landed_bytes(rank_); }
    /// The other ranks whose regions it reads.
    [[nodiscard]] const std::vector<int>& peers() const { return peers_; }
    /// All parts that it writes, as target_place and landing_place; numbers of boxes are those
    /// before the move.
    [[nodiscard]] std::vector<PlacedBox> written() const;
    /// The parts that it reads: in its own region as source_place, of what has landed as
    /// arrived_place, in others' regions as first_peer_place and beyond; numbers of boxes are those
    /// after the move.
    [[nodiscard]] std::vector<PlacedBox> read() const;
    /// From the layout before the move to the places that are written.
    [[nodiscard]] std::vector<PlacedCopies> copies_in() const;
    /// From the places that are read to the layout after the move.
    [[nodiscard]] std::vector<PlacedCopies> copies_out() const;
    /// Who reads whose region, a slice for each part.
    [[nodiscard]] RegionTask reading() const;
    /// The messages, one slice for each peer.
    [[nodiscard]] ExchangeTask messages() const;

  private:
    /// Adds a part in that place to those before it, of the rank's box of that number; with the
    /// last of them it may make one.
    void place(const RegionPart& part, int place, int own, std::vector<PlacedBox>& boxes) const;
    /// The parts that it reads in regions, found once: that costs the parts of its peers' regions.
    [[nodiscard]] const std::vector<RegionPart>& read_in_place() const;
    [[nodiscard]] std::vector<PlacedCopies> copies(const Layout& layout,
                                                   const std::vector<PlacedBox>& boxes,
                                                   bool in) const;

    const Layout& from_;
    const Layout& to_;
    Via via_;
    Index chunk_;
    int ranks_;
    int rank_;
    std::optional<int> region_;
    bool sends_;
    RegionLayout layout_;
    std::vector<int> peers_;
    mutable std::optional<std::vector<RegionPart>> read_in_place_{};
};

}  // namespace weft::core
