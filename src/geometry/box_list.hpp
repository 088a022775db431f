// The boxes of all ranks, as a caller gives them: any number for each, in any arrangement that
// covers the array once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "geometry/boxes_by_rank.hpp"

namespace weft::core {

/// Boxes by rank, which tile an array, in a tree of bounding boxes: what meets a box is found
/// without looking at all of them. Empty boxes are left out.
class BoxList : public BoxesByRank {
  public:
    /// Throws Error(bad_request) that names a box outside the array, two boxes that overlap, or a
    /// part of the array that no box covers. Costs n log n for n boxes.
    BoxList(std::vector<Index> shape, std::vector<std::vector<Box>> boxes);

    [[nodiscard]] std::vector<Box> boxes(int rank) const override { return own(rank); }
    [[nodiscard]] bool local(int axis) const override {
        return local_[static_cast<std::size_t>(axis)];
    }
    [[nodiscard]] Index largest() const override { return largest_; }
    [[nodiscard]] bool idle(int used) const override;
    void overlaps(const Box& wanted,
                  const std::function<void(int, const Box&)>& visit) const override;
    [[nodiscard]] std::shared_ptr<const BoxesByRank> reshaped(
        std::vector<Index> shape) const override;
    /// `boxes#1f0c..`, with a number that tells lists apart, for short texts.
    [[nodiscard]] std::string name() const override;

  private:
    struct Entry {
        Box box;
        int rank = 0;
    };
    /// Entries begin .. end-1; an inner node's children split them.
    struct Node {
        Box bounds;
        std::size_t begin = 0;
        std::size_t end = 0;
        std::size_t left = 0;  ///< 0: a leaf
        std::size_t right = 0;
    };

    struct Checked {};
    /// Boxes that are known to tile the array.
    BoxList(std::vector<Index> shape, std::vector<std::vector<Box>> boxes, Checked);
    [[nodiscard]] const std::vector<Box>& own(int rank) const {
        return boxes_[static_cast<std::size_t>(rank)];
    }
    [[nodiscard]] bool is_made_like(const BoxesByRank& /*other*/) const override { return false; }
    void index();
    std::size_t grow(std::size_t begin, std::size_t end);
    void find(std::size_t node, const Box& wanted,
              const std::function<void(const Entry&)>& visit) const;
    void check_inside() const;
    void check_disjoint() const;
    void check_complete() const;
    [[nodiscard]] Box uncovered(const Box& region) const;

    std::vector<std::vector<Box>> boxes_;
    std::vector<bool> local_;
    Index largest_ = 0;
    std::vector<Entry> entries_;
    std::vector<Node> nodes_;
};

}  // namespace weft::core
