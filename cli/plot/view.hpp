// How boxes of one to three axes are seen on paper: flat, or isometric.
#pragma once

#include <array>
#include <vector>

#include "plot/svg.hpp"
#include "weft/box.hpp"

namespace weft::cli {

/// A point of an array in pixels along each of its axes; axes that it does not have are 0.
using Triple = std::array<double, 3>;

/// A visible face of a solid, as a sheet to write on.
struct Face {
    Point corner;         ///< upper left
    Point across, down;   ///< a step of one pixel on the sheet
    double width = 0;     ///< steps across
    double height = 0;    ///< steps down
    int across_axis = 0;  ///< the array's axis that runs across, or down; -1: none
    int down_axis = 0;
    int normal_axis = -1;  ///< the axis that it ends; -1: the paper
    double light = 0;      ///< what its position adds to the colour's lightness

    [[nodiscard]] Point at(double steps_across, double steps_down) const {
        return {corner.x + steps_across * across.x + steps_down * down.x,
                corner.y + steps_across * across.y + steps_down * down.y};
    }
};

/// An edge along which an axis is written, from index 0 on.
struct AxisEdge {
    Point from, to;
    Point outward;  ///< a step of one pixel away from the array
};

/// One axis runs to the right. Of two axes, axis 0 runs down, as in a matrix. Of three, axis 2
/// runs up, axis 0 to the right and to the front, axis 1 to the right and to the back.
struct View {
    int axes = 1;
    Triple lengths{};  ///< of the array
    Point corner{};    ///< the upper left of all that is seen

    [[nodiscard]] double width() const;
    [[nodiscard]] double height() const;
    [[nodiscard]] Point at(const Triple& place) const;
    [[nodiscard]] std::vector<Face> faces(const Triple& lo, const Triple& hi) const;
    [[nodiscard]] AxisEdge edge(int axis) const;
};

/// A box of a rank, or a part of it.
struct Piece {
    Box part;
    Box whole;
    int rank = 0;
};

/// Disjoint pieces of three axes from back to front, so that nearer ones cover those behind them.
/// Pieces that no plane divides, as those that lie behind each other in a circle, are cut.
std::vector<Piece> paint_order(const std::vector<Piece>& pieces);

}  // namespace weft::cli
