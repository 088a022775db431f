// What a rank shows or sends the others in a redistribution without packing, and where each finds
// its share.
//
// The transform before it writes what it makes as the one after it reads it: one share for
// each reader. Readers on the same node read it there, in the sender's region; to others it goes as
// one message, which lands as it was. Within a share elements lie as the reader goes through them,
// in blocks of some adjacent lines: lines are transformed in tiles, side by side along the fastest
// axis, so the elements of a tile's lines are runs of a few cache lines, and those of a block's
// tiles are pages that are read from end to end. Where the fastest axis is whole and short, as
// fields that lie in turn are, lines are side by side along the axis above it as well. A reader
// that transforms the fastest axis first finds its lines row by row, each in whole cache lines.
#pragma once

#include <optional>
#include <vector>

#include "base/topology.hpp"
#include "exchange/region_parts.hpp"
#include "exchange/transfers.hpp"
#include "geometry/layout.hpp"

namespace weft::core {

/// The regions of one redistribution, and where what is sent lands; the same for all ranks that
/// ask. Of a share there is a part for all blocks of full width and one for the last, narrower
/// block, or one for the whole where there are no blocks. Peers ascend, first those to whom it is
/// sent. Each peer's share begins at a multiple of 64 bytes, unless it is sent and the boxes are of
/// no process grid. All answers cost the peers of the rank asked about.
class RegionLayout {
  public:
    /// `line`: the axis along which the readers transform first, unless they only copy. `nodes`:
    /// whose ranks read each other's regions; null: none, not even its own, all is sent.
    RegionLayout(const Layout& from, const Layout& to, std::optional<int> line,
                 const Topology* nodes);

    /// Whether what a rank has for another one is read where it was written.
    [[nodiscard]] bool in_place(int source, int reader) const {
        return nodes_ != nullptr && nodes_->same_node(source, reader);
    }
    /// All that `source` shows or sends, by reader.
    [[nodiscard]] std::vector<RegionPart> written(int source) const;
    /// All that `reader` reads in place, by source: the parts that these have written for it.
    [[nodiscard]] std::vector<RegionPart> read(int reader) const;
    /// What lands at `reader`, by source: all that it does not read in place.
    [[nodiscard]] std::vector<RegionPart> landed(int reader) const;
    [[nodiscard]] Index written_bytes(int source) const;
    [[nodiscard]] Index landed_bytes(int reader) const;
    /// How many sources' regions were laid out as a whole so that `reader` finds its shares:
    /// those of an assignment that are cut alike share one.
    [[nodiscard]] Index regions_laid_out(int reader) const;

  private:
    /// A box and where it lies. Only what is read in place has padded lines, messages have no gaps.
    struct Share {
        Transfer transfer;
        bool in_place = false;
        bool of_peer = false;
        Index begin = 0;
        Index end = 0;
    };
    /// Where a reader's shares begin in the regions of others.
    class Begins;
    /// What lies in the source's own memory; what lands in the reader's.
    [[nodiscard]] std::vector<Share> written_shares(int source) const;
    [[nodiscard]] std::vector<Share> landed_shares(int reader) const;
    [[nodiscard]] std::vector<Share> read_shares(int reader, Begins& begins) const;
    void append(const Transfer& transfer, bool in_place, std::vector<Share>& shares) const;
    /// Appends the parts of a share.
    void add(const Share& share, std::vector<RegionPart>& parts) const;
    [[nodiscard]] std::vector<RegionPart> parts(const std::vector<Share>& shares) const;
    /// Elements from where a box begins to where it ends.
    [[nodiscard]] Index room(const Box& box, bool in_place) const;
    /// Calls visit(axis, stride) for the axes around blocks; returns elements from where the box
    /// begins to where it ends.
    template <class Visit>
    Index lay_out_outer(const Box& box, bool in_place, const Visit& visit) const;
    /// Adjacent lines of a box for each index of along_.
    [[nodiscard]] Index lines_each(const Box& box) const {
        return along_ == order_.back() ? 1 : box.extent(order_.back());
    }
    /// The indices of along_ that make a block of a box.
    [[nodiscard]] Index block_extent(const Box& box) const;
    /// The room of so many adjacent lines: whole cache lines; whole tiles unless that takes much.
    [[nodiscard]] Index width(Index lines, Index all, bool in_place) const;

    const Distribution& from_;
    const Distribution& to_;
    std::vector<int> order_;  ///< of the reader's axes
    std::optional<int> line_;
    int along_;  ///< the axis along which adjacent lines make blocks: the fastest or that above it
    Index element_bytes_;
    Index cache_line_elements_;  ///< the fewest that make whole cache lines
    Index tile_elements_;        ///< the fewest that make whole tiles
    const Topology* nodes_;
    bool all_in_place_;  ///< all ranks share a node
    /// Shares that are sent follow each other without gaps: those of boxes that no process grid
    /// makes differ in size, and together often make one box.
    bool sent_dense_;
};

}  // namespace weft::core
