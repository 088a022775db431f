// What a rank shows the others of its node in a move, and where each of them finds its part.
//
// A move by shared memory sends nothing: the source writes its part of the array to its window, one
// region for each reader, and the readers read it there. Within a region elements lie as the reader
// goes through them, in blocks of some adjacent lines: lines are transformed in tiles, side by side
// along the fastest axis, so the elements of a tile's lines are runs of a few cache lines, and
// those of a block's tiles are pages that are read from end to end.
#pragma once

#include <vector>

#include "geometry/layout.hpp"

namespace weft::core {

/// A part of what one rank shows: dense in lines, where the reader finds it.
struct WindowBlock {
    int reader = 0;
    StoredBox stored;
    bool operator==(const WindowBlock&) const = default;
};

/// The windows of one move, the same for all ranks that ask. Offsets count elements.
class WindowLayout {
  public:
    /// `line`: the axis along which the readers transform first; -1: they only copy.
    WindowLayout(const Layout& from, const Layout& to, int line);

    /// Readers ascend. Every region begins at a multiple of 64 bytes.
    [[nodiscard]] std::vector<WindowBlock> blocks(int source) const;
    /// Those of one reader; costs the number of readers of that source.
    [[nodiscard]] std::vector<StoredBox> blocks(int source, int reader) const;
    [[nodiscard]] Index bytes(int source) const;
    /// Whether the lines of a block have room for whole tiles.
    [[nodiscard]] bool padded(const StoredBox& block) const;

  private:
    /// Appends those of a box whose region begins at `offset`.
    void add(const Box& box, int reader, Index offset, std::vector<WindowBlock>& blocks) const;
    /// Elements from where its region begins to where the next one does.
    [[nodiscard]] Index room(const Box& box) const;
    /// Whether readers transform lines side by side, for which regions are cut into blocks.
    [[nodiscard]] bool in_blocks() const { return line_ != -1 && line_ != order_.back(); }
    /// Up to a multiple of so many bytes.
    [[nodiscard]] Index aligned(Index elements, Index bytes) const;
    /// The room of so many adjacent lines: whole cache lines; whole tiles unless that takes much.
    [[nodiscard]] Index width(Index lines, Index all) const;

    const Distribution& from_;
    const Distribution& to_;
    std::vector<int> order_;  ///< of the reader's axes
    int line_;
    Index element_bytes_;
};

}  // namespace weft::core
