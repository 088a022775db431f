// A picture of one layout: the array cut among ranks.
#pragma once

#include <string>
#include <vector>

#include "geometry/layout.hpp"
#include "plot/svg.hpp"
#include "plot/view.hpp"

namespace weft::cli {

/// Elements to pixels, the same for all layouts that are drawn side by side.
struct PlotScale {
    Triple pixels{};  ///< an element's, along each drawn axis
    int axes = 1;     ///< that are drawn: at most 3, at index 0 of the others
};

/// The axis whose elements lie closest together in memory.
int fastest_axis(const core::Format& format);

/// So that each of these layouts, with the names of its axes, fits into an area.
PlotScale plot_scale(const std::vector<core::Layout>& layouts, double width, double height);

/// Draws a layout into the area of that width and height at `corner`. `names` are those of the
/// axes. One group of class "box" for each box of a rank, with its rank and bounds as its title.
void draw_layout(Svg& svg, const core::Layout& layout, const PlotScale& scale,
                 const std::vector<std::string>& names, Point corner, Point size);

}  // namespace weft::cli
