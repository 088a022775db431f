// A move by shared memory, as one rank sees it: its window, and what it reads in those of others.
#pragma once

#include <utility>
#include <vector>

#include "program/fused.hpp"
#include "program/window.hpp"

namespace weft::core {

/// Windows are used in turn, so that a stage between two moves reads one and writes another.
inline constexpr int windows_in_turn = 2;

class SharedMove {
  public:
    SharedMove(const Plan& plan, std::size_t stage, int rank);

    /// Which of the windows.
    [[nodiscard]] int window() const { return window_; }
    [[nodiscard]] Index bytes() const { return layout_.bytes(rank_); }
    /// The other ranks whose windows it reads.
    [[nodiscard]] const std::vector<int>& peers() const { return peers_; }
    /// All blocks of its window, as target_place.
    [[nodiscard]] std::vector<PlacedBox> written() const;
    /// The blocks that it reads: its own as source_place, others' as first_peer_place and beyond.
    [[nodiscard]] std::vector<PlacedBox> read() const;
    /// From the layout before the move to the window.
    [[nodiscard]] std::vector<CopyTask> copies_in() const;
    /// From windows to the layout after the move, by their rank; -1: this rank's.
    [[nodiscard]] std::vector<std::pair<int, std::vector<CopyTask>>> copies_out() const;
    /// Who reads whose window, a slice for each block; receives lie where the sender has them.
    [[nodiscard]] ExchangeTask task() const;

  private:
    const Layout& from_;
    const Layout& to_;
    Index chunk_;
    int rank_;
    int window_;
    WindowLayout layout_;
    std::vector<int> peers_;
};

}  // namespace weft::core
