#include "plan/sphere.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/index.hpp"
#include "base/transforms.hpp"
#include "plan/problem.hpp"

namespace weft::core {

int column_axis(const Problem& problem) {
    const std::vector<int> axes = transformed_axes(problem);
    const int r2c_axis = r2c_axis_of(problem);
    const bool skips = axes.size() > 1 && axes.front() == r2c_axis;
    return axes[skips ? 1 : 0];
}

namespace {

/// The modes that the indices of an axis stand for: 0, 1, .., and in FFT's order the negative ones
/// up to -1. An axis that is not transformed has mode 0 only.
struct AxisModes {
    Index count = 1;
    Index negative = 0;  ///< how many of them are
    bool transformed = false;

    [[nodiscard]] Index mode(Index i) const {
        if (!transformed) return 0;
        return i < count - negative ? i : i - count;
    }
    /// Calls visit(begin, end) for the intervals of indices whose modes are at most `most`.
    template <class Visit>
    void within(Index most, const Visit& visit) const {
        if (!transformed) return visit(Index{0}, count);
        const Index end = std::min(most + 1, count - negative);
        const Index begin = count - std::min(most, negative);
        if (end == begin) return visit(Index{0}, count);
        visit(Index{0}, end);
        if (begin < count) visit(begin, count);
    }
};

AxisModes modes_of(const Problem& problem, const std::vector<Index>& shape, int axis) {
    const AxisKind kind = axis < dims_of(problem) ? axis_kind(problem, axis) : AxisKind::none;
    const Index count = shape[usize(axis)];
    const bool both_signs = kind == AxisKind::c2c;
    return {count, both_signs ? count / 2 : 0, kind != AxisKind::none};
}

/// The largest whole number whose square is not larger.
Index root(double square) {
    auto result = static_cast<Index>(std::sqrt(square));
    const auto squared = [](Index n) { return static_cast<double>(n) * static_cast<double>(n); };
    while (squared(result) > square) --result;
    while (squared(result + 1) <= square) ++result;
    return result;
}

/// Rows of columns, in row-major order.
class Rows {
  public:
    Rows(const Problem& problem, double cutoff)
        : shape_(array_shape(problem, true)), column_(column_axis(problem)) {
        // Beyond the longest axis all modes are within; squares stay exact.
        constexpr double most = 1e8;
        square_ = std::min(cutoff, most) * std::min(cutoff, most);
        for (int axis = 0; axis < static_cast<int>(shape_.size()); ++axis) {
            all_.push_back(modes_of(problem, shape_, axis));
        }
        for (int axis = 0; axis < dims_of(problem); ++axis) {
            if (axis != column_) others_.push_back(axis);
        }
        add(0, 0, whole(shape_));
    }
    /// Boxes that are single columns but along the last other axis.
    [[nodiscard]] const std::vector<Box>& boxes() const { return boxes_; }
    /// The axis of a row; -1: there is a single column.
    [[nodiscard]] int along() const { return others_.empty() ? -1 : others_.back(); }

  private:
    void add(std::size_t number, double sum, Box box) {
        if (others_.empty()) return boxes_.push_back(std::move(box));
        const auto axis = usize(others_[number]);
        const AxisModes& modes = all_[axis];
        const bool last = number + 1 == others_.size();
        modes.within(root(square_ - sum), [&](Index begin, Index end) {
            if (last) {
                box.lo[axis] = begin;
                box.hi[axis] = end;
                return boxes_.push_back(box);
            }
            for (Index i = begin; i < end; ++i) {
                box.lo[axis] = i;
                box.hi[axis] = i + 1;
                const auto mode = static_cast<double>(modes.mode(i));
                add(number + 1, sum + mode * mode, box);
            }
        });
    }

    std::vector<Index> shape_;
    int column_;
    double square_ = 0;
    std::vector<AxisModes> all_;
    std::vector<int> others_;
    std::vector<Box> boxes_;
};

}  // namespace

Distribution sphere_columns(const Problem& problem, double cutoff, int ranks) {
    const Rows rows(problem, cutoff);
    const int along = rows.along();
    const auto width = [&](const Box& box) { return along < 0 ? 1 : box.extent(along); };
    Index all = 0;
    for (const Box& row : rows.boxes()) all += width(row);
    std::vector<std::vector<Box>> boxes(usize(ranks));
    Index before = 0;
    int rank = 0;
    for (Box row : rows.boxes()) {
        while (width(row) > 0) {
            const Index end = part_begin(all, Index{ranks}, Index{rank} + 1);
            if (before >= end) {
                ++rank;
                continue;
            }
            Box piece = row;
            const Index taken = std::min(width(row), end - before);
            if (along >= 0) {
                piece.hi[usize(along)] = row.lo[usize(along)] += taken;
            }
            boxes[usize(rank)].push_back(std::move(piece));
            before += taken;
            if (along < 0) break;
        }
    }
    return Distribution(BoxList(array_shape(problem, true), boxes, true));
}

}  // namespace weft::core
