#include "plot/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace weft::cli {

namespace {

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        result += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
    }
    return result;
}

/// Linear light to the 8 bits of sRGB.
int channel(double linear) {
    const double light = std::clamp(linear, 0.0, 1.0);
    const double encoded =
        light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
    return static_cast<int>(std::lround(255 * encoded));
}

}  // namespace

std::string pixels(double length) {
    const double rounded = std::round(length * 10) / 10;
    return fmt::format("{}", rounded == 0 ? 0.0 : rounded);  // never -0
}

std::string rank_colour(int rank, int ranks, double lighter) {
    // In OKLCH, where equal steps of lightness and hue look equally large. Blue comes first. With
    // an odd number of ranks the last is beside the first, so there are three levels.
    constexpr std::array<double, 3> levels = {0.66, 0.80, 0.73};
    const auto level = static_cast<std::size_t>(ranks % 2 == 1 && rank == ranks - 1 ? 2 : rank % 2);
    const double lightness = levels[level] + lighter;
    const double angle =
        2 * std::numbers::pi * (0.70 + static_cast<double>(rank) / std::max(ranks, 1));
    const double a = 0.115 * std::cos(angle);
    const double b = 0.115 * std::sin(angle);
    // OKLab to linear sRGB.
    const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
    const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
    const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
    return fmt::format("#{:02x}{:02x}{:02x}",
                       channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
                       channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
                       channel(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s));
}

void Svg::open(std::string_view kind) { body_ += fmt::format("<g class='{}'>\n", kind); }

void Svg::close() { body_ += "</g>\n"; }

void Svg::title(std::string_view content) {
    body_ += fmt::format("<title>{}</title>\n", escaped(content));
}

void Svg::text(Point at, std::string_view content, std::string_view attributes) {
    if (content.empty()) return;
    body_ += fmt::format("<text x='{}' y='{}' {}>{}</text>\n", pixels(at.x), pixels(at.y),
                         attributes, escaped(content));
}

void Svg::polygon(const std::vector<Point>& corners, std::string_view attributes) {
    std::string points;
    for (const Point& p : corners) points += fmt::format(" {},{}", pixels(p.x), pixels(p.y));
    body_ += fmt::format("<polygon points='{}' {}/>\n", points.substr(1), attributes);
}

void Svg::line(Point from, Point to, std::string_view attributes) {
    body_ += fmt::format("<line x1='{}' y1='{}' x2='{}' y2='{}' {}/>\n", pixels(from.x),
                         pixels(from.y), pixels(to.x), pixels(to.y), attributes);
}

std::string Svg::document(double width, double height) const {
    return fmt::format(
        "<svg xmlns='http://www.w3.org/2000/svg' width='{0}' height='{1}' viewBox='0 0 {0} {1}' "
        "font-family='Helvetica, Arial, DejaVu Sans, sans-serif' font-size='12' fill='#222'>\n"
        "<rect width='{0}' height='{1}' fill='#fff'/>\n{2}</svg>\n",
        pixels(width), pixels(height), body_);
}

}  // namespace weft::cli
