#include "plan/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "base/text.hpp"
#include "base/transforms.hpp"

namespace weft {

using core::bad_request;

namespace {

LayoutRequest cut(std::vector<int> axes, std::vector<int> parts = {}) {
    LayoutRequest request;
    request.free = false;
    request.axes = std::move(axes);
    request.parts = std::move(parts);
    return request;
}

std::vector<int> counted(int dims) {
    std::vector<int> axes(static_cast<std::size_t>(dims));
    std::iota(axes.begin(), axes.end(), 0);
    return axes;
}

}  // namespace

AxisKind inverse(AxisKind kind) {
    switch (kind) {
        case AxisKind::dct2:
            return AxisKind::dct3;
        case AxisKind::dct3:
            return AxisKind::dct2;
        case AxisKind::dst2:
            return AxisKind::dst3;
        case AxisKind::dst3:
            return AxisKind::dst2;
        default:
            return kind;
    }
}

Index logical_length(AxisKind kind, Index n) {
    if (kind == AxisKind::none) return 1;
    if (kind == AxisKind::dct1) return 2 * (n - 1);
    return kind == AxisKind::dst1 ? 2 * (n + 1) : 2 * n;
}

LayoutRequest slab(int axis) { return cut({axis}); }

LayoutRequest pencil(int a, int b) { return cut({a, b}); }

LayoutRequest grid(const std::vector<int>& parts) {
    return cut(counted(static_cast<int>(parts.size())), parts);
}

LayoutRequest single() { return cut({}); }

LayoutRequest own_boxes(std::vector<std::vector<Box>> boxes) {
    if (boxes.empty()) bad_request("boxes of no rank are given; give a list for each rank");
    LayoutRequest request = cut({});
    request.boxes = std::move(boxes);
    return request;
}

LayoutRequest brick(int dims) { return cut(counted(dims)); }

namespace {

void check_axes(const std::vector<int>& axes, int count, int dims, std::string_view what) {
    std::vector<bool> seen(static_cast<std::size_t>(count), false);
    for (const int axis : axes) {
        if (axis == count && count == dims) {
            bad_request(fmt::format("{}: axis {} would be the batch axis b, but there is no batch",
                                    what, axis));
        }
        if (axis < 0 || axis >= count) {
            bad_request(fmt::format("{}: axis {} is not one of the {} axes 0 to {}", what, axis,
                                    count, count - 1));
        }
        if (seen[static_cast<std::size_t>(axis)]) {
            bad_request(fmt::format("{}: axis {} is named twice", what, axis));
        }
        seen[static_cast<std::size_t>(axis)] = true;
    }
}

void check_boxes(const LayoutRequest& request, const Problem& problem, std::string_view what) {
    if (request.boxes.empty()) return;
    if (request.free || !request.axes.empty()) {
        bad_request(
            fmt::format("{}: boxes are given, but it is also {}; own_boxes(..) sets only them",
                        what, request.free ? "free" : "asked to cut axes"));
    }
    const auto dims = problem.shape.size();
    const auto axes = static_cast<std::size_t>(core::array_axes(problem));
    const OwnBoxes::ByRank& boxes = request.boxes.by_rank();
    for (std::size_t rank = 0; rank < boxes.size(); ++rank) {
        for (const Box& box : boxes[rank]) {
            if (box.lo.size() != box.hi.size() ||
                (box.lo.size() != dims && box.lo.size() != axes)) {
                bad_request(
                    fmt::format("{}: a box of rank {} has {} lower and {} upper bounds; the "
                                "array has {} axes",
                                what, rank, box.lo.size(), box.hi.size(), axes));
            }
            for (std::size_t a = 0; a < box.lo.size(); ++a) {
                if (box.lo[a] <= box.hi[a]) continue;
                bad_request(fmt::format("{}: box {} of rank {} ends before it begins", what,
                                        to_string(box), rank));
            }
        }
    }
}

/// Padding or strides: one entry for each axis, the batch axis may be left out.
void check_entries(const std::vector<Index>& entries, Index least, const Problem& problem,
                   std::string_view what) {
    constexpr Index most = Index{1} << 40;
    const auto axes = static_cast<std::size_t>(core::array_axes(problem));
    if (entries.empty()) return;
    if (entries.size() != axes && entries.size() != problem.shape.size()) {
        bad_request(fmt::format("{}: {} entries for {} axes; give one for each", what,
                                entries.size(), axes));
    }
    for (const Index entry : entries) {
        if (entry < least || entry > most) {
            bad_request(fmt::format("{}: {} is not between {} and 2^40", what, entry, least));
        }
    }
}

void check_format(const LayoutRequest& request, const Problem& problem, std::string_view what) {
    check_entries(request.padding, 0, problem, fmt::format("{}, padding", what));
    check_entries(request.strides, 1, problem, fmt::format("{}, strides", what));
    if (!request.padding.empty() && !request.strides.empty()) {
        bad_request(fmt::format("{}: padding and strides are both given; strides say all", what));
    }
    const auto axes = static_cast<std::size_t>(core::array_axes(problem));
    if (!request.strides.empty() && request.strides.size() != axes) {
        bad_request(fmt::format("{}: {} strides for {} axes; with a batch its stride is needed too",
                                what, request.strides.size(), axes));
    }
}

void check_layout(const LayoutRequest& request, const Problem& problem, std::string_view what) {
    const int axes = core::array_axes(problem);
    const auto dims = problem.shape.size();
    check_boxes(request, problem, what);
    check_format(request, problem, what);
    check_axes(request.axes, axes, static_cast<int>(dims), what);
    check_axes(request.order, axes, static_cast<int>(dims),
               fmt::format("{}, order in memory", what));
    if (request.free && !request.axes.empty()) {
        bad_request(fmt::format("{}: a free layout names no axes to cut", what));
    }
    if (!request.parts.empty() && request.parts.size() != request.axes.size()) {
        bad_request(fmt::format("{}: {} axes are cut, but {} numbers of parts are given", what,
                                request.axes.size(), request.parts.size()));
    }
    for (const int parts : request.parts) {
        if (parts < 1) bad_request(fmt::format("{}: {} parts; at least 1 is needed", what, parts));
    }
    if (!request.order.empty() && request.order.size() != dims &&
        static_cast<int>(request.order.size()) != axes) {
        bad_request(fmt::format("{}: the order in memory names {} of the {} axes; name all", what,
                                request.order.size(), axes));
    }
    const bool batch_in_order =
        std::count(request.order.begin(), request.order.end(), static_cast<int>(dims)) != 0;
    if (problem.batch > 1 && request.order.size() == dims && batch_in_order) {
        bad_request(
            fmt::format("{}: the order in memory names the batch axis, but not all others", what));
    }
}

void check_size(const Problem& problem) {
    // Half the range of bytes keeps sums of sizes safe as well.
    constexpr Index number_bytes = 16;
    const Index limit = (Index{1} << 62) / std::max(problem.element_bytes, number_bytes);
    Index total = problem.batch;
    for (const Index n : problem.shape) {
        if (n > limit / total) {
            bad_request(fmt::format(
                "shape {}*{} has more than {} elements", core::join(problem.shape, "x"),
                problem.batch,
                problem.element_bytes <= number_bytes ? "2^58" : std::to_string(limit)));
        }
        total *= n;
    }
}

/// What goes together with redistribution, and only with it.
void check_kind(const Problem& problem) {
    constexpr Index largest_element = Index{1} << 20;
    if (problem.kind != Kind::redistribute) {
        if (problem.element_bytes == 0) return;
        bad_request(fmt::format("element_bytes={}: only redistribute has elements of any size",
                                problem.element_bytes));
    }
    if (problem.element_bytes < 1 || problem.element_bytes > largest_element) {
        bad_request(fmt::format("redistribute: elements of {} bytes; 1 to {} are possible",
                                problem.element_bytes, largest_element));
    }
    if (!problem.axes.empty() || problem.forward_scale != Scale{} ||
        problem.backward_scale != Scale{}) {
        bad_request("redistribute: nothing is transformed, so there are no axes and no scale");
    }
    if (problem.in.free || problem.out.free) {
        bad_request("redistribute: say where from and where to, in= and out=");
    }
}

/// The axes as the problem lists them.
std::vector<int> listed_axes(const Problem& problem) {
    return problem.axes.empty() ? counted(static_cast<int>(problem.shape.size())) : problem.axes;
}

/// The kinds of r2r; no other problem has any.
void check_axis_kinds(const Problem& problem) {
    const std::vector<AxisKind>& kinds = problem.kinds;
    if (!std::all_of(kinds.begin(), kinds.end(),
                     [](AxisKind kind) { return core::is_value(kind); }))
        bad_request("kinds: one of them is none of the values of its type");
    std::vector<std::string> names;
    std::transform(kinds.begin(), kinds.end(), std::back_inserter(names),
                   [](AxisKind kind) { return to_string(kind); });
    const std::string text = fmt::format("kinds={}", fmt::join(names, ","));
    if (problem.kind != Kind::r2r) {
        if (kinds.empty()) return;
        bad_request(fmt::format("{}: only r2r has a kind for each axis, {} has not", text,
                                to_string(problem.kind)));
    }
    if (kinds.empty()) {
        bad_request(
            "r2r: give the kinds of the transformed axes, as in kinds=dct2,dst1, or one for all");
    }
    const std::vector<int> axes = listed_axes(problem);
    if (kinds.size() != 1 && kinds.size() != axes.size()) {
        bad_request(
            fmt::format("{}: {} kinds for {} transformed axes; give one for each, or one "
                        "for all",
                        text, kinds.size(), axes.size()));
    }
    if (core::transformed_axes(problem).empty()) {
        bad_request(fmt::format("{}: no axis is transformed", text));
    }
    for (const int axis : axes) {
        const Index n = problem.shape[static_cast<std::size_t>(axis)];
        if (core::axis_kind(problem, axis) != AxisKind::dct1 || n > 1) continue;
        bad_request(
            fmt::format("{}: axis {} has the length {}, but dct1 needs at least 2; take "
                        "another kind or none",
                        text, axis, n));
    }
}

}  // namespace

void validate(const Problem& problem) {
    if (!core::is_value(problem.kind) || !core::is_value(problem.precision) ||
        !core::is_value(problem.cut)) {
        bad_request("kind, precision or cut is none of the values of its type");
    }
    if (problem.shape.empty() || problem.shape.size() > 6) {
        bad_request(
            fmt::format("the shape has {} dimensions; 1 to 6 are possible", problem.shape.size()));
    }
    for (const Index n : problem.shape) {
        if (n < 1) {
            bad_request(fmt::format("shape {}: the length {} must be at least 1",
                                    core::join(problem.shape, "x"), n));
        }
    }
    if (problem.batch < 1) {
        bad_request(fmt::format("batch {}: at least 1 field is needed", problem.batch));
    }
    check_kind(problem);
    check_size(problem);
    check_axes(problem.axes, static_cast<int>(problem.shape.size()), -1, "transformed axes");
    check_axis_kinds(problem);
    if (!core::halves(problem.kind) && problem.halved != -1) {
        bad_request(fmt::format("halved={}: only r2c and c2r halve an axis, not {}", problem.halved,
                                to_string(problem.kind)));
    }
    const auto axes = core::transformed_axes(problem);
    if (problem.halved != -1 && std::count(axes.begin(), axes.end(), problem.halved) == 0) {
        bad_request(fmt::format("halved={}: that axis is not among the transformed axes {}",
                                problem.halved, core::join(axes, ",")));
    }
    check_layout(problem.in, problem, "in");
    check_layout(problem.out, problem, "out");
    for (const Scale& scale : {problem.forward_scale, problem.backward_scale}) {
        if (!std::isfinite(scale.value)) {
            bad_request(fmt::format("scale {}: the factor must be finite", scale.value));
        }
    }
    if (problem.in_place && problem.may_destroy_input) {
        bad_request("in_place and may_destroy_input: in place there is no input to destroy");
    }
}

}  // namespace weft

namespace weft::core {

int array_axes(const Problem& problem) {
    return static_cast<int>(problem.shape.size()) + (problem.batch > 1 ? 1 : 0);
}

std::vector<int> transformed_axes(const Problem& problem) {
    std::vector<int> axes = problem.axes;
    if (problem.kind == Kind::redistribute) return axes;
    if (axes.empty()) {
        axes.resize(problem.shape.size());
        std::iota(axes.begin(), axes.end(), 0);
    }
    if (problem.kind == Kind::r2r) {
        const auto left_alone = [&](int axis) {
            return axis_kind(problem, axis) == AxisKind::none;
        };
        std::erase_if(axes, left_alone);
    }
    std::sort(axes.begin(), axes.end());
    return axes;
}

AxisKind axis_kind(const Problem& problem, int axis) {
    const std::vector<AxisKind>& kinds = problem.kinds;
    const auto listed =
        problem.axes.empty()
            ? static_cast<std::size_t>(axis)
            : static_cast<std::size_t>(std::find(problem.axes.begin(), problem.axes.end(), axis) -
                                       problem.axes.begin());
    const std::size_t count = problem.axes.empty() ? problem.shape.size() : problem.axes.size();
    if (kinds.empty() || listed >= count) return AxisKind::none;
    return kinds.size() == 1 ? kinds.front() : kinds[listed];
}

int halved_axis(const Problem& problem) {
    if (!halves(problem.kind)) return -1;
    if (problem.halved != -1) return problem.halved;
    // As they are listed, which is numpy's rule, too: axes=1,0 halves axis 0.
    return problem.axes.empty() ? static_cast<int>(problem.shape.size()) - 1 : problem.axes.back();
}

std::vector<Index> array_shape(const Problem& problem, bool half) {
    std::vector<Index> shape = problem.shape;
    const int halved = halved_axis(problem);
    if (half && halved != -1) {
        const auto a = static_cast<std::size_t>(halved);
        shape[a] = shape[a] / 2 + 1;
    }
    if (problem.batch > 1) shape.push_back(problem.batch);
    return shape;
}

double transform_length(const Problem& problem) {
    double n = 1;
    for (const int axis : transformed_axes(problem)) {
        const Index length = problem.shape[static_cast<std::size_t>(axis)];
        n *= static_cast<double>(
            problem.kind == Kind::r2r ? logical_length(axis_kind(problem, axis), length) : length);
    }
    return n;
}

double scale_factor(const Problem& problem, bool backward) {
    const Scale& scale = backward ? problem.backward_scale : problem.forward_scale;
    const double n = transform_length(problem);
    switch (scale.rule) {
        case Scale::Rule::none:
            return 1;
        case Scale::Rule::by_n:
            return 1 / n;
        case Scale::Rule::symmetric:
            return 1 / std::sqrt(n);
        case Scale::Rule::factor:
            return scale.value;
    }
    return 1;
}

Problem mirrored(const Problem& problem) {
    Problem result = problem;
    result.kind = inverse(problem.kind);
    std::swap(result.in, result.out);
    std::swap(result.forward_scale, result.backward_scale);
    return result;
}

Format format_of(const Problem& problem, const LayoutRequest& request) {
    const int dims = static_cast<int>(problem.shape.size());
    const auto axes = static_cast<std::size_t>(array_axes(problem));
    Format format = row_major(dims);
    if (!request.order.empty()) format.order = request.order;
    if (format.order.size() < axes) format.order.insert(format.order.begin(), dims);
    format.padding = request.padding;
    if (!format.padding.empty()) format.padding.resize(axes, 0);
    const bool none = std::all_of(format.padding.begin(), format.padding.end(),
                                  [](Index padding) { return padding == 0; });
    if (none) format.padding.clear();
    format.strides = request.strides;
    return format;
}

namespace {

/// A caller's boxes; those that leave out the batch axis hold all fields.
Distribution boxes_of(const Problem& problem, const LayoutRequest& request, bool half, int ranks) {
    const OwnBoxes::ByRank& given = request.boxes.by_rank();
    if (static_cast<int>(given.size()) != ranks) {
        bad_request(
            fmt::format("boxes are given for {} ranks, but there are {}", given.size(), ranks));
    }
    const std::vector<Index> shape = array_shape(problem, half);
    const auto hold_all_fields = [&](const std::vector<Box>& own) {
        return std::all_of(own.begin(), own.end(),
                           [&](const Box& box) { return box.lo.size() == shape.size(); });
    };
    if (std::all_of(given.begin(), given.end(), hold_all_fields)) {
        return Distribution(BoxList(shape, given));
    }
    OwnBoxes::ByRank boxes = given;
    for (auto& own : boxes) {
        for (Box& box : own) {
            if (box.lo.size() == shape.size()) continue;
            box.lo.push_back(0);
            box.hi.push_back(problem.batch);
        }
    }
    return Distribution(BoxList(shape, boxes));
}

/// The parts of the cut axes where the request leaves them open.
std::vector<int> open_parts(const Problem& problem, const std::vector<int>& axes, bool half,
                            int ranks) {
    const std::vector<Index> shape = array_shape(problem, half);
    if (axes.size() <= 2) return near_square(ranks, static_cast<int>(axes.size()));
    std::vector<Index> lengths;
    lengths.reserve(axes.size());
    for (const int axis : axes) lengths.push_back(shape[static_cast<std::size_t>(axis)]);
    return minimum_surface_grid(lengths, ranks);
}

}  // namespace

std::optional<Distribution> distribution_of(const Problem& problem, const LayoutRequest& request,
                                            bool half, int ranks, const std::vector<int>& grid) {
    if (request.free) return std::nullopt;
    if (!request.boxes.empty()) return boxes_of(problem, request, half, ranks);
    const std::vector<Index> shape = array_shape(problem, half);
    std::vector<std::vector<int>> cuts(shape.size());
    for (std::size_t f = 0; f < request.axes.size(); ++f) {
        cuts[static_cast<std::size_t>(request.axes[f])].push_back(static_cast<int>(f));
    }
    ProcessGrid process_grid;
    if (!request.parts.empty()) {
        process_grid.factors = request.parts;
    } else if (grid.size() == request.axes.size() && ProcessGrid{grid}.size() == ranks) {
        process_grid.factors = grid;
    } else if (!request.axes.empty()) {
        process_grid.factors = open_parts(problem, request.axes, half, ranks);
    }
    if (!request.axes.empty() && process_grid.size() != ranks) {
        bad_request(fmt::format("{} cuts the array in {} = {} parts, but there are {} ranks",
                                weft::to_string(request, static_cast<int>(problem.shape.size())),
                                join(process_grid.factors, "x"), process_grid.size(), ranks));
    }
    return Distribution(shape, ranks, process_grid, cuts, problem.cut);
}

Scalar scalar_of(const Problem& problem, bool input) {
    const bool real = input ? is_real_before(problem.kind) : is_real_after(problem.kind);
    return {problem.precision, !real, problem.element_bytes};
}

namespace {

/// Elements from a box's first to its last, and those that padding puts behind; not exact, but
/// never beyond the range of its type.
long double reach(const Format& format, const Box& box) {
    if (box.empty()) return 0;
    long double sum = 1;
    long double product = 1;
    for (std::size_t a = 0; a < box.lo.size(); ++a) {
        const auto extent = static_cast<long double>(box.hi[a] - box.lo[a]);
        if (!format.strides.empty()) {
            sum += (extent - 1) * static_cast<long double>(format.strides[a]);
        } else {
            const Index padding = format.padding.empty() ? 0 : format.padding[a];
            product *= extent + static_cast<long double>(padding);
        }
    }
    return format.strides.empty() ? product : sum;
}

/// Whether two elements of a box could share their memory: each stride must step over all that the
/// smaller ones reach.
bool could_alias(const Format& format, const Box& box) {
    if (format.strides.empty() || box.empty()) return false;
    std::vector<std::size_t> axes(box.lo.size());
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    std::sort(axes.begin(), axes.end(),
              [&](std::size_t a, std::size_t b) { return format.strides[a] < format.strides[b]; });
    Index reached = 0;
    for (const std::size_t a : axes) {
        const Index extent = box.hi[a] - box.lo[a];
        if (extent == 1) continue;
        if (format.strides[a] <= reached) return true;
        reached += (extent - 1) * format.strides[a];
    }
    return false;
}

void check_boxes_fit(const Layout& layout, const std::vector<Box>& boxes, std::string_view end) {
    constexpr long double most_bytes = Index{1} << 62;
    long double elements = 0;
    for (const Box& box : boxes) {
        elements += reach(layout.format, box);
        if (elements * static_cast<long double>(layout.scalar.bytes()) > most_bytes) {
            bad_request(
                fmt::format("{}: with its padding or strides the box {} needs an array of "
                            "more than 2^62 bytes",
                            end, weft::to_string(box)));
        }
        if (could_alias(layout.format, box)) {
            bad_request(
                fmt::format("{}: with the strides {} elements of the box {} could lie on top "
                            "of each other; every stride must step over what the smaller "
                            "ones reach",
                            end, join(layout.format.strides, ","), weft::to_string(box)));
        }
    }
}

}  // namespace

void check_fits_in_memory(const Layout& layout, std::string_view end) {
    if (layout.format.dense()) return;
    if (layout.where.list() != nullptr) {
        for (int rank = 0; rank < layout.where.ranks(); ++rank) {
            check_boxes_fit(layout, layout.where.boxes(rank), end);
        }
        return;
    }
    // What holds for the largest part holds for all.
    Box largest = whole(layout.where.shape());
    for (int axis = 0; axis < layout.where.axes(); ++axis) {
        largest.hi[static_cast<std::size_t>(axis)] = layout.where.partition(axis).largest();
    }
    check_boxes_fit(layout, {largest}, end);
}

}  // namespace weft::core
