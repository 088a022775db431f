// The text of a layout that a problem asks for; see weft/problem.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/mapped.hpp"
#include "base/text.hpp"
#include "plan/problem.hpp"

namespace weft {

using core::bad_request;

namespace {

/// Whether the parts of all dimensions are given in order.
bool is_grid(const LayoutRequest& request, int dims) {
    std::vector<int> all(static_cast<std::size_t>(dims));
    std::iota(all.begin(), all.end(), 0);
    return request.axes == all && request.parts.size() == all.size();
}

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
    } else if (request.sphere) {
        text = fmt::format("sphere({})", core::real_text(*request.sphere));
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

namespace {

int parse_axis(std::string_view text, int dims) {
    return text == "b" ? dims : core::parse_int(text, "axis");
}

/// `0,1` or `0:2,1:4`.
LayoutRequest parse_cuts(const core::Call& call, std::size_t count, int dims) {
    LayoutRequest request;
    request.free = false;
    if (call.arguments.empty()) {
        bad_request(fmt::format("layout '{}' names no axis; write {}(0)", call.name, call.name));
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
            bad_request(fmt::format("box [{}]: '{}' is not a range; write LO:HI", text, range));
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
            bad_request(fmt::format("boxes: '{}' is not of the form [LO:HI,..]", text));
        }
        boxes.push_back(parse_box(text.substr(1, close - 1)));
        text.remove_prefix(close + 1);
    }
    return boxes;
}

LayoutRequest parse_boxes(const core::Call& call) {
    return own_boxes(core::mapped(core::split(call.arguments, '|'), parse_rank_boxes));
}

/// `(0,0,2)`.
std::vector<Index> parse_entries(std::string_view text, std::string_view what) {
    if (text.size() < 2 || text.front() != '(' || text.back() != ')') {
        bad_request(fmt::format("{} '{}' is not of the form (A,B,..), one number for each axis",
                                what, text));
    }
    return core::mapped(core::split(text.substr(1, text.size() - 2), ','),
                        [&](const std::string& entry) { return core::parse_index(entry, what); });
}

LayoutRequest parse_where(std::string_view text, int dims) {
    const core::Call call = core::parse_call(text);
    if (call.name == "slab") return parse_cuts(call, 1, dims);
    if (call.name == "pencil") return parse_cuts(call, 2, dims);
    if (call.name == "cut") return parse_cuts(call, 0, dims);
    if (call.name == "grid") return parse_grid(call, dims);
    if (call.name == "boxes" && call.has_arguments) return parse_boxes(call);
    if (call.name == "sphere" && call.has_arguments) {
        return sphere(core::parse_real(call.arguments, "radius of a sphere"));
    }
    if (call.name == "brick" && !call.has_arguments) return brick(dims);
    if (call.name == "single" && !call.has_arguments) return single();
    if (call.name == "free" && !call.has_arguments) return {};
    bad_request(
        fmt::format("layout '{}' is unknown; there are free, slab(0), pencil(0,1), cut(0,1,2), "
                    "brick, grid(2x4x1), single, boxes([0:4,0:8]|[4:8,0:8]), sphere(16), each with "
                    "@012 for the order, then +(0,0,2) for padding or /(64,8,1) for strides",
                    text));
}

}  // namespace

/// `WHERE[@ORDER][+(PADDING)|/(STRIDES)]`; the marks stand outside of parentheses.
LayoutRequest core::parse_layout(std::string_view text, int dims) {
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

}  // namespace weft
