// A first or last move by shared memory without a work region: the transform beside it reads the
// input arrays of others, or stores its results straight in their output arrays.
#pragma once

#include <vector>

#include "exchange/transfers.hpp"
#include "program/fused.hpp"

namespace weft::core {

class DirectMove {
  public:
    /// `input`: the others' input arrays are read; otherwise their output arrays are written.
    DirectMove(const Plan& plan, std::size_t stage, int rank, bool input);

    /// The other ranks whose arrays it reads or writes.
    [[nodiscard]] const std::vector<int>& owners() const { return owners_; }
    /// The parts of the arrays that it reads or writes: of its own as source_place or target_place,
    /// of others as `first_place` and beyond.
    [[nodiscard]] std::vector<PlacedBox> parts(int first_place) const;
    /// Who uses whose array.
    [[nodiscard]] RegionTask offer() const;

  private:
    /// The part of a rank's array that is this box.
    [[nodiscard]] StoredBox part(int rank, const Box& box) const;

    const Layout& from_;
    const Layout& to_;
    int rank_;
    bool input_;
    std::vector<Transfer> taken_;  ///< parts of others' arrays, and of its own
    std::vector<Transfer> given_;  ///< parts of its own array
    std::vector<int> owners_;
};

}  // namespace weft::core
