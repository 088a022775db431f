#include "plot/plan_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/text.hpp"
#include "measure/files.hpp"
#include "plan/explain.hpp"
#include "plot/layout_plot.hpp"
#include "plot/svg.hpp"

namespace weft::cli {

namespace {

constexpr int most_drawn_ranks = 64;  ///< more are too many to tell apart
constexpr double margin = 20;
constexpr double header = 46;
constexpr double panel_width = 250;
constexpr double picture_height = 218;
constexpr double caption = 70;  ///< the lines above a panel's picture
constexpr double stage_width = 150;
constexpr double row_height = caption + picture_height + 20;
constexpr const char* small_text = "font-size='11' fill='#555'";
constexpr const char* centred_text = "font-size='11' fill='#777' text-anchor='middle'";

/// `^N0/2 x N1` as it stands in print: the hat above, the number below.
std::string printed(std::string text) {
    constexpr const char* subscripts[] = {"₀", "₁", "₂", "₃", "₄", "₅"};
    const auto replace_all = [&](const std::string& what, const std::string& by) {
        for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
            text.replace(at, what.size(), by);
        }
    };
    for (int axis = 0; axis < 6; ++axis) {
        replace_all(fmt::format("^N{}", axis), fmt::format("N\u0302{}", subscripts[axis]));
        replace_all(fmt::format("N{}", axis), fmt::format("N{}", subscripts[axis]));
    }
    replace_all(" x ", " × ");
    return text;
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

/// Lines of at most 23 characters, unless a word is longer.
std::vector<std::string> wrapped_words(const std::string& text) {
    std::vector<std::string> lines;
    for (const std::string& word : core::words(text)) {
        if (lines.empty() || lines.back().size() + 1 + word.size() > 23) {
            lines.push_back(word);
        } else {
            lines.back() += " " + word;
        }
    }
    return lines;
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

struct PlanDrawing {
    const core::Plan& plan;
    core::Words words = core::words_of(plan);
    PlotScale scale = plot_scale(plan.at, panel_width, picture_height);
    int dims = static_cast<int>(plan.problem.shape.size());
    /// Four panels make a square.
    std::size_t in_a_row = plan.at.size() == 4 ? 2 : std::min<std::size_t>(plan.at.size(), 3);
    Svg svg{};

    [[nodiscard]] Point corner(std::size_t state) const {
        const std::size_t row = state / in_a_row;
        return {margin + static_cast<double>(state % in_a_row) * (panel_width + stage_width),
                header + static_cast<double>(row) * row_height};
    }
};

void draw_state(PlanDrawing& d, std::size_t state) {
    const core::Layout& layout = d.plan.at[state];
    const Point at = d.corner(state);
    const std::string where =
        core::to_string(layout.where, d.dims) + core::to_string(layout.format, d.dims);
    const std::string all = core::to_string(layout, d.dims);
    d.svg.open("state");
    d.svg.text({at.x, at.y + 26}, fmt::format("at {}", state), "font-weight='bold' font-size='13'");
    d.svg.text({at.x + 38, at.y + 26}, printed(d.words.states[state]), "font-size='13'");
    d.svg.text({at.x, at.y + 43}, shortened(where, 40), "fill='#444'");
    d.svg.text({at.x, at.y + 58}, core::trim(all.substr(where.size())), small_text);
    d.svg.text({at.x + panel_width / 2, at.y + caption + picture_height + 14},
               idle_text(layout.where), centred_text);
    draw_layout(d.svg, layout, d.scale, axis_names(d.words.states[state]), {at.x, at.y + caption},
                {panel_width, picture_height});
    d.svg.close();
}

void draw_stage(PlanDrawing& d, std::size_t stage) {
    const std::string& text = d.words.stages[stage];
    const bool redistributes =
        std::holds_alternative<core::RedistributionStage>(d.plan.stages[stage]);
    const char* colour = redistributes ? "#a04a00" : "#00557f";
    const Point at = d.corner(stage);
    const double left = at.x + panel_width + 12;
    const double right = at.x + panel_width + stage_width - 12;
    double y = at.y + caption + picture_height / 2;
    d.svg.open("stage");
    d.svg.line({left, y}, {right - 6, y}, fmt::format("stroke='{}' stroke-width='2'", colour));
    d.svg.polygon({{right, y}, {right - 9, y - 5}, {right - 9, y + 5}},
                  fmt::format("fill='{}'", colour));
    // A redistribution's text is a list; a transform's may hold a list of axes.
    for (const std::string& item :
         redistributes ? core::split(text, ',') : std::vector<std::string>{text}) {
        for (const std::string& line : wrapped_words(item)) {
            d.svg.text({(left + right) / 2, (y += 14) + 4}, line,
                       fmt::format("font-size='10.5' text-anchor='middle' fill='{}'", colour));
        }
    }
    d.svg.close();
}

std::vector<std::string> notes(const PlanDrawing& d) {
    std::vector<std::string> notes = {"Behind the @ are the axes in memory, slowest first."};
    if (std::any_of(d.plan.at.begin(), d.plan.at.end(), [&](const core::Layout& layout) {
            return fastest_axis(layout.format) < d.scale.axes;
        })) {
        notes.back() += " Fine lines run along the axis whose elements are adjacent.";
    }
    if (d.plan.problem.batch > 1) {
        notes.push_back(fmt::format("Axis b, of length B, counts the {} fields of the batch.",
                                    d.plan.problem.batch));
    }
    std::vector<std::string> others;
    for (int axis = d.scale.axes; axis < d.plan.at.front().where.axes(); ++axis) {
        others.emplace_back(core::axis_digits({axis}, d.dims));
    }
    if (!others.empty()) {
        notes.push_back(fmt::format("The picture shows axes 0, 1 and 2, at index 0 of {} {}.",
                                    others.size() == 1 ? "axis" : "axes", fmt::join(others, ", ")));
    }
    return notes;
}

/// Colours of ranks, and notes below them; returns where that ends.
double draw_legend(PlanDrawing& d, double y) {
    const int most = d.in_a_row < 3 ? 16 : 32;  // side by side
    d.svg.open("legend");
    d.svg.text({margin, y + 10}, "rank", small_text);
    for (int rank = 0; rank < d.plan.ranks; ++rank) {
        const double x = margin + 34 + 30 * (rank % most);
        if (rank != 0 && rank % most == 0) y += 16;
        d.svg.polygon({{x, y}, {x + 11, y}, {x + 11, y + 11}, {x, y + 11}},
                      fmt::format("fill='{}'", rank_colour(rank, d.plan.ranks, 0)));
        d.svg.text({x + 14, y + 10}, std::to_string(rank), small_text);
    }
    d.svg.close();
    y += 16;
    for (const std::string& note : notes(d)) d.svg.text({margin, y += 15}, note, small_text);
    return y;
}

std::string plan_picture(const core::Plan& plan) {
    PlanDrawing d{plan};
    d.svg.text({margin, 26}, shortened(weft::to_string(plan.problem), d.in_a_row < 3 ? 70 : 120),
               "font-size='14' font-weight='bold'");
    d.svg.text({margin, 43},
               fmt::format("{}{}", core::number_of(static_cast<std::size_t>(plan.ranks), "rank"),
                           plan.backward ? ", backward" : ""),
               "fill='#555'");
    for (std::size_t state = 0; state < plan.at.size(); ++state) {
        draw_state(d, state);
        if (state < plan.stages.size()) draw_stage(d, state);
    }
    const double end = draw_legend(d, d.corner(plan.at.size() - 1).y + row_height + 10);
    const auto columns = static_cast<double>(d.in_a_row);
    const double width = 2 * margin + columns * (panel_width + stage_width) -
                         (plan.at.size() > d.in_a_row ? 0 : stage_width);
    return d.svg.document(std::max(width, 560.0), end + margin);
}

}  // namespace

void require_picture_name(const std::string& path) {
    const std::string ending = std::filesystem::path(path).extension().string();
    if (ending == ".svg") return;
    core::bad_request(
        fmt::format("--plot {}: the ending '{}' is not .svg, the format of the pictures of "
                    "layouts; rsvg-convert makes .png and .pdf of it",
                    path, ending));
}

void draw_plan(const std::string& path, const core::Plan& plan) {
    if (plan.ranks > most_drawn_ranks) {
        core::bad_request(
            fmt::format("--plot: {} ranks are too many to be told apart; at most {} are drawn",
                        plan.ranks, most_drawn_ranks));
    }
    write_file(path, plan_picture(plan));
}

void series_moved(const std::string& command) {
    core::bad_request(fmt::format(
        "--plot: curves over the number of ranks are drawn by Python: {} --json > FILE.json, then "
        "python3 -m weft.plot FILE.json, which makes FILE.svg",
        command));
}

}  // namespace weft::cli
