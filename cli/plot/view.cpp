#include "plot/view.hpp"

#include <algorithm>
#include <optional>

namespace weft::cli {

namespace {

constexpr double strip_height = 40;  ///< of an array of one axis
constexpr double cos30 = 0.8660254037844386;
constexpr double sin30 = 0.5;

struct Plane {
    std::size_t axis = 0;
    Index at = 0;
};

/// A plane that cuts no piece and has some on both sides; if there is none, one that cuts.
Plane plane_between(const std::vector<Piece>& pieces) {
    std::optional<Plane> cutting;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (const Piece& piece : pieces) {
            const Index at = piece.part.lo[axis];
            const auto count = [&](auto where) {
                return std::count_if(pieces.begin(), pieces.end(), where);
            };
            const auto low = count([&](const Piece& one) { return one.part.lo[axis] < at; });
            const auto whole = count([&](const Piece& one) { return one.part.hi[axis] <= at; });
            if (low > 0 && low == whole) return {axis, at};
            if (low > 0 && !cutting) cutting = {axis, at};
        }
    }
    return *cutting;  // two disjoint pieces do not begin in one place
}

/// The parts of the pieces on one side of a plane.
std::vector<Piece> side(const std::vector<Piece>& pieces, const Plane& plane, bool low) {
    std::vector<Piece> result;
    for (Piece piece : pieces) {
        Index& end = low ? piece.part.hi[plane.axis] : piece.part.lo[plane.axis];
        end = low ? std::min(end, plane.at) : std::max(end, plane.at);
        if (piece.part.lo[plane.axis] < piece.part.hi[plane.axis]) result.push_back(piece);
    }
    return result;
}

}  // namespace

double View::width() const {
    if (axes == 1) return lengths[0];
    return axes == 2 ? lengths[1] : cos30 * (lengths[0] + lengths[1]);
}

double View::height() const {
    if (axes == 1) return strip_height;
    return axes == 2 ? lengths[0] : sin30 * (lengths[0] + lengths[1]) + lengths[2];
}

Point View::at(const Triple& place) const {
    if (axes == 1) return {corner.x + place[0], corner.y};
    if (axes == 2) return {corner.x + place[1], corner.y + place[0]};
    return {corner.x + cos30 * (place[0] + place[1]),
            corner.y + sin30 * (place[0] + lengths[1] - place[1]) + lengths[2] - place[2]};
}

std::vector<Face> View::faces(const Triple& lo, const Triple& hi) const {
    const Triple size = {hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]};
    if (axes == 1) return {{at(lo), {1, 0}, {0, 1}, size[0], strip_height, 0, -1}};
    if (axes == 2) return {{at(lo), {1, 0}, {0, 1}, size[1], size[0], 1, 0}};
    const Point front{cos30, sin30};
    const Point left{-cos30, sin30};
    const Point right{cos30, -sin30};
    const Point down{0, 1};
    return {{at({lo[0], hi[1], hi[2]}), front, left, size[0], size[1], 0, 1, 2, 0.07},
            {at({lo[0], lo[1], hi[2]}), front, down, size[0], size[2], 0, 2, 1, 0},
            {at({hi[0], lo[1], hi[2]}), right, down, size[1], size[2], 1, 2, 0, -0.11}};
}

AxisEdge View::edge(int axis) const {
    const Triple zero{};
    const Triple end0{lengths[0], 0, 0};
    if (axes == 1) {
        const double y = corner.y + strip_height;
        return {{corner.x, y}, {corner.x + width(), y}, {0, 1}};
    }
    if (axes == 2 && axis == 0) return {at(zero), at(end0), {-1, 0}};
    if (axes == 2) return {at(zero), at({0, lengths[1], 0}), {0, -1}};
    if (axis == 0) return {at(zero), at(end0), {-sin30, cos30}};
    if (axis == 1) return {at(end0), at({lengths[0], lengths[1], 0}), {sin30, cos30}};
    return {at(zero), at({0, 0, lengths[2]}), {-1, 0}};
}

std::vector<Piece> paint_order(const std::vector<Piece>& pieces) {
    if (pieces.size() < 2) return pieces;
    const Plane plane = plane_between(pieces);
    const bool low_first = plane.axis != 1;  // the eye is where axis 1 is small, 0 and 2 are large
    std::vector<Piece> sorted;
    for (const bool low : {low_first, !low_first}) {
        const std::vector<Piece> half = paint_order(side(pieces, plane, low));
        sorted.insert(sorted.end(), half.begin(), half.end());
    }
    return sorted;
}

}  // namespace weft::cli
