#include "plan/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text.hpp"

namespace weft {

using core::bad_request;

LayoutRequest slab(int axis) { return {false, {axis}, {}, {}}; }

LayoutRequest pencil(int a, int b) { return {false, {a, b}, {}, {}}; }

LayoutRequest grid(const std::vector<int>& parts) {
    LayoutRequest request{false, {}, {}, {}};
    for (std::size_t a = 0; a < parts.size(); ++a) {
        request.axes.push_back(static_cast<int>(a));
        request.parts.push_back(parts[a]);
    }
    return request;
}

LayoutRequest single() { return {false, {}, {}, {}}; }

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

void check_layout(const LayoutRequest& request, const Problem& problem, std::string_view what) {
    const int axes = core::array_axes(problem);
    const auto dims = problem.shape.size();
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
    // 16 bytes an element at most; half the range keeps sums of sizes safe as well.
    constexpr Index limit = (Index{1} << 62) / 16;
    Index total = problem.batch;
    for (const Index n : problem.shape) {
        if (n > limit / total) {
            bad_request(fmt::format("shape {}*{} has more than 2^58 elements",
                                    core::join(problem.shape, "x"), problem.batch));
        }
        total *= n;
    }
}

}  // namespace

void validate(const Problem& problem) {
    if (to_string(problem.kind) == "?" || to_string(problem.precision) == "?" ||
        to_string(problem.cut) == "?") {
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
    check_size(problem);
    check_axes(problem.axes, static_cast<int>(problem.shape.size()), -1, "transformed axes");
    if (problem.kind == Kind::c2c && problem.halved != -1) {
        bad_request(
            fmt::format("halved={}: only r2c and c2r halve an axis, not c2c", problem.halved));
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
    if (problem.in_place && problem.kind != Kind::c2c) {
        bad_request(
            fmt::format("in_place: {} changes the size of the array; only c2c runs in place",
                        to_string(problem.kind)));
    }
}

}  // namespace weft

namespace weft::core {

int array_axes(const Problem& problem) {
    return static_cast<int>(problem.shape.size()) + (problem.batch > 1 ? 1 : 0);
}

std::vector<int> transformed_axes(const Problem& problem) {
    std::vector<int> axes = problem.axes;
    if (axes.empty()) {
        axes.resize(problem.shape.size());
        std::iota(axes.begin(), axes.end(), 0);
    }
    std::sort(axes.begin(), axes.end());
    return axes;
}

int halved_axis(const Problem& problem) {
    if (problem.kind == Kind::c2c) return -1;
    return problem.halved != -1 ? problem.halved : transformed_axes(problem).back();
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

double scale_factor(const Problem& problem, bool backward) {
    const Scale& scale = backward ? problem.backward_scale : problem.forward_scale;
    double n = 1;
    for (const int axis : transformed_axes(problem)) {
        n *= static_cast<double>(problem.shape[static_cast<std::size_t>(axis)]);
    }
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
    if (problem.kind == Kind::c2r) result.kind = Kind::r2c;
    if (problem.kind == Kind::r2c) result.kind = Kind::c2r;
    std::swap(result.in, result.out);
    std::swap(result.forward_scale, result.backward_scale);
    return result;
}

Format format_of(const Problem& problem, const LayoutRequest& request) {
    const int dims = static_cast<int>(problem.shape.size());
    Format format = row_major(dims);
    if (!request.order.empty()) format.order = request.order;
    if (static_cast<int>(format.order.size()) < array_axes(problem)) {
        format.order.insert(format.order.begin(), dims);
    }
    return format;
}

std::optional<Distribution> distribution_of(const Problem& problem, const LayoutRequest& request,
                                            bool half, int ranks, const std::vector<int>& grid) {
    if (request.free) return std::nullopt;
    const std::vector<Index> shape = array_shape(problem, half);
    std::vector<std::vector<int>> cuts(shape.size());
    for (std::size_t f = 0; f < request.axes.size(); ++f) {
        cuts[static_cast<std::size_t>(request.axes[f])].push_back(static_cast<int>(f));
    }
    ProcessGrid process_grid;
    if (!request.parts.empty()) {
        process_grid.factors = request.parts;
    } else if (grid.size() == request.axes.size()) {
        process_grid.factors = grid;
    } else if (!request.axes.empty()) {
        process_grid.factors = near_square(ranks, static_cast<int>(request.axes.size()));
    }
    if (!request.axes.empty() && process_grid.size() != ranks) {
        bad_request(fmt::format("{} cuts the array in {} = {} parts, but there are {} ranks",
                                weft::to_string(request, static_cast<int>(problem.shape.size())),
                                join(process_grid.factors, "x"), process_grid.size(), ranks));
    }
    return Distribution(shape, ranks, process_grid, cuts, problem.cut);
}

}  // namespace weft::core
