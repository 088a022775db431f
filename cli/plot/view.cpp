#include "plot/view.hpp"

namespace weft::cli {

namespace {

constexpr double strip_height = 40;  ///< of an array of one axis
constexpr double cos30 = 0.8660254037844386;
constexpr double sin30 = 0.5;

}  // namespace

double View::width() const {
    if (axes_ == 1) return lengths_[0];
    return axes_ == 2 ? lengths_[1] : cos30 * (lengths_[0] + lengths_[1]);
}

double View::height() const {
    if (axes_ == 1) return strip_height;
    return axes_ == 2 ? lengths_[0] : sin30 * (lengths_[0] + lengths_[1]) + lengths_[2];
}

Point View::at(const Place& place) const {
    if (axes_ == 1) return {place[0], 0};
    if (axes_ == 2) return {place[1], place[0]};
    return {cos30 * (place[0] + place[1]),
            sin30 * (place[0] + lengths_[1] - place[1]) + lengths_[2] - place[2]};
}

std::vector<Face> View::faces(const Solid& solid) const {
    const Place& lo = solid.lo;
    const Place& hi = solid.hi;
    const auto extent = [&](std::size_t axis) { return hi[axis] - lo[axis]; };
    if (axes_ == 1) return {{at(lo), {1, 0}, {0, 1}, extent(0), strip_height, 0, -1}};
    if (axes_ == 2) return {{at(lo), {1, 0}, {0, 1}, extent(1), extent(0), 1, 0}};
    const Point front{cos30, sin30};
    const Point back{cos30, -sin30};
    const Point downward{0, 1};
    constexpr double bright = 0.07;
    constexpr double dark = -0.11;
    return {{at({lo[0], hi[1], hi[2]}),
             front,
             {-back.x, -back.y},
             extent(0),
             extent(1),
             0,
             1,
             2,
             true,
             bright},
            {at({lo[0], lo[1], hi[2]}), front, downward, extent(0), extent(2), 0, 2, 1, false, 0},
            {at({hi[0], lo[1], hi[2]}), back, downward, extent(1), extent(2), 1, 2, 0, true, dark}};
}

AxisEdge View::edge(int axis) const {
    if (axes_ == 1) return {{0, strip_height}, {width(), strip_height}, {0, 1}};
    if (axes_ == 2 && axis == 0) return {{0, 0}, {0, height()}, {-1, 0}};
    if (axes_ == 2) return {{0, 0}, {width(), 0}, {0, -1}};
    const Place zero{};
    const Place end0{lengths_[0], 0, 0};
    if (axis == 0) return {at(zero), at(end0), {-sin30, cos30}};
    if (axis == 1) return {at(end0), at({lengths_[0], lengths_[1], 0}), {sin30, cos30}};
    return {at(zero), at({0, 0, lengths_[2]}), {-1, 0}};
}

}  // namespace weft::cli
