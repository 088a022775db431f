// A picture as text: just enough of SVG to draw with.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft::cli {

/// In pixels; x to the right, y down.
struct Point {
    double x = 0;
    double y = 0;
};

/// Elements are written in the order of calls, later ones on top; attributes, as `fill='#222'`, as
/// they are.
class Svg {
  public:
    /// A group, until it is closed.
    void open(std::string_view kind);
    void close();
    /// A reader shows it for the group that is open, when asked.
    void title(std::string_view content);
    void text(Point at, std::string_view content, std::string_view attributes);
    void polygon(const std::vector<Point>& corners, std::string_view attributes);
    void line(Point from, Point to, std::string_view attributes);

    /// The whole document, on a white ground.
    [[nodiscard]] std::string document(double width, double height) const;

  private:
    std::string body_;
};

/// A length with one decimal.
std::string pixels(double length);

/// `#rrggbb` of a rank, lighter or darker by a part of 1. Hues go once round the circle with the
/// ranks, and lightness changes from each rank to the next, for readers who do not tell all hues
/// apart as well.
std::string rank_colour(int rank, int ranks, double lighter);

}  // namespace weft::cli
