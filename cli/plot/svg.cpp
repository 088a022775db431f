#include "plot/svg.hpp"

#include <fmt/format.h>

#include <cmath>

namespace weft::cli {

namespace {

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        switch (c) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                result += c;
        }
    }
    return result;
}

}  // namespace

std::string pixels(double length) {
    const double rounded = std::round(length * 10) / 10;
    return fmt::format("{}", rounded == 0 ? 0.0 : rounded);  // never -0
}

void Svg::begin(std::string_view name, const Attributes& attributes, std::string_view end) {
    body_ += fmt::format("{:{}}<{}", "", 2 * (open_.size() + 1), name);
    for (const auto& [key, value] : attributes) {
        body_ += fmt::format(" {}=\"{}\"", key, escaped(value));
    }
    body_ += end;
}

void Svg::open(std::string_view name, const Attributes& attributes) {
    begin(name, attributes, ">\n");
    open_.emplace_back(name);
}

void Svg::close() {
    const std::string name = open_.back();
    open_.pop_back();
    body_ += fmt::format("{:{}}</{}>\n", "", 2 * (open_.size() + 1), name);
}

void Svg::leaf(std::string_view name, const Attributes& attributes) {
    begin(name, attributes, "/>\n");
}

void Svg::title(std::string_view content) {
    begin("title", {}, ">");
    body_ += fmt::format("{}</title>\n", escaped(content));
}

void Svg::text(Point at, std::string_view content, const Attributes& attributes) {
    if (content.empty()) return;
    Attributes all = {{"x", pixels(at.x)}, {"y", pixels(at.y)}};
    all.insert(all.end(), attributes.begin(), attributes.end());
    begin("text", all, ">");
    body_ += fmt::format("{}</text>\n", escaped(content));
}

void Svg::polygon(const std::vector<Point>& corners, const Attributes& attributes) {
    std::string points;
    for (const Point& corner : corners) {
        points +=
            fmt::format("{}{},{}", points.empty() ? "" : " ", pixels(corner.x), pixels(corner.y));
    }
    Attributes all = {{"points", points}};
    all.insert(all.end(), attributes.begin(), attributes.end());
    leaf("polygon", all);
}

void Svg::line(Point from, Point to, const Attributes& attributes) {
    Attributes all = {
        {"x1", pixels(from.x)}, {"y1", pixels(from.y)}, {"x2", pixels(to.x)}, {"y2", pixels(to.y)}};
    all.insert(all.end(), attributes.begin(), attributes.end());
    leaf("line", all);
}

std::string Svg::document(double width, double height) const {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
        "viewBox=\"0 0 {0} {1}\" "
        "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" font-size=\"12\" "
        "fill=\"#222\">\n"
        "  <rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n{2}</svg>\n",
        pixels(width), pixels(height), body_);
}

}  // namespace weft::cli
