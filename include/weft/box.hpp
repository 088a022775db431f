// A box of array indices: the part of a global array that a rank owns.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#pragma GCC visibility push(default)

namespace weft {

/// Extents, offsets, counts and sizes; 64 bits everywhere.
using Index = std::int64_t;

/// The half-open box lo[a] <= i[a] < hi[a] of global indices, one range per array axis.
/// Invariant: lo and hi have the same length and lo[a] <= hi[a]. Unit: elements.
struct Box {
    std::vector<Index> lo;
    std::vector<Index> hi;

    [[nodiscard]] int axes() const { return static_cast<int>(lo.size()); }
    [[nodiscard]] Index extent(int axis) const {
        const auto a = static_cast<std::size_t>(axis);
        return hi[a] - lo[a];
    }
    [[nodiscard]] std::vector<Index> extents() const;
    /// The number of elements inside (1 for a box without axes).
    [[nodiscard]] Index volume() const;
    [[nodiscard]] bool empty() const { return volume() == 0; }

    bool operator==(const Box&) const = default;
};

/// The whole array of that shape: lo = 0, hi = shape.
Box whole(const std::vector<Index>& shape);
/// The common part of two boxes: a box of volume 0 if they do not overlap.
Box intersect(const Box& a, const Box& b);
/// `[0:64,32:64]`.
std::string to_string(const Box& box);

/// The caller's boxes, any number for each rank. Copies share them, so that copying a problem for
/// very many ranks is cheap.
class OwnBoxes {
  public:
    using ByRank = std::vector<std::vector<Box>>;

    OwnBoxes() = default;
    // NOLINTNEXTLINE(google-explicit-constructor)
    OwnBoxes(ByRank boxes);

    [[nodiscard]] const ByRank& by_rank() const;  ///< by_rank()[rank]; empty without boxes
    [[nodiscard]] bool empty() const { return boxes_ == nullptr; }
    bool operator==(const OwnBoxes& other) const {
        return boxes_ == other.boxes_ || by_rank() == other.by_rank();
    }

  private:
    std::shared_ptr<const ByRank> boxes_;  ///< null: no boxes
};

}  // namespace weft

#pragma GCC visibility pop
