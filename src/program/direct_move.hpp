// A last move by shared memory that has no window: the transform before it stores its results
// straight in the readers' output arrays.
#pragma once

#include <vector>

#include "program/fused.hpp"

namespace weft::core {

class DirectMove {
  public:
    DirectMove(const Plan& plan, std::size_t stage, int rank);

    /// The other ranks to whose arrays it writes.
    [[nodiscard]] const std::vector<int>& readers() const { return readers_; }
    /// The parts of the arrays that it writes: of its own as target_place, of others as
    /// `first_place` and beyond.
    [[nodiscard]] std::vector<PlacedBox> written(int first_place) const;
    /// Who may write to whose array: sends are what others write here.
    [[nodiscard]] ExchangeTask offers() const;

  private:
    /// The part of a rank's output array that is this box.
    [[nodiscard]] StoredBox part(int rank, const Box& box) const;

    const Layout& from_;
    const Layout& to_;
    Index chunk_;
    int rank_;
    std::vector<int> readers_;
};

}  // namespace weft::core
