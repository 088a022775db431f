// What a problem must not say.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/index.hpp"
#include "base/text.hpp"
#include "base/transforms.hpp"
#include "plan/names.hpp"
#include "plan/problem.hpp"

namespace weft {

using core::bad_request;

namespace {

void check_axes(const std::vector<int>& axes, int count, int dims, std::string_view what) {
    std::vector<bool> seen(core::usize(count), false);
    for (const int axis : axes) {
        if (axis == count && count == dims) {
            bad_request(fmt::format("{}: axis {} would be the batch axis b, but there is no batch",
                                    what, axis));
        }
        if (axis < 0 || axis >= count) {
            bad_request(fmt::format("{}: axis {} is not one of the {} axes 0 to {}", what, axis,
                                    count, count - 1));
        }
        if (seen[core::usize(axis)]) {
            bad_request(fmt::format("{}: axis {} is named twice", what, axis));
        }
        seen[core::usize(axis)] = true;
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
    const auto axes = core::usize(core::array_axes(problem));
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
    const auto axes = core::usize(core::array_axes(problem));
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
        bad_request(fmt::format(
            "{}: padding and strides are both given; strides are enough, so leave out padding",
            what));
    }
    const auto axes = core::usize(core::array_axes(problem));
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
        bad_request("redistribute: give both layouts, in= and out=");
    }
}

/// What is kept of an axis, on one side of its transform.
void check_kept(const Problem& problem, const std::vector<Index>& kept, std::string_view what) {
    if (kept.empty()) return;
    const std::string text = fmt::format("{}={}", what, core::join(kept, "x"));
    if (problem.kind == Kind::redistribute) {
        bad_request(
            text +
            ": redistribute transforms nothing, so it keeps all elements; leave this word out");
    }
    if (kept.size() != problem.shape.size()) {
        bad_request(
            fmt::format("{}: {} numbers for the {} dimensions of the shape {}; give one for "
                        "each",
                        text, kept.size(), problem.shape.size(), core::join(problem.shape, "x")));
    }
    const std::vector<int> axes = core::transformed_axes(problem);
    for (std::size_t a = 0; a < kept.size(); ++a) {
        const Index n = problem.shape[a];
        if (kept[a] < 1 || kept[a] > n) {
            bad_request(
                fmt::format("{}: axis {} has the length {}, of which 1 to {} can be kept, "
                            "not {}",
                            text, a, n, n, kept[a]));
        }
        if (kept[a] < n && std::count(axes.begin(), axes.end(), static_cast<int>(a)) == 0) {
            bad_request(
                fmt::format("{}: axis {} is not transformed, so all of it is kept; give its "
                            "length {}, not {}",
                            text, a, n, kept[a]));
        }
    }
}

void check_kept(const Problem& problem) {
    if (!core::has_name(problem.even_modes)) {
        bad_request("even_modes is not one of the values of its type");
    }
    check_kept(problem, problem.modes, "modes");
    check_kept(problem, problem.inside, "inside");
    if (problem.even_modes != EvenModes::split && problem.modes.empty()) {
        bad_request(fmt::format(
            "even_modes={}: without modes= all modes are kept unchanged; leave out even_modes",
            to_string(problem.even_modes)));
    }
    if (core::keeps_part(problem) && problem.in_place) {
        bad_request(
            "in_place: modes= and inside= keep a different number of elements at each end; give "
            "two arrays");
    }
}

/// Values are multiplied by the factor in their own precision, in which it must not become
/// infinite or 0.
void check_scale(const Scale& scale, Precision precision) {
    if (!std::isfinite(scale.value)) {
        bad_request(fmt::format("scale {}: the factor must be finite", scale.value));
    }
    if (precision == Precision::f64 || scale.value == 0) return;
    using Single = std::numeric_limits<float>;
    const double size = std::abs(scale.value);
    if (size <= static_cast<double>(Single::max()) &&
        size >= static_cast<double>(Single::denorm_min())) {
        return;
    }
    bad_request(fmt::format("scale {}: f32 holds factors from {:.3g} to {:.3g}, and 0; take f64",
                            scale.value, Single::denorm_min(), Single::max()));
}

}  // namespace

void validate(const Problem& problem) {
    if (!core::has_name(problem.kind) || !core::has_name(problem.precision) ||
        !core::has_name(problem.cut)) {
        bad_request("kind, precision or cut is not one of the values of its type");
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
    check_axes(problem.axes, core::dims_of(problem), -1, "transformed axes");
    core::check_axis_kinds(problem);
    if (!core::halves(problem.kind) && problem.r2c_axis != -1) {
        bad_request(
            fmt::format("r2c_axis={}: only r2c and c2r keep n/2+1 values of an axis, not {}",
                        problem.r2c_axis, to_string(problem.kind)));
    }
    const auto axes = core::transformed_axes(problem);
    if (problem.r2c_axis != -1 && std::count(axes.begin(), axes.end(), problem.r2c_axis) == 0) {
        bad_request(fmt::format("r2c_axis={}: that axis is not among the transformed axes {}",
                                problem.r2c_axis, core::join(axes, ",")));
    }
    check_kept(problem);
    check_layout(problem.in, problem, "in");
    check_layout(problem.out, problem, "out");
    core::check_sparse(problem);
    check_scale(problem.forward_scale, problem.precision);
    check_scale(problem.backward_scale, problem.precision);
    if (problem.in_place && problem.may_destroy_input) {
        bad_request("in_place and may_destroy_input: in place there is no input to destroy");
    }
}

}  // namespace weft
