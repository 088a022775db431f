// The text of a problem: KIND:PRECISION:SHAPE[*BATCH] and settings; see weft/problem.hpp.
#include <fmt/format.h>

#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "base/names.hpp"
#include "base/text.hpp"
#include "plan/problem.hpp"

namespace weft {

using core::bad_request;

namespace {

constexpr core::Names<Kind, 5> kind_names = {{{Kind::c2c, "c2c"},
                                              {Kind::r2c, "r2c"},
                                              {Kind::c2r, "c2r"},
                                              {Kind::r2r, "r2r"},
                                              {Kind::redistribute, "redistribute"}}};
constexpr core::Names<AxisKind, 12> axis_kind_names = {{
#define WEFT_REAL_KIND(name, fftw) {AxisKind::name, #name},
#include "weft/real_kinds.def"
    {AxisKind::c2c, "c2c"},
    {AxisKind::r2c, "r2c"},
    {AxisKind::c2r, "c2r"},
    {AxisKind::none, "none"}}};
constexpr core::Names<Precision, 2> precision_names = {
    {{Precision::f32, "f32"}, {Precision::f64, "f64"}}};
constexpr core::Names<CutRule, 2> cut_names = {
    {{CutRule::balanced, "balanced"}, {CutRule::block, "block"}}};

}  // namespace

bool core::is_value(Kind kind) { return name_in(kind_names, kind).has_value(); }
bool core::is_value(AxisKind kind) { return name_in(axis_kind_names, kind).has_value(); }
bool core::is_value(Precision precision) { return name_in(precision_names, precision).has_value(); }
bool core::is_value(CutRule rule) { return name_in(cut_names, rule).has_value(); }

std::string to_string(Kind kind) { return core::name_in(kind_names, kind).value_or("?"); }
std::string to_string(AxisKind kind) { return core::name_in(axis_kind_names, kind).value_or("?"); }
std::string to_string(Precision precision) {
    return core::name_in(precision_names, precision).value_or("?");
}
std::string to_string(CutRule rule) { return core::name_in(cut_names, rule).value_or("?"); }

std::string to_string(const Scale& scale) {
    switch (scale.rule) {
        case Scale::Rule::none:
            return "none";
        case Scale::Rule::by_n:
            return "n";
        case Scale::Rule::symmetric:
            return "symmetric";
        case Scale::Rule::factor:
            return core::real_text(scale.value);
    }
    return "?";
}

namespace {

/// Whether the parts of all dimensions are given in order.
bool is_grid(const LayoutRequest& request, int dims) {
    std::vector<int> all(static_cast<std::size_t>(dims));
    std::iota(all.begin(), all.end(), 0);
    return request.axes == all && request.parts.size() == all.size();
}

}  // namespace

namespace {

/// `boxes([0:4,0:8]|[4:8,0:3][4:8,3:8]|)`.
std::string boxes_text(const std::vector<std::vector<Box>>& boxes) {
    std::string text;
    for (std::size_t rank = 0; rank < boxes.size(); ++rank) {
        if (rank != 0) text += '|';
        for (const Box& box : boxes[rank]) text += to_string(box);
    }
    return fmt::format("boxes({})", text);
}

}  // namespace

std::string to_string(const LayoutRequest& request, int dims) {
    std::string text = "free";
    if (!request.boxes.empty()) {
        text = boxes_text(request.boxes.by_rank());
    } else if (!request.free && request.axes.empty()) {
        text = "single";
    } else if (is_grid(request, dims)) {
        text = fmt::format("grid({})", core::join(request.parts, "x"));
    } else if (!request.free) {
        // Parts are printed with their axes, so that grids that are not in axis order read back.
        std::vector<std::string> cuts;
        for (std::size_t f = 0; f < request.axes.size(); ++f) {
            cuts.push_back(core::axis_digits({request.axes[f]}, dims));
            if (f < request.parts.size()) cuts.back() += fmt::format(":{}", request.parts[f]);
        }
        const char* name = cuts.size() == 1 ? "slab" : cuts.size() == 2 ? "pencil" : "cut";
        text = fmt::format("{}({})", name, fmt::join(cuts, ","));
    }
    if (!request.order.empty()) text += fmt::format("@{}", core::axis_digits(request.order, dims));
    if (!request.padding.empty()) text += fmt::format("+({})", core::join(request.padding, ","));
    if (!request.strides.empty()) text += fmt::format("/({})", core::join(request.strides, ","));
    return text;
}

std::string to_string(const Problem& problem) {
    const int dims = static_cast<int>(problem.shape.size());
    const std::string element = problem.kind == Kind::redistribute
                                    ? std::to_string(problem.element_bytes)
                                    : to_string(problem.precision);
    std::string text =
        fmt::format("{}:{}:{}", to_string(problem.kind), element, core::join(problem.shape, "x"));
    if (problem.batch != 1) text += fmt::format("*{}", problem.batch);
    if (!problem.axes.empty()) text += " axes=" + core::join(problem.axes, ",");
    for (std::size_t i = 0; i < problem.kinds.size(); ++i) {
        text += (i == 0 ? " kinds=" : ",") + to_string(problem.kinds[i]);
    }
    if (problem.halved != -1) text += fmt::format(" halved={}", problem.halved);
    text += " in=" + to_string(problem.in, dims) + " out=" + to_string(problem.out, dims);
    if (problem.cut != CutRule::balanced) text += " cut=" + to_string(problem.cut);
    if (problem.forward_scale != Scale{} || problem.backward_scale != Scale{}) {
        text += fmt::format(" scale={}/{}", to_string(problem.forward_scale),
                            to_string(problem.backward_scale));
    }
    if (problem.in_place) text += " in_place";
    if (problem.may_destroy_input) text += " may_destroy_input";
    return text;
}

namespace {

Scale parse_scale(std::string_view text) {
    if (text == "none") return {};
    if (text == "n") return {Scale::Rule::by_n, 1.0};
    if (text == "symmetric") return {Scale::Rule::symmetric, 1.0};
    return {Scale::Rule::factor, core::parse_real(text, "scale (none, n, symmetric or a number)")};
}

int parse_axis(std::string_view text, int dims) {
    return text == "b" ? dims : core::parse_int(text, "axis");
}

/// `0,1` or `0:2,1:4`.
LayoutRequest parse_cuts(const core::Call& call, std::size_t count, int dims) {
    LayoutRequest request;
    request.free = false;
    if (call.arguments.empty()) {
        bad_request(fmt::format("layout '{}' names no axis; it reads {}(0)", call.name, call.name));
    }
    for (const std::string& cut : core::split(call.arguments, ',')) {
        const auto pieces = core::split(cut, ':');
        request.axes.push_back(parse_axis(pieces[0], dims));
        if (pieces.size() > 2) {
            bad_request(fmt::format("{}({}): '{}' is not AXIS or AXIS:PARTS", call.name,
                                    call.arguments, cut));
        }
        if (pieces.size() == 2) request.parts.push_back(core::parse_int(pieces[1], "parts"));
    }
    if (count != 0 && request.axes.size() != count) {
        bad_request(fmt::format("{}({}): {} cuts {} {}", call.name, call.arguments, call.name,
                                count, count == 1 ? "axis" : "axes"));
    }
    return request;
}

LayoutRequest parse_grid(const core::Call& call, int dims) {
    std::vector<int> parts;
    for (const Index n : core::parse_extents(call.arguments, "grid")) {
        parts.push_back(core::parse_int(std::to_string(n), "grid"));
    }
    if (static_cast<int>(parts.size()) != dims) {
        bad_request(fmt::format("grid({}) gives parts for {} axes; the array has {}",
                                call.arguments, parts.size(), dims));
    }
    LayoutRequest request;
    request.free = false;
    for (int axis = 0; axis < dims; ++axis) request.axes.push_back(axis);
    request.parts = parts;
    return request;
}

/// `0:4,0:8`, without its brackets.
Box parse_box(std::string_view text) {
    Box box;
    for (const std::string& range : core::split(text, ',')) {
        const auto ends = core::split(range, ':');
        if (ends.size() != 2) {
            bad_request(fmt::format("box [{}]: '{}' is no range; it reads LO:HI", text, range));
        }
        box.lo.push_back(core::parse_index(ends[0], "a box's lower bound"));
        box.hi.push_back(core::parse_index(ends[1], "a box's upper bound"));
    }
    return box;
}

/// The boxes of one rank, `[0:4,0:8][4:8,0:3]` or nothing.
std::vector<Box> parse_rank_boxes(std::string_view text) {
    std::vector<Box> boxes;
    while (!core::trim(text).empty()) {
        text = core::trim(text);
        const auto close = text.find(']');
        if (text.front() != '[' || close == std::string_view::npos) {
            bad_request(fmt::format("boxes: '{}' does not read [LO:HI,..]", text));
        }
        boxes.push_back(parse_box(text.substr(1, close - 1)));
        text.remove_prefix(close + 1);
    }
    return boxes;
}

LayoutRequest parse_boxes(const core::Call& call) {
    std::vector<std::vector<Box>> boxes;
    for (const std::string& rank : core::split(call.arguments, '|')) {
        boxes.push_back(parse_rank_boxes(rank));
    }
    return own_boxes(std::move(boxes));
}

/// `(0,0,2)`.
std::vector<Index> parse_entries(std::string_view text, std::string_view what) {
    if (text.size() < 2 || text.front() != '(' || text.back() != ')') {
        bad_request(fmt::format("{} '{}' does not read (A,B,..), one for each axis", what, text));
    }
    std::vector<Index> entries;
    for (const std::string& entry : core::split(text.substr(1, text.size() - 2), ',')) {
        entries.push_back(core::parse_index(entry, what));
    }
    return entries;
}

LayoutRequest parse_where(std::string_view text, int dims) {
    const core::Call call = core::parse_call(text);
    if (call.name == "slab") return parse_cuts(call, 1, dims);
    if (call.name == "pencil") return parse_cuts(call, 2, dims);
    if (call.name == "cut") return parse_cuts(call, 0, dims);
    if (call.name == "grid") return parse_grid(call, dims);
    if (call.name == "boxes" && call.has_arguments) return parse_boxes(call);
    if (call.name == "brick" && !call.has_arguments) return brick(dims);
    if (call.name == "single" && !call.has_arguments) return single();
    if (call.name == "free" && !call.has_arguments) return {};
    bad_request(
        fmt::format("layout '{}' is unknown; there are free, slab(0), pencil(0,1), cut(0,1,2), "
                    "brick, grid(2x4x1), single, boxes([0:4,0:8]|[4:8,0:8]), each with @012 for "
                    "the order, then +(0,0,2) for padding or /(64,8,1) for strides",
                    text));
}

/// `WHERE[@ORDER][+(PADDING)|/(STRIDES)]`; the marks stand outside of parentheses.
LayoutRequest parse_layout(std::string_view text, int dims) {
    const auto end_of_where = [&] {
        int depth = 0;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (depth == 0 && (text[i] == '@' || text[i] == '+' || text[i] == '/')) return i;
            depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        }
        return text.size();
    }();
    LayoutRequest request = parse_where(text.substr(0, end_of_where), dims);
    std::string_view rest = text.substr(end_of_where);
    if (rest.starts_with('@')) {
        const auto end = std::min(rest.find_first_of("+/"), rest.size());
        request.order = core::parse_axis_digits(rest.substr(1, end - 1), dims);
        if (request.order.empty()) bad_request(fmt::format("'{}': no axes after the @", text));
        rest.remove_prefix(end);
    }
    if (rest.starts_with('+')) {
        const auto end = std::min(rest.find('/'), rest.size());
        request.padding = parse_entries(rest.substr(1, end - 1), "padding");
        rest.remove_prefix(end);
    }
    if (rest.starts_with('/')) {
        request.strides = parse_entries(rest.substr(1), "strides");
    }
    return request;
}

void parse_head(std::string_view head, Problem& problem) {
    const auto pieces = core::split(head, ':');
    if (pieces.size() != 3) {
        bad_request(
            fmt::format("'{}' is no problem; one reads KIND:PRECISION:SHAPE, as in "
                        "c2c:f64:256x256x256",
                        head));
    }
    problem.kind = core::value_in(kind_names, pieces[0], "kind");
    if (problem.kind == Kind::redistribute) {
        problem.element_bytes = core::parse_index(pieces[1], "bytes of an element");
    } else {
        problem.precision = core::value_in(precision_names, pieces[1], "precision");
    }
    const auto shape = core::split(pieces[2], '*');
    problem.shape = core::parse_extents(shape[0], "shape");
    if (shape.size() > 2) bad_request(fmt::format("'{}' has more than one batch", pieces[2]));
    if (shape.size() == 2) problem.batch = core::parse_index(shape[1], "batch");
}

}  // namespace

Problem parse_problem(std::string_view text) {
    const auto words = core::words(text);
    if (words.empty()) bad_request("the problem is empty; one reads c2c:f64:256x256x256");
    Problem problem;
    parse_head(words[0], problem);
    const int dims = static_cast<int>(problem.shape.size());

    const std::map<std::string, std::function<void(const std::string&)>> settings = {
        {"axes",
         [&](const std::string& value) {
             for (const auto& axis : core::split(value, ',')) {
                 if (axis.size() > 1 && axis[0] == '0') {
                     bad_request(fmt::format("axes={}: write 0,1, with commas", value));
                 }
                 problem.axes.push_back(core::parse_int(axis, "axes"));
             }
         }},
        {"halved",
         [&](const std::string& value) {
             problem.halved = core::parse_int(value, "halved");
             if (problem.halved < 0) bad_request(fmt::format("halved={} is no axis", value));
         }},
        {"kinds",
         [&](const std::string& value) {
             for (const auto& kind : core::split(value, ',')) {
                 problem.kinds.push_back(core::value_in(axis_kind_names, kind, "kind of an axis"));
             }
         }},
        {"in", [&](const std::string& value) { problem.in = parse_layout(value, dims); }},
        {"out", [&](const std::string& value) { problem.out = parse_layout(value, dims); }},
        {"cut",
         [&](const std::string& value) { problem.cut = core::value_in(cut_names, value, "cut"); }},
        {"scale",
         [&](const std::string& value) {
             const auto pair = core::split(value, '/');
             if (pair.size() > 2 || (pair.size() == 1 && value != "symmetric" && value != "none")) {
                 bad_request(fmt::format("scale '{}': give forward/backward, as in none/n", value));
             }
             problem.forward_scale = parse_scale(pair.front());
             problem.backward_scale = parse_scale(pair.back());
         }},
    };
    std::set<std::string> seen;
    for (auto word = words.begin() + 1; word != words.end(); ++word) {
        const core::Setting setting = core::parse_setting(*word);
        if (!seen.insert(setting.name).second) {
            bad_request(fmt::format("'{}': {} is given twice", *word, setting.name));
        }
        if (setting.name == "in_place" && !setting.has_value) {
            problem.in_place = true;
            continue;
        }
        if (setting.name == "may_destroy_input" && !setting.has_value) {
            problem.may_destroy_input = true;
            continue;
        }
        const auto known = settings.find(setting.name);
        if (known == settings.end() || !setting.has_value) {
            bad_request(
                fmt::format("'{}' is not understood in a problem; there are axes=, kinds=, "
                            "halved=, in=, out=, cut=, scale=, in_place, may_destroy_input",
                            *word));
        }
        known->second(setting.value);
    }
    validate(problem);
    return problem;
}

}  // namespace weft
