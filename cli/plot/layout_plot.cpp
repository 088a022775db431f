#include "plot/layout_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "plot/colour.hpp"
#include "plot/paint_order.hpp"

namespace weft::cli {

namespace {

// What names of axes need beside the array.
constexpr double left_margin = 66;
constexpr double right_margin = 10;
constexpr double upper_margin = 22;
constexpr double lower_margin = 22;
constexpr double arrow_distance = 7;

/// The array's part that is drawn: of the first axes, at index 0 of the others.
std::optional<Box> drawn_part(const Box& box, int axes) {
    const auto n = static_cast<std::size_t>(axes);
    for (std::size_t a = n; a < box.lo.size(); ++a) {
        if (box.lo[a] != 0) return std::nullopt;
    }
    Box part;
    part.lo.assign(box.lo.begin(), box.lo.begin() + axes);
    part.hi.assign(box.hi.begin(), box.hi.begin() + axes);
    return part;
}

/// One layout being drawn.
class LayoutDrawing {
  public:
    LayoutDrawing(Svg& svg, const core::Layout& layout, const PlotScale& scale)
        : svg_(svg), layout_(layout), scale_(scale), view_(scale.axes, lengths(layout, scale)) {
        collect_pieces();
        choose_gaps();
    }

    static Place lengths(const core::Layout& layout, const PlotScale& scale) {
        Place result{};
        for (std::size_t a = 0; a < static_cast<std::size_t>(scale.axes); ++a) {
            result[a] = static_cast<double>(layout.where.shape()[a]) * scale.pixels[a];
        }
        return result;
    }

    void draw(const std::vector<std::string>& names, const Solid& area);

  private:
    void collect_pieces();
    void choose_gaps();
    void draw_axis(int axis, const std::string& name);
    void draw_piece(const Piece& piece);
    void draw_face(const Face& face, const Colour& colour);
    void draw_runs(const Face& face, const Colour& colour);
    void draw_rank(const std::vector<Face>& faces, const Piece& piece, const Colour& colour);
    [[nodiscard]] bool on_the_surface(const Face& face, const Piece& piece) const;
    [[nodiscard]] Solid solid(const Piece& piece) const;
    [[nodiscard]] Point shifted(Point p) const { return {p.x + corner_.x, p.y + corner_.y}; }

    Svg& svg_;
    const core::Layout& layout_;
    const PlotScale& scale_;
    View view_;
    Point corner_;
    Place gaps_{};
    std::vector<Piece> pieces_;
};

void LayoutDrawing::collect_pieces() {
    for (int rank = 0; rank < layout_.where.ranks(); ++rank) {
        for (const Box& box : layout_.where.boxes(rank)) {
            const auto part = drawn_part(box, scale_.axes);
            if (part) pieces_.push_back({*part, box, rank});
        }
    }
    if (scale_.axes == drawn_axes) pieces_ = paint_order(pieces_);
}

/// Boxes are drawn a little apart, so that one sees between them.
void LayoutDrawing::choose_gaps() {
    const double widest = scale_.axes == drawn_axes ? 9 : 2.5;
    for (std::size_t a = 0; a < static_cast<std::size_t>(scale_.axes); ++a) {
        Index least = layout_.where.shape()[a];
        for (const Piece& piece : pieces_)
            least = std::min(least, piece.whole.hi[a] - piece.whole.lo[a]);
        gaps_[a] = std::min(widest, 0.25 * static_cast<double>(least) * scale_.pixels[a]);
    }
}

/// Cut sides draw back by half a gap; the array's own sides stay.
Solid LayoutDrawing::solid(const Piece& piece) const {
    Solid result;
    for (std::size_t a = 0; a < static_cast<std::size_t>(scale_.axes); ++a) {
        const Index lo = piece.part.lo[a];
        const Index hi = piece.part.hi[a];
        const bool cut_lo = lo != 0 && lo == piece.whole.lo[a];
        const bool cut_hi = hi != layout_.where.shape()[a] && hi == piece.whole.hi[a];
        result.lo[a] = static_cast<double>(lo) * scale_.pixels[a] + (cut_lo ? gaps_[a] / 2 : 0);
        result.hi[a] = static_cast<double>(hi) * scale_.pixels[a] - (cut_hi ? gaps_[a] / 2 : 0);
    }
    return result;
}

void LayoutDrawing::draw_axis(int axis, const std::string& name) {
    const AxisEdge edge = view_.edge(axis);
    const auto moved = [&](Point p, double outward) {
        return shifted({p.x + outward * edge.outward.x, p.y + outward * edge.outward.y});
    };
    const Point from = moved(edge.from, arrow_distance);
    const Point to = moved(edge.to, arrow_distance);
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    const Point step{(to.x - from.x) / length, (to.y - from.y) / length};
    svg_.line(from, to, {{"stroke", "#666"}, {"stroke-width", "1"}});
    const auto head = [&](double back, double aside) {
        return Point{to.x - back * step.x - aside * step.y, to.y - back * step.y + aside * step.x};
    };
    svg_.polygon({head(-2, 0), head(5, 3), head(5, -3)}, {{"fill", "#666"}});

    const Point middle{(edge.from.x + edge.to.x) / 2, (edge.from.y + edge.to.y) / 2};
    const double side = edge.outward.x;
    const bool beside = std::abs(side) > 0.1;
    const Point at = moved(middle, arrow_distance + (beside ? 5 : 8));
    const double drop = beside               ? 4 + 8 * std::max(0.0, edge.outward.y)
                        : edge.outward.y > 0 ? 10
                                             : 0;
    svg_.text({at.x, at.y + drop}, name,
              {{"text-anchor", !beside    ? "middle"
                               : side < 0 ? "end"
                                          : "start"},
               {"fill", "#444"}});
}

void LayoutDrawing::draw_face(const Face& face, const Colour& colour) {
    Colour stroke = colour;
    stroke.lightness -= 0.22;
    svg_.polygon({shifted(face.at(0, 0)), shifted(face.at(face.width, 0)),
                  shifted(face.at(face.width, face.height)), shifted(face.at(0, face.height))},
                 {{"fill", to_string(colour)},
                  {"stroke", to_string(stroke)},
                  {"stroke-width", std::min(face.width, face.height) < 3 ? "0.2" : "0.6"},
                  {"stroke-linejoin", "round"}});
}

/// Thin lines along the axis whose elements are adjacent in memory.
void LayoutDrawing::draw_runs(const Face& face, const Colour& colour) {
    const int fastest = fastest_axis(layout_.format);
    const bool across = fastest == face.across_axis;
    if (!across && fastest != face.down_axis) return;
    const double length = across ? face.width : face.height;
    const double room = across ? face.height : face.width;
    const int lines = static_cast<int>(room / 6);
    if (length < 5) return;
    Colour stroke = colour;
    stroke.lightness += 0.11;
    for (int i = 0; i < lines; ++i) {
        const double where = room * (i + 0.5) / lines;
        const double margin = 2;
        const Point from = across ? face.at(margin, where) : face.at(where, margin);
        const Point to = across ? face.at(length - margin, where) : face.at(where, length - margin);
        svg_.line(shifted(from), shifted(to),
                  {{"stroke", to_string(stroke)}, {"stroke-width", "0.9"}});
    }
}

bool LayoutDrawing::on_the_surface(const Face& face, const Piece& piece) const {
    if (face.normal_axis < 0) return true;
    const auto a = static_cast<std::size_t>(face.normal_axis);
    return face.upper ? piece.part.hi[a] == layout_.where.shape()[a] : piece.part.lo[a] == 0;
}

/// The rank's number, lying on the box's largest face that nothing hides.
void LayoutDrawing::draw_rank(const std::vector<Face>& faces, const Piece& piece,
                              const Colour& colour) {
    const std::string number = std::to_string(piece.rank);
    const Face* best = nullptr;
    double size = 5.5;  // smaller numbers cannot be read
    for (const Face& face : faces) {
        if (!on_the_surface(face, piece)) continue;
        const double fits =
            std::min({13.0, 0.8 * face.height,
                      face.width / (0.62 * static_cast<double>(number.size()) + 0.2)});
        // Of faces with room enough the first, which is the brightest.
        if (fits <= size) continue;
        size = fits;
        best = &face;
    }
    if (best == nullptr) return;
    Colour ground = colour;
    ground.lightness += best->light;
    const Point middle = shifted(best->at(best->width / 2, best->height / 2));
    svg_.text({0, 0.36 * size}, number,
              {{"transform", fmt::format("matrix({:.3f} {:.3f} {:.3f} {:.3f} {} {})",
                                         best->across.x, best->across.y, best->down.x, best->down.y,
                                         pixels(middle.x), pixels(middle.y))},
               {"text-anchor", "middle"},
               {"font-size", pixels(size)},
               {"font-weight", "bold"},
               {"fill", "#1a1a1a"},
               {"stroke", to_string(ground)},
               {"stroke-width", pixels(0.3 * size)},
               {"stroke-linejoin", "round"},
               {"paint-order", "stroke"}});
}

void LayoutDrawing::draw_piece(const Piece& piece) {
    svg_.open("g", {{"class", "box"}});
    svg_.title(fmt::format("rank {}: {}", piece.rank, weft::to_string(piece.whole)));
    const std::vector<Face> faces = view_.faces(solid(piece));
    const Colour colour = rank_colour(piece.rank, layout_.where.ranks());
    for (const Face& face : faces) {
        Colour shaded = colour;
        shaded.lightness += face.light;
        draw_face(face, shaded);
        draw_runs(face, shaded);
    }
    draw_rank(faces, piece, colour);
    svg_.close();
}

void LayoutDrawing::draw(const std::vector<std::string>& names, const Solid& area) {
    corner_ = {(area.lo[0] + left_margin + area.hi[0] - right_margin - view_.width()) / 2,
               (area.lo[1] + upper_margin + area.hi[1] - lower_margin - view_.height()) / 2};
    for (int axis = 0; axis < scale_.axes; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        draw_axis(axis, fmt::format("{} = {}", names[a], layout_.where.shape()[a]));
    }
    for (const Piece& piece : pieces_) draw_piece(piece);
}

}  // namespace

int fastest_axis(const core::Format& format) {
    if (format.strides.empty()) return format.order.back();
    const auto least = std::min_element(format.strides.begin(), format.strides.end());
    return static_cast<int>(least - format.strides.begin());
}

PlotScale plot_scale(const std::vector<core::Layout>& layouts, double width, double height) {
    PlotScale scale;
    scale.axes = std::min(drawn_axes, layouts.front().where.axes());
    Place longest{};
    double most = 0;
    for (const core::Layout& layout : layouts) {
        for (std::size_t a = 0; a < static_cast<std::size_t>(scale.axes); ++a) {
            longest[a] = std::max(longest[a], static_cast<double>(layout.where.shape()[a]));
            most = std::max(most, longest[a]);
        }
    }
    // An axis that is much shorter than others is drawn longer than it is, to be seen.
    Place lengths{};
    for (std::size_t a = 0; a < static_cast<std::size_t>(scale.axes); ++a) {
        lengths[a] = std::max(longest[a] / most, 0.35);
    }
    const View unit(scale.axes, lengths);
    const double across = (width - left_margin - right_margin) / unit.width();
    const double down =
        scale.axes == 1 ? across : (height - upper_margin - lower_margin) / unit.height();
    for (std::size_t a = 0; a < static_cast<std::size_t>(scale.axes); ++a) {
        scale.pixels[a] = std::min(across, down) * lengths[a] / longest[a];
    }
    return scale;
}

void draw_layout(Svg& svg, const core::Layout& layout, const PlotScale& scale,
                 const std::vector<std::string>& names, const Solid& area) {
    LayoutDrawing(svg, layout, scale).draw(names, area);
}

}  // namespace weft::cli
