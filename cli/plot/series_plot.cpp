#include "plot/series_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "plot/colour.hpp"
#include "plot/svg.hpp"

namespace weft::cli {

namespace {

constexpr double left = 84;
constexpr double top = 64;
constexpr double width = 560;
constexpr double height = 340;
constexpr double legend = 150;

/// A range of positive numbers along an axis of the picture.
struct Scale {
    double least = 1;
    double most = 1;

    void include(double value) {
        least = std::min(least, value);
        most = std::max(most, value);
    }
    /// 0 at the least value, 1 at the largest.
    [[nodiscard]] double place(double value) const {
        return most == least ? 0.5 : std::log(value / least) / std::log(most / least);
    }
};

struct Frame {
    Scale ranks;
    Scale values;

    [[nodiscard]] Point at(double rank_count, double value) const {
        return {left + width * ranks.place(rank_count), top + height * (1 - values.place(value))};
    }
};

using Points = std::vector<SeriesPoint>;

/// With some room above and below the lines.
Frame frame_of(const Points& points) {
    const auto first_ranks = static_cast<double>(points.front().ranks);
    Frame frame{{first_ranks, first_ranks}, {points.front().value, points.front().value}};
    for (const SeriesPoint& point : points) {
        frame.ranks.include(static_cast<double>(point.ranks));
        frame.values.include(point.value);
    }
    frame.values.least /= 1.1;
    frame.values.most *= 1.1;
    return frame;
}

void draw_axes(Svg& svg, const Frame& frame, const Points& points, std::string (*text)(double)) {
    const Svg::Attributes grid = {{"stroke", "#ddd"}};
    double last = -1e9;
    for (const SeriesPoint& point : points) {
        const Point foot = frame.at(static_cast<double>(point.ranks), frame.values.least);
        if (foot.x < last + 30) continue;  // the same number, or no room for another
        last = foot.x;
        svg.line(foot, {foot.x, top}, grid);
        svg.text({foot.x, foot.y + 18}, fmt::format("{}", point.ranks),
                 {{"text-anchor", "middle"}});
    }
    const double first = std::pow(10, std::floor(std::log10(frame.values.least)));
    for (double decade = first; decade <= frame.values.most; decade *= 10) {
        for (const int step : {1, 2, 3, 5, 7}) {
            const double value = step * decade;
            if (value < frame.values.least || value > frame.values.most) continue;
            const Point start = frame.at(frame.ranks.least, value);
            svg.line({left, start.y}, {left + width, start.y}, grid);
            svg.text({left - 8, start.y + 4}, text(value), {{"text-anchor", "end"}});
        }
    }
    svg.text({left + width / 2, top + height + 40}, "ranks", {{"text-anchor", "middle"}});
}

/// Shapes tell series apart where colours do not; those drawn first are larger, so that the later
/// ones do not cover them.
void draw_marker(Svg& svg, Point at, std::size_t series, const std::string& colour) {
    const double r = 8 - static_cast<double>(series);
    const std::array<std::vector<Point>, 3> shapes = {{{{-r, -r}, {r, -r}, {r, r}, {-r, r}},
                                                       {{0, -r}, {r, 0}, {0, r}, {-r, 0}},
                                                       {{0, -r}, {r, r}, {-r, r}}}};
    std::vector<Point> corners = shapes[series % shapes.size()];
    for (Point& corner : corners) corner = {at.x + corner.x, at.y + corner.y};
    svg.polygon(corners, {{"fill", "none"}, {"stroke", colour}, {"stroke-width", "1.5"}});
}

void draw_series(Svg& svg, const Frame& frame, const Points& all, const std::string& name,
                 std::size_t number, const std::string& colour) {
    svg.open("g", {{"class", "series"}});
    svg.title(name);
    std::string places;
    for (const SeriesPoint& point : all) {
        if (point.name != name) continue;
        const Point at = frame.at(static_cast<double>(point.ranks), point.value);
        places += fmt::format("{}{},{}", places.empty() ? "" : " ", pixels(at.x), pixels(at.y));
        draw_marker(svg, at, number, colour);
    }
    svg.leaf("polyline", {{"points", places}, {"fill", "none"}, {"stroke", colour}});
    const Point key = {left + width + 24, top + 20 + 24 * static_cast<double>(number)};
    draw_marker(svg, key, number, colour);
    svg.text({key.x + 16, key.y + 4}, name, {});
    svg.close();
}

}  // namespace

std::string series_picture(const SeriesLabels& labels, const Points& all) {
    Points points;
    std::copy_if(all.begin(), all.end(), std::back_inserter(points),
                 [](const SeriesPoint& point) { return point.value > 0; });
    Svg svg;
    svg.text({left, 28}, labels.title, {{"font-size", "15"}});
    svg.text({left, 48}, labels.what, {});
    if (!points.empty()) {
        const Frame frame = frame_of(points);
        draw_axes(svg, frame, points, labels.text);
        std::vector<std::string> names;
        for (const SeriesPoint& point : points) {
            if (std::count(names.begin(), names.end(), point.name) == 0) {
                names.push_back(point.name);
            }
        }
        const int count = static_cast<int>(names.size());
        for (int i = 0; i < count; ++i) {
            const auto number = static_cast<std::size_t>(i);
            draw_series(svg, frame, points, names[number], number,
                        to_string(rank_colour(i, count)));
        }
    }
    return svg.document(left + width + legend, top + height + 60);
}

}  // namespace weft::cli
