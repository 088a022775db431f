// A picture as text: just enough of SVG to draw with.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::cli {

/// In pixels; x to the right, y down.
struct Point {
    double x = 0;
    double y = 0;
};

/// Elements are written in the order of calls, later ones on top.
class Svg {
  public:
    using Attributes = std::vector<std::pair<std::string, std::string>>;

    void open(std::string_view name, const Attributes& attributes);
    void close();
    /// An element without content.
    void leaf(std::string_view name, const Attributes& attributes);
    /// What a reader shows for the element that is open, when asked.
    void title(std::string_view content);
    void text(Point at, std::string_view content, const Attributes& attributes);
    void polygon(const std::vector<Point>& corners, const Attributes& attributes);
    void line(Point from, Point to, const Attributes& attributes);

    /// The whole document, on a white ground.
    [[nodiscard]] std::string document(double width, double height) const;

  private:
    void begin(std::string_view name, const Attributes& attributes, std::string_view end);

    std::string body_;
    std::vector<std::string> open_;
};

/// A length with one decimal.
std::string pixels(double length);

}  // namespace weft::cli
