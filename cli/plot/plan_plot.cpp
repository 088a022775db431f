#include "plot/plan_plot.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "plan/explain.hpp"
#include "plot/colour.hpp"
#include "plot/layout_plot.hpp"
#include "plot/svg.hpp"

namespace weft::cli {

namespace {

constexpr double margin = 20;
constexpr double header = 46;
constexpr double panel_width = 250;
constexpr double picture_height = 218;
constexpr double caption = 70;  ///< the lines above a panel's picture
constexpr double stage_width = 150;
constexpr double row_height = caption + picture_height + 20;
constexpr std::size_t widest_row = 3;  ///< in panels
constexpr int swatches_in_a_row = 32;

int dims(const core::Plan& plan) { return static_cast<int>(plan.problem.shape.size()); }

void replace_all(std::string& text, std::string_view what, std::string_view by) {
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
        text.replace(at, what.size(), by);
    }
}

/// `^N0/2 x N1` as it stands in print: the hat above, the number below.
std::string printed(std::string notation) {
    constexpr const char* subscripts[] = {"₀", "₁", "₂", "₃", "₄", "₅"};
    for (int axis = 0; axis < 6; ++axis) {
        replace_all(notation, fmt::format("^N{}", axis),
                    fmt::format("N\u0302{}", subscripts[axis]));
        replace_all(notation, fmt::format("N{}", axis), fmt::format("N{}", subscripts[axis]));
    }
    replace_all(notation, " x ", " × ");
    return notation;
}

/// `N0`, `^N1`: the factors of a notation without their parts.
std::vector<std::string> axis_names(const std::string& notation) {
    std::vector<std::string> names;
    for (const std::string& word : core::words(notation)) {
        if (word != "x") names.push_back(printed(word.substr(0, word.find('/'))));
    }
    return names;
}

std::string shortened(const std::string& text, std::size_t most) {
    return text.size() <= most ? text : text.substr(0, most - 2) + "..";
}

/// Lines of at most so many characters, unless a word is longer.
std::vector<std::string> wrapped(const std::string& text, std::size_t most) {
    std::vector<std::string> lines;
    for (const std::string& word : core::words(text)) {
        if (lines.empty() || lines.back().size() + 1 + word.size() > most) {
            lines.push_back(word);
        } else {
            lines.back() += " " + word;
        }
    }
    return lines;
}

/// A redistribution's text is a list; a transform's may hold a list of axes.
std::vector<std::string> items(const std::string& text, bool redistribution) {
    return redistribution ? core::split(text, ',') : std::vector<std::string>{text};
}

std::string idle_text(const core::Distribution& where) {
    std::vector<int> idle;
    for (int rank = 0; rank < where.ranks(); ++rank) {
        if (where.boxes(rank).empty()) idle.push_back(rank);
    }
    if (idle.empty()) return {};
    if (idle.size() > 4) return fmt::format("{} ranks own nothing", idle.size());
    return fmt::format("rank{} {} own{} nothing", idle.size() == 1 ? "" : "s",
                       core::join(idle, ", "), idle.size() == 1 ? "s" : "");
}

class PlanDrawing {
  public:
    explicit PlanDrawing(const core::Plan& plan)
        : plan_(plan),
          words_(core::words_of(plan)),
          scale_(plot_scale(plan.at, panel_width, picture_height)) {}

    std::string draw();

  private:
    /// Four panels make a square.
    [[nodiscard]] std::size_t in_a_row() const {
        return plan_.at.size() == 4 ? 2 : std::min(plan_.at.size(), widest_row);
    }
    [[nodiscard]] Point corner(std::size_t state) const;
    void draw_header();
    void draw_state(std::size_t state);
    void draw_caption(std::size_t state);
    void draw_stage(std::size_t stage);
    double draw_legend(double y);
    [[nodiscard]] std::vector<std::string> notes() const;

    const core::Plan& plan_;
    core::Words words_;
    PlotScale scale_;
    Svg svg_;
};

Point PlanDrawing::corner(std::size_t state) const {
    const std::size_t row = state / in_a_row();
    const std::size_t column = state % in_a_row();
    return {margin + static_cast<double>(column) * (panel_width + stage_width),
            header + static_cast<double>(row) * row_height};
}

void PlanDrawing::draw_header() {
    const std::string problem = weft::to_string(plan_.problem);
    svg_.text({margin, 26}, shortened(problem, in_a_row() < 3 ? 70 : 120),
              {{"font-size", "14"}, {"font-weight", "bold"}});
    svg_.text({margin, 43},
              fmt::format("{} rank{}{}", plan_.ranks, plan_.ranks == 1 ? "" : "s",
                          plan_.backward ? ", backward" : ""),
              {{"fill", "#555"}});
}

void PlanDrawing::draw_caption(std::size_t state) {
    const core::Layout& layout = plan_.at[state];
    const Point at = corner(state);
    const std::string where =
        core::to_string(layout.where, dims(plan_)) + core::to_string(layout.format, dims(plan_));
    const std::string all = core::to_string(layout, dims(plan_));
    svg_.text({at.x, at.y + 26}, fmt::format("at {}", state),
              {{"font-weight", "bold"}, {"font-size", "13"}});
    svg_.text({at.x + 38, at.y + 26}, printed(words_.states[state]), {{"font-size", "13"}});
    svg_.text({at.x, at.y + 43}, shortened(where, 40), {{"fill", "#444"}});
    svg_.text({at.x, at.y + 58}, core::trim(all.substr(where.size())),
              {{"fill", "#777"}, {"font-size", "11"}});
    svg_.text({at.x + panel_width / 2, at.y + caption + picture_height + 14},
              idle_text(layout.where),
              {{"fill", "#777"}, {"font-size", "11"}, {"text-anchor", "middle"}});
}

void PlanDrawing::draw_state(std::size_t state) {
    const Point at = corner(state);
    svg_.open("g", {{"class", "state"}});
    draw_caption(state);
    const Solid area{{at.x, at.y + caption, 0},
                     {at.x + panel_width, at.y + caption + picture_height, 0}};
    draw_layout(svg_, plan_.at[state], scale_, axis_names(words_.states[state]), area);
    svg_.close();
}

void PlanDrawing::draw_stage(std::size_t stage) {
    const bool redistribution =
        std::holds_alternative<core::RedistributionStage>(plan_.stages[stage]);
    const char* colour = redistribution ? "#a04a00" : "#00557f";
    const Point at = corner(stage);
    const double left = at.x + panel_width + 12;
    const double right = at.x + panel_width + stage_width - 12;
    const double y = at.y + caption + picture_height / 2;
    svg_.open("g", {{"class", "stage"}});
    svg_.line({left, y}, {right - 6, y}, {{"stroke", colour}, {"stroke-width", "2"}});
    svg_.polygon({{right, y}, {right - 9, y - 5}, {right - 9, y + 5}}, {{"fill", colour}});
    double line = y + 18;
    for (const std::string& item : items(words_.stages[stage], redistribution)) {
        for (const std::string& text : wrapped(item, 23)) {
            svg_.text({(left + right) / 2, line}, text,
                      {{"text-anchor", "middle"}, {"font-size", "10.5"}, {"fill", colour}});
            line += 14;
        }
    }
    svg_.close();
}

std::vector<std::string> PlanDrawing::notes() const {
    std::vector<std::string> notes;
    const bool runs_are_drawn = std::any_of(
        plan_.at.begin(), plan_.at.end(),
        [&](const core::Layout& layout) { return fastest_axis(layout.format) < scale_.axes; });
    notes.emplace_back("Behind the @ are the axes in memory, slowest first.");
    if (runs_are_drawn) {
        notes.back() += " Fine lines run along the axis whose elements are adjacent.";
    }
    if (plan_.problem.batch > 1) {
        notes.push_back(fmt::format("Axis b, of length B, counts the {} fields of the batch.",
                                    plan_.problem.batch));
    }
    std::vector<std::string> others;
    for (int axis = scale_.axes; axis < plan_.at.front().where.axes(); ++axis) {
        others.emplace_back(core::axis_digits({axis}, dims(plan_)));
    }
    if (!others.empty()) {
        notes.push_back(fmt::format("Drawn are axes 0, 1 and 2, at index 0 of {} {}.",
                                    others.size() == 1 ? "axis" : "axes", fmt::join(others, ", ")));
    }
    return notes;
}

/// Returns where it ends.
double PlanDrawing::draw_legend(double y) {
    constexpr double step = 30;
    svg_.open("g", {{"class", "legend"}});
    svg_.text({margin, y + 10}, "rank", {{"font-size", "11"}, {"fill", "#555"}});
    const int most = in_a_row() < 3 ? swatches_in_a_row / 2 : swatches_in_a_row;
    for (int rank = 0; rank < plan_.ranks; ++rank) {
        const double x = margin + 34 + step * (rank % most);
        if (rank != 0 && rank % most == 0) y += 16;
        svg_.leaf("rect", {{"x", pixels(x)},
                           {"y", pixels(y)},
                           {"width", "11"},
                           {"height", "11"},
                           {"rx", "2"},
                           {"fill", to_string(rank_colour(rank, plan_.ranks))}});
        svg_.text({x + 14, y + 10}, std::to_string(rank), {{"font-size", "10"}, {"fill", "#555"}});
    }
    svg_.close();
    return y + 16;
}

std::string PlanDrawing::draw() {
    draw_header();
    for (std::size_t state = 0; state < plan_.at.size(); ++state) {
        draw_state(state);
        if (state < plan_.stages.size()) draw_stage(state);
    }
    double y = draw_legend(corner(plan_.at.size() - 1).y + row_height + 10);
    for (const std::string& note : notes()) {
        y += 15;
        svg_.text({margin, y}, note, {{"font-size", "11"}, {"fill", "#555"}});
    }
    const auto columns = static_cast<double>(in_a_row());
    const bool open_end = plan_.at.size() > in_a_row();
    const double width =
        2 * margin + columns * panel_width + (columns - (open_end ? 0 : 1)) * stage_width;
    return svg_.document(std::max(width, 560.0), y + margin);
}

}  // namespace

std::string plan_picture(const core::Plan& plan) {
    if (plan.ranks > most_drawn_ranks) {
        core::bad_request(
            fmt::format("--plot: {} ranks are too many to be told apart; at most {} are drawn",
                        plan.ranks, most_drawn_ranks));
    }
    return PlanDrawing(plan).draw();
}

}  // namespace weft::cli
