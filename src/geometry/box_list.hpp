// The boxes of all ranks, as a caller gives them: any number for each, in any arrangement that
// covers the array once, or a part of it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/index.hpp"
#include "geometry/boxes_by_rank.hpp"

namespace weft::core {

/// Boxes by rank, which tile an array or a part of it, in a tree of bounding boxes: what meets a box
/// is found without looking at all of them. Empty boxes are left out. Takes some 100 bytes for each
/// box of three axes.
class BoxList : public BoxesByRank {
  public:
    /// Throws Error(bad_request) that names a box outside the array, two boxes that overlap, or a
    /// part of the array that no box covers; if boxes may be `sparse`, this only if they cover
    /// nothing. Costs n log n for n boxes.
    BoxList(std::vector<Index> shape, const std::vector<std::vector<Box>>& boxes,
            bool sparse = false);

    [[nodiscard]] std::size_t most_boxes(int rank) const override {
        const auto r = usize(rank);
        return first_[r + 1] - first_[r];
    }
    void for_each_box(int rank, VisitBox visit) const override {
        const auto r = usize(rank);
        for (std::size_t i = first_[r]; i < first_[r + 1]; ++i) {
            visit(at(bounds_, i), at(bounds_, i) + axes());
        }
    }
    [[nodiscard]] bool local(int axis) const override { return local_[usize(axis)]; }
    [[nodiscard]] Index largest() const override { return largest_; }
    [[nodiscard]] Index covered() const override { return covered_; }
    [[nodiscard]] bool idle(int used) const override;
    void overlaps(const Box& wanted,
                  const std::function<void(int, const Box&)>& visit) const override;
    [[nodiscard]] std::shared_ptr<const BoxesByRank> reshaped(
        std::vector<Index> shape) const override;
    /// `boxes#1f0c..`, with a number that tells lists apart, for short texts.
    [[nodiscard]] std::string name() const override;

  private:
    /// Boxes one after the other, each with its lower bounds, then its upper ones.
    using Bounds = std::vector<Index>;
    /// Of the tree: entries begin .. end-1 of its order. The first child of an inner node is the
    /// next node.
    struct Node {
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
        std::uint32_t second = 0;  ///< the other child; 0, which is the root: it is a leaf
    };

    [[nodiscard]] std::size_t axes() const { return shape().size(); }
    [[nodiscard]] Index* at(Bounds& all, std::size_t i) const { return &all[2 * axes() * i]; }
    [[nodiscard]] const Index* at(const Bounds& all, std::size_t i) const {
        return &all[2 * axes() * i];
    }
    /// Whether two boxes have elements in common.
    [[nodiscard]] bool meet(const Index* a, const Index* b) const;
    [[nodiscard]] Box box(std::size_t number) const;
    void add(const Box& box, int rank);
    void measure();
    std::size_t grow(std::uint32_t begin, std::uint32_t end);
    /// The axis along which the middles of entries differ most.
    [[nodiscard]] std::size_t widest_axis(std::uint32_t begin, std::uint32_t end) const;
    /// Twice the middle of a box.
    [[nodiscard]] Index middle(std::uint32_t box, std::size_t axis) const {
        const Index* bounds = at(bounds_, box);
        return bounds[axis] + bounds[axes() + axis];
    }
    void find(std::size_t node, const Index* wanted,
              const std::function<void(std::uint32_t)>& visit) const;
    [[nodiscard]] bool is_made_like(const BoxesByRank& other) const override;
    void check_inside(const Box& box, int rank) const;
    /// The entries of a node with each other; those of two nodes.
    void check_disjoint(std::size_t node) const;
    void check_disjoint(std::size_t a, std::size_t b) const;
    void check_apart(std::uint32_t a, std::uint32_t b) const;
    void check_complete(bool sparse) const;
    [[nodiscard]] Box uncovered(const Box& region) const;

    Bounds bounds_;                     ///< of all boxes, by rank
    std::vector<std::int32_t> owner_;   ///< of each box
    std::vector<std::uint32_t> first_;  ///< the number of each rank's first box, and of all
    std::vector<bool> local_;
    Index largest_ = 0;
    Index covered_ = 0;
    std::vector<std::uint32_t> order_;  ///< of the boxes in the tree
    std::vector<Node> nodes_;
    Bounds node_bounds_;
};

}  // namespace weft::core
