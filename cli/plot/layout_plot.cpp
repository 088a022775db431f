#include "plot/layout_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weft::cli {

namespace {

// For names of axes beside the array.
constexpr Point upper_left_room = {66, 22};
constexpr Point lower_right_room = {10, 22};

/// One layout being drawn.
struct Drawing {
    Svg& svg;
    const core::Layout& layout;
    const PlotScale& scale;
    View view;
    std::vector<Piece> pieces{};
    Triple gaps{};  ///< boxes are drawn a little apart, so that one sees between them

    [[nodiscard]] std::size_t axes() const { return static_cast<std::size_t>(scale.axes); }
    [[nodiscard]] int ranks() const { return layout.where.ranks(); }
    [[nodiscard]] Index extent(std::size_t axis) const { return layout.where.shape()[axis]; }
};

/// All boxes, cut to the axes that are drawn.
void collect_pieces(Drawing& d) {
    for (int rank = 0; rank < d.ranks(); ++rank) {
        for (const Box& box : d.layout.where.boxes(rank)) {
            Piece piece{box, box, rank};
            const auto others = box.lo.begin() + d.scale.axes;
            if (std::any_of(others, box.lo.end(), [](Index lo) { return lo != 0; })) continue;
            piece.part.lo.resize(d.axes());
            piece.part.hi.resize(d.axes());
            d.pieces.push_back(piece);
        }
    }
    if (d.scale.axes == 3) d.pieces = paint_order(d.pieces);
    for (std::size_t a = 0; a < d.axes(); ++a) {
        Index least = d.extent(a);
        for (const Piece& p : d.pieces) least = std::min(least, p.whole.hi[a] - p.whole.lo[a]);
        d.gaps[a] = std::min(d.scale.axes == 3 ? 9.0 : 2.5,
                             0.25 * static_cast<double>(least) * d.scale.pixels[a]);
    }
}

/// Cut sides draw back by half a gap; the array's own sides stay.
std::vector<Face> faces_of(const Drawing& d, const Piece& piece) {
    Triple lo{};
    Triple hi{};
    for (std::size_t a = 0; a < d.axes(); ++a) {
        const Index first = piece.part.lo[a];
        const Index last = piece.part.hi[a];
        const bool cut_lo = first != 0 && first == piece.whole.lo[a];
        const bool cut_hi = last != d.extent(a) && last == piece.whole.hi[a];
        lo[a] = static_cast<double>(first) * d.scale.pixels[a] + (cut_lo ? d.gaps[a] / 2 : 0);
        hi[a] = static_cast<double>(last) * d.scale.pixels[a] - (cut_hi ? d.gaps[a] / 2 : 0);
    }
    return d.view.faces(lo, hi);
}

void draw_axis(Drawing& d, int axis, const std::string& name) {
    const auto [start, end, outward] = d.view.edge(axis);
    const auto moved = [&, out = outward](Point p, double steps) {
        return Point{p.x + steps * out.x, p.y + steps * out.y};
    };
    const Point from = moved(start, 7);
    const Point to = moved(end, 7);
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    const Point step{(to.x - from.x) / length, (to.y - from.y) / length};
    const auto head = [&](double back, double aside) {
        return Point{to.x - back * step.x - aside * step.y, to.y - back * step.y + aside * step.x};
    };
    d.svg.line(from, to, "stroke='#666'");
    d.svg.polygon({head(-2, 0), head(5, 3), head(5, -3)}, "fill='#666'");
    const bool beside = std::abs(outward.x) > 0.1;
    Point at = moved({(start.x + end.x) / 2, (start.y + end.y) / 2}, beside ? 12 : 15);
    if (beside || outward.y > 0) at.y += beside ? 4 + 8 * std::max(0.0, outward.y) : 10;
    d.svg.text(at, name,
               fmt::format("text-anchor='{}' fill='#444'",
                           !beside ? "middle" : (outward.x < 0 ? "end" : "start")));
}

/// Thin lines along the axis whose elements are adjacent in memory.
void draw_runs(Drawing& d, const Face& face, const std::string& colour) {
    const int fastest = fastest_axis(d.layout.format);
    const bool across = fastest == face.across_axis;
    const double length = across ? face.width : face.height;
    if ((!across && fastest != face.down_axis) || length < 5) return;
    const double room = across ? face.height : face.width;
    const int lines = static_cast<int>(room / 6);
    for (int i = 0; i < lines; ++i) {
        const double y = room * (i + 0.5) / lines;
        d.svg.line(across ? face.at(2, y) : face.at(y, 2),
                   across ? face.at(length - 2, y) : face.at(y, length - 2),
                   fmt::format("stroke='{}' stroke-width='0.9'", colour));
    }
}

/// Nothing hides a face that is the array's own.
bool on_the_surface(const Drawing& d, const Face& face, const Piece& piece) {
    if (face.normal_axis < 0) return true;
    const auto a = static_cast<std::size_t>(face.normal_axis);
    return a == 1 ? piece.part.lo[a] == 0 : piece.part.hi[a] == d.extent(a);
}

/// The rank's number, lying on the box's largest face that nothing hides; of equal ones the first,
/// which is the brightest.
void draw_rank(Drawing& d, const std::vector<Face>& faces, const Piece& piece) {
    const std::string number = std::to_string(piece.rank);
    const Face* best = nullptr;
    double size = 5.5;  // smaller numbers cannot be read
    for (const Face& face : faces) {
        const double fits =
            std::min({13.0, 0.8 * face.height,
                      face.width / (0.62 * static_cast<double>(number.size()) + 0.2)});
        if (fits <= size || !on_the_surface(d, face, piece)) continue;
        size = fits;
        best = &face;
    }
    if (best == nullptr) return;
    const Point middle = best->at(best->width / 2, best->height / 2);
    d.svg.text({0, 0.36 * size}, number,
               fmt::format("transform='matrix({:.3f} {:.3f} {:.3f} {:.3f} {} {})' font-size='{}' "
                           "stroke-width='{}' stroke='{}' text-anchor='middle' font-weight='bold' "
                           "fill='#1a1a1a' stroke-linejoin='round' paint-order='stroke'",
                           best->across.x, best->across.y, best->down.x, best->down.y,
                           pixels(middle.x), pixels(middle.y), pixels(size), pixels(0.3 * size),
                           rank_colour(piece.rank, d.ranks(), best->light)));
}

void draw_piece(Drawing& d, const Piece& piece) {
    d.svg.open("box");
    d.svg.title(fmt::format("rank {}: {}", piece.rank, weft::to_string(piece.whole)));
    const std::vector<Face> faces = faces_of(d, piece);
    for (const Face& face : faces) {
        const auto colour = [&](double lighter) {
            return rank_colour(piece.rank, d.ranks(), face.light + lighter);
        };
        d.svg.polygon({face.at(0, 0), face.at(face.width, 0), face.at(face.width, face.height),
                       face.at(0, face.height)},
                      fmt::format("fill='{}' stroke='{}' stroke-width='{}' stroke-linejoin='round'",
                                  colour(0), colour(-0.22),
                                  std::min(face.width, face.height) < 3 ? 0.2 : 0.6));
        draw_runs(d, face, colour(0.11));
    }
    draw_rank(d, faces, piece);
    d.svg.close();
}

}  // namespace

int fastest_axis(const core::Format& format) {
    if (format.strides.empty()) return format.order.back();
    const auto least = std::min_element(format.strides.begin(), format.strides.end());
    return static_cast<int>(least - format.strides.begin());
}

PlotScale plot_scale(const std::vector<core::Layout>& layouts, double width, double height) {
    PlotScale scale;
    scale.axes = std::min(3, layouts.front().where.axes());
    const auto axes = static_cast<std::size_t>(scale.axes);
    Triple longest{};
    for (const core::Layout& layout : layouts) {
        for (std::size_t a = 0; a < axes; ++a) {
            longest[a] = std::max(longest[a], static_cast<double>(layout.where.shape()[a]));
        }
    }
    // An axis that is much shorter than others is drawn longer than it is, to be seen.
    const double most = *std::max_element(longest.begin(), longest.end());
    View unit{scale.axes};
    for (std::size_t a = 0; a < axes; ++a) unit.lengths[a] = std::max(longest[a] / most, 0.35);
    double side = (width - upper_left_room.x - lower_right_room.x) / unit.width();
    if (axes > 1) {
        side = std::min(side, (height - upper_left_room.y - lower_right_room.y) / unit.height());
    }
    for (std::size_t a = 0; a < axes; ++a) scale.pixels[a] = side * unit.lengths[a] / longest[a];
    return scale;
}

void draw_layout(Svg& svg, const core::Layout& layout, const PlotScale& scale,
                 const std::vector<std::string>& names, Point corner, Point size) {
    Drawing d{svg, layout, scale, View{scale.axes}};
    for (std::size_t a = 0; a < d.axes(); ++a) {
        d.view.lengths[a] = static_cast<double>(d.extent(a)) * scale.pixels[a];
    }
    d.view.corner = {
        corner.x + (size.x + upper_left_room.x - lower_right_room.x - d.view.width()) / 2,
        corner.y + (size.y + upper_left_room.y - lower_right_room.y - d.view.height()) / 2};
    collect_pieces(d);
    for (std::size_t a = 0; a < d.axes(); ++a) {
        draw_axis(d, static_cast<int>(a), fmt::format("{} = {}", names[a], d.extent(a)));
    }
    for (const Piece& piece : d.pieces) draw_piece(d, piece);
}

}  // namespace weft::cli
