// The boxes of all ranks, as a caller gives them: any number for each, in any arrangement that
// covers the array once.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "weft/box.hpp"

namespace weft::core {

/// Boxes by rank, which tile an array, in a tree of bounding boxes: what meets a box is found
/// without looking at all of them. Empty boxes are left out.
class BoxList {
  public:
    /// Throws Error(bad_request) that names a box outside the array, two boxes that overlap, or a
    /// part of the array that no box covers. Costs n log n for n boxes. A name says where they come
    /// from, if not from a caller.
    BoxList(std::vector<Index> shape, std::vector<std::vector<Box>> boxes, std::string name = {});

    [[nodiscard]] const std::vector<Index>& shape() const { return shape_; }
    [[nodiscard]] int ranks() const { return static_cast<int>(boxes_.size()); }
    [[nodiscard]] const std::vector<Box>& boxes(int rank) const {
        return boxes_[static_cast<std::size_t>(rank)];
    }
    /// Whether every box spans the whole axis.
    [[nodiscard]] bool local(int axis) const { return local_[static_cast<std::size_t>(axis)]; }
    /// The elements of the rank that has most.
    [[nodiscard]] Index largest() const { return largest_; }
    /// Whether one of the first `used` ranks owns nothing.
    [[nodiscard]] bool idle(int used) const;
    /// Calls visit(rank, common part) for every box that meets the wanted one, not in order.
    void overlaps(const Box& wanted, const std::function<void(int, const Box&)>& visit) const;
    /// The same boxes of an array whose local axes have other lengths; other axes must keep theirs.
    [[nodiscard]] BoxList reshaped(std::vector<Index> shape) const;
    /// A number that tells lists apart, for short texts.
    [[nodiscard]] std::uint64_t digest() const;
    /// Empty for a caller's boxes.
    [[nodiscard]] const std::string& name() const { return name_; }

    /// Names do not count.
    bool operator==(const BoxList& other) const {
        return shape_ == other.shape_ && boxes_ == other.boxes_;
    }

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

    BoxList() = default;
    void index();
    std::size_t grow(std::size_t begin, std::size_t end);
    void find(std::size_t node, const Box& wanted,
              const std::function<void(const Entry&)>& visit) const;
    void check_inside() const;
    void check_disjoint() const;
    void check_complete() const;
    [[nodiscard]] Box uncovered(const Box& region) const;

    std::vector<Index> shape_;
    std::vector<std::vector<Box>> boxes_;
    std::string name_;
    std::vector<bool> local_;
    Index largest_ = 0;
    std::vector<Entry> entries_;
    std::vector<Node> nodes_;
};

}  // namespace weft::core
