// Where each rank finds its share of a redistribution without packing beside a sparse end.
//
// The ranks at that end have columns: boxes that are transformed along one axis. Their elements lie
// row by row, a row for each index along that axis, with columns side by side: so a transform of
// columns has all lanes of its vectors filled, however few columns a box has, and a plane across the
// columns is copied from end to end.
//
// Example: a rank has 4 x 3 x 3 columns along axis 0 and 4 x 1 x 2 more, and reads what a peer has of
// them, the first two indices along axis 0. In the peer's region these are 2 rows of 16, of which 9
// and 2 elements are used and the rest is padding.
#pragma once

#include <vector>

#include "base/topology.hpp"
#include "exchange/region_parts.hpp"
#include "exchange/transfers.hpp"
#include "geometry/layout.hpp"

namespace weft::core {

/// The regions of one redistribution, and where what is sent lands; the same for all ranks that ask.
/// Peers ascend, first those to whom it is sent. What is read in place begins at a multiple of 64
/// bytes for each peer, with rows of whole tiles; what is sent has no gaps. read() costs the parts
/// of all sources, the others those of the rank asked about.
class ColumnLayout {
  public:
    /// `line`: the axis of columns. `nodes`: whose ranks read each other's regions; null: none, not
    /// even its own, all is sent.
    ColumnLayout(const Layout& from, const Layout& to, int line, const Topology* nodes);

    /// All that `source` shows or sends, by reader.
    [[nodiscard]] std::vector<RegionPart> written(int source) const;
    /// All that `reader` reads in place, by source.
    [[nodiscard]] std::vector<RegionPart> read(int reader) const;
    /// What lands at `reader`, by source: all that it does not read in place.
    [[nodiscard]] std::vector<RegionPart> landed(int reader) const;
    [[nodiscard]] Index written_bytes(int source) const;
    [[nodiscard]] Index landed_bytes(int reader) const;

  private:
    using Transfers = std::vector<Transfer>;
    struct Shares {
        std::vector<RegionPart> parts;
        Index end = 0;  ///< elements
    };
    [[nodiscard]] bool in_place(int source, int reader) const {
        return nodes_ != nullptr && nodes_->same_node(source, reader);
    }
    [[nodiscard]] Shares written_shares(int source) const;
    [[nodiscard]] Shares landed_shares(int reader) const;
    /// Appends all of one peer, between `first` and `last`.
    void add(Transfers::const_iterator first, Transfers::const_iterator last, bool in_place,
             Shares& shares) const;

    const Distribution& from_;
    const Distribution& to_;
    const std::vector<int>& order_;  ///< of axes, where the columns are
    int line_;
    Index element_bytes_;
    const Topology* nodes_;
};

}  // namespace weft::core
