#include "plan/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/index.hpp"
#include "base/mapped.hpp"
#include "base/text.hpp"
#include "base/transforms.hpp"
#include "plan/sphere.hpp"

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

}  // namespace

LayoutRequest slab(int axis) { return cut({axis}); }

LayoutRequest pencil(int a, int b) { return cut({a, b}); }

LayoutRequest grid(const std::vector<int>& parts) {
    return cut(core::all_below(parts.size()), parts);
}

LayoutRequest single() { return cut({}); }

LayoutRequest own_boxes(std::vector<std::vector<Box>> boxes) {
    if (boxes.empty()) bad_request("no boxes are given; give a list of boxes for each rank");
    LayoutRequest request = cut({});
    request.boxes = std::move(boxes);
    return request;
}

LayoutRequest brick(int dims) { return cut(core::all_below(dims)); }

LayoutRequest sphere(double cutoff) {
    LayoutRequest request = cut({});
    request.sphere = cutoff;
    return request;
}

}  // namespace weft

namespace weft::core {

int array_axes(const Problem& problem) { return dims_of(problem) + (problem.batch > 1 ? 1 : 0); }

std::vector<int> listed_axes(const Problem& problem) {
    return problem.axes.empty() ? all_below(problem.shape.size()) : problem.axes;
}

std::vector<int> transformed_axes(const Problem& problem) {
    if (problem.kind == Kind::redistribute) return problem.axes;
    std::vector<int> axes = listed_axes(problem);
    const auto left_alone = [&](int axis) { return axis_kind(problem, axis) == AxisKind::none; };
    std::erase_if(axes, left_alone);
    std::sort(axes.begin(), axes.end());
    return axes;
}

namespace {

/// The kind of an axis of a problem that lists none: of r2r, which has to, and of redistribute
/// none.
AxisKind usual_kind(const Problem& problem, int axis) {
    if (problem.kind == Kind::c2c) return AxisKind::c2c;
    if (!halves(problem.kind)) return AxisKind::none;
    if (axis != r2c_axis_of(problem)) return AxisKind::c2c;
    return problem.kind == Kind::r2c ? AxisKind::r2c : AxisKind::c2r;
}

}  // namespace

AxisKind axis_kind(const Problem& problem, int axis) {
    const std::vector<AxisKind>& kinds = problem.kinds;
    const auto listed = problem.axes.empty()
                            ? usize(axis)
                            : usize(std::find(problem.axes.begin(), problem.axes.end(), axis) -
                                    problem.axes.begin());
    const std::size_t count = problem.axes.empty() ? problem.shape.size() : problem.axes.size();
    if (listed >= count) return AxisKind::none;
    if (kinds.empty()) return usual_kind(problem, axis);
    return kinds.size() == 1 ? kinds.front() : kinds[listed];
}

bool has_real_to_real(const Problem& problem) {
    return std::any_of(problem.kinds.begin(), problem.kinds.end(), is_real_to_real);
}

int r2c_axis_of(const Problem& problem) {
    if (!halves(problem.kind)) return -1;
    if (problem.r2c_axis != -1) return problem.r2c_axis;
    const auto found = std::find_if(problem.kinds.begin(), problem.kinds.end(),
                                    [](AxisKind kind) { return halves(kind); });
    const auto listed = usize(found - problem.kinds.begin());
    if (found != problem.kinds.end()) {
        return problem.axes.empty() ? static_cast<int>(listed) : problem.axes[listed];
    }
    // As they are listed, which is numpy's rule, too: axes=1,0 halves axis 0.
    return problem.axes.empty() ? dims_of(problem) - 1 : problem.axes.back();
}

std::vector<Index> array_shape(const Problem& problem, bool spectral) {
    return array_shape(problem, std::vector<bool>(problem.shape.size(), spectral));
}

std::vector<Index> array_shape(const Problem& problem, const std::vector<bool>& done) {
    std::vector<Index> shape = problem.shape;
    const int r2c_axis = r2c_axis_of(problem);
    for (std::size_t a = 0; a < shape.size(); ++a) {
        const std::vector<Index>& kept = done[a] ? problem.modes : problem.inside;
        if (!kept.empty()) shape[a] = kept[a];
        if (done[a] && static_cast<int>(a) == r2c_axis) shape[a] = shape[a] / 2 + 1;
    }
    if (problem.batch > 1) shape.push_back(problem.batch);
    return shape;
}

namespace {

bool is_short(const std::vector<Index>& kept, const Problem& problem, int axis) {
    return !kept.empty() && kept[usize(axis)] < problem.shape[usize(axis)];
}

}  // namespace

bool keeps_part(const Problem& problem, int axis) {
    return is_short(problem.modes, problem, axis) || is_short(problem.inside, problem, axis);
}

bool keeps_part(const Problem& problem) {
    for (int axis = 0; axis < dims_of(problem); ++axis) {
        if (keeps_part(problem, axis)) return true;
    }
    return false;
}

KeptPart points_kept(const Problem& problem, int axis) {
    if (!is_short(problem.inside, problem, axis)) return {};
    return {.what = KeptPart::What::first, .count = problem.inside[usize(axis)]};
}

KeptPart modes_kept(const Problem& problem, int axis) {
    if (!is_short(problem.modes, problem, axis)) return {};
    const bool first = is_real_to_real(axis_kind(problem, axis));
    return {first ? KeptPart::What::first : KeptPart::What::modes, problem.even_modes,
            problem.modes[usize(axis)]};
}

double transform_length(const Problem& problem) {
    double n = 1;
    for (const int axis : transformed_axes(problem)) {
        const Index length = problem.shape[usize(axis)];
        n *= static_cast<double>(logical_length(axis_kind(problem, axis), length));
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
    for (AxisKind& kind : result.kinds) kind = weft::inverse(kind);
    std::swap(result.in, result.out);
    std::swap(result.forward_scale, result.backward_scale);
    return result;
}

Format format_of(const Problem& problem, const LayoutRequest& request) {
    const int dims = dims_of(problem);
    const auto axes = usize(array_axes(problem));
    Format format = row_major(dims);
    if (request.sphere) {
        // Columns are contiguous.
        const int along = column_axis(problem);
        std::erase(format.order, along);
        format.order.push_back(along);
    }
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
Distribution boxes_of(const Problem& problem, const LayoutRequest& request, bool spectral,
                      int ranks) {
    const OwnBoxes::ByRank& given = request.boxes.by_rank();
    if (static_cast<int>(given.size()) != ranks) {
        bad_request(
            fmt::format("boxes are given for {} ranks, but there are {}", given.size(), ranks));
    }
    const std::vector<Index> shape = array_shape(problem, spectral);
    const auto hold_all_fields = [&](const std::vector<Box>& own) {
        return std::all_of(own.begin(), own.end(),
                           [&](const Box& box) { return box.lo.size() == shape.size(); });
    };
    if (std::all_of(given.begin(), given.end(), hold_all_fields)) {
        return Distribution(BoxList(shape, given, problem.sparse));
    }
    OwnBoxes::ByRank boxes = given;
    for (auto& own : boxes) {
        for (Box& box : own) {
            if (box.lo.size() == shape.size()) continue;
            box.lo.push_back(0);
            box.hi.push_back(problem.batch);
        }
    }
    return Distribution(BoxList(shape, boxes, problem.sparse));
}

/// The parts of the cut axes where the request leaves them open.
std::vector<int> open_parts(const Problem& problem, const std::vector<int>& axes, bool spectral,
                            int ranks) {
    const std::vector<Index> shape = array_shape(problem, spectral);
    if (axes.size() <= 2) return near_square(ranks, static_cast<int>(axes.size()));
    return minimum_surface_grid(mapped(axes, [&](int axis) { return shape[usize(axis)]; }), ranks);
}

}  // namespace

std::optional<Distribution> distribution_of(const Problem& problem, const LayoutRequest& request,
                                            bool spectral, int ranks,
                                            const std::vector<int>& grid) {
    if (request.free) return std::nullopt;
    if (!request.boxes.empty()) return boxes_of(problem, request, spectral, ranks);
    if (request.sphere) return sphere_columns(problem, *request.sphere, ranks);
    const std::vector<Index> shape = array_shape(problem, spectral);
    std::vector<std::vector<int>> cuts(shape.size());
    for (std::size_t f = 0; f < request.axes.size(); ++f) {
        cuts[usize(request.axes[f])].push_back(static_cast<int>(f));
    }
    ProcessGrid process_grid;
    if (!request.parts.empty()) {
        process_grid.factors = request.parts;
    } else if (grid.size() == request.axes.size() && ProcessGrid{grid}.size() == ranks) {
        process_grid.factors = grid;
    } else if (!request.axes.empty()) {
        process_grid.factors = open_parts(problem, request.axes, spectral, ranks);
    }
    if (!request.axes.empty() && process_grid.size() != ranks) {
        bad_request(fmt::format("{} cuts the array in {} = {} parts, but there are {} ranks",
                                weft::to_string(request, dims_of(problem)),
                                join(process_grid.factors, "x"), process_grid.size(), ranks));
    }
    return Distribution(shape, ranks, process_grid, cuts, problem.cut);
}

Scalar scalar_of(const Problem& problem, bool input) {
    const bool real = input ? is_real_before(problem.kind) : is_real_after(problem.kind);
    return {problem.precision, !real, problem.element_bytes};
}

}  // namespace weft::core
