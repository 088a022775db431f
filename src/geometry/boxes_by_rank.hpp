// Boxes of all ranks that no process grid makes: a caller's, or shares of rows.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/function_ref.hpp"
#include "weft/box.hpp"

namespace weft::core {

/// Of an array, the axis of a batch included.
inline constexpr std::size_t most_axes = 8;

/// Called with the lower and the upper bounds of a box, one for each axis.
using VisitBox = FunctionRef<void(const Index*, const Index*)>;

/// Any number of boxes for each rank, none of them empty, of which no two overlap. Together they cover
/// an array, or leave some of its elements out: those are nobody's.
class BoxesByRank {
  public:
    BoxesByRank(std::vector<Index> shape, int ranks) : shape_(std::move(shape)), ranks_(ranks) {}
    virtual ~BoxesByRank() = default;

    [[nodiscard]] const std::vector<Index>& shape() const { return shape_; }
    [[nodiscard]] int ranks() const { return ranks_; }
    /// Calls visit(lo, hi) with the bounds of each of the rank's boxes; allocates nothing.
    virtual void for_each_box(int rank, VisitBox visit) const = 0;
    /// No fewer than the rank has.
    [[nodiscard]] virtual std::size_t most_boxes(int rank) const = 0;
    [[nodiscard]] std::vector<Box> boxes(int rank) const;
    /// Whether every box spans the whole axis.
    [[nodiscard]] virtual bool local(int axis) const = 0;
    /// The elements of the rank that has most.
    [[nodiscard]] virtual Index largest() const = 0;
    /// The elements of all ranks.
    [[nodiscard]] virtual Index covered() const { return whole(shape_).volume(); }
    /// Whether one of the first `used` ranks owns nothing.
    [[nodiscard]] virtual bool idle(int used) const = 0;
    /// Calls visit(rank, common part) for every box that meets the wanted one, not in order. Costs
    /// the number of such boxes, and the logarithm of the number of all.
    virtual void overlaps(const Box& wanted,
                          const std::function<void(int, const Box&)>& visit) const = 0;
    /// The same boxes of an array whose local axes have other lengths; other axes must keep theirs.
    [[nodiscard]] virtual std::shared_ptr<const BoxesByRank> reshaped(
        std::vector<Index> shape) const = 0;
    /// How plans print them.
    [[nodiscard]] virtual std::string name() const = 0;

    /// Whether all ranks own the same boxes. Costs the ranks where they are equal and not seen to
    /// be.
    bool operator==(const BoxesByRank& other) const {
        if (shape_ != other.shape_ || ranks_ != other.ranks_) return false;
        if (is_made_like(other)) return true;
        for (int rank = 0; rank < ranks_; ++rank) {
            if (boxes(rank) != other.boxes(rank)) return false;
        }
        return true;
    }

  protected:
    BoxesByRank(const BoxesByRank&) = default;
    BoxesByRank(BoxesByRank&&) = default;
    BoxesByRank& operator=(const BoxesByRank&) = default;
    BoxesByRank& operator=(BoxesByRank&&) = default;
    void set_shape(std::vector<Index> shape) { shape_ = std::move(shape); }

  private:
    /// Whether both are equal at a glance.
    [[nodiscard]] virtual bool is_made_like(const BoxesByRank& other) const = 0;

    std::vector<Index> shape_;
    int ranks_;
};

/// Of what has for_each_box() and most_boxes(), in so many axes.
template <class OfRanks>
std::vector<Box> boxes_of(const OfRanks& all, int rank, std::size_t axes) {
    std::vector<Box> result;
    result.reserve(all.most_boxes(rank));
    all.for_each_box(rank, [&](const Index* lo, const Index* hi) {
        result.push_back({{lo, lo + axes}, {hi, hi + axes}});
    });
    return result;
}

inline std::vector<Box> BoxesByRank::boxes(int rank) const {
    return boxes_of(*this, rank, shape_.size());
}

}  // namespace weft::core
