// What follows from a problem: shapes, transformed axes, the formats and cuts that its ends ask
// for.
#pragma once

#include <optional>
#include <string_view>

#include "base/transforms.hpp"
#include "geometry/layout.hpp"
#include "weft/problem.hpp"

namespace weft::core {

/// The inverse of to_string; `dims` is the number of the batch axis.
LayoutRequest parse_layout(std::string_view text, int dims);

/// The number of dimensions, which is also that of the batch axis.
inline int dims_of(const Problem& problem) { return static_cast<int>(problem.shape.size()); }
/// Array axes: the dimensions, and one more for a batch.
int array_axes(const Problem& problem);
/// The axes as the problem lists them; all of them where it does not.
std::vector<int> listed_axes(const Problem& problem);
/// The transformed axes, ascending.
std::vector<int> transformed_axes(const Problem& problem);
/// What the forward direction does along an axis; none for axes that are not transformed.
AxisKind axis_kind(const Problem& problem, int axis);
/// Throws Error(bad_request) unless the kinds of the axes go with each other and with the problem.
void check_axis_kinds(const Problem& problem);
/// Throws Error(bad_request) unless ends that may leave elements out can.
void check_sparse(const Problem& problem);
/// Whether cosine or sine transforms are along some of its axes.
bool has_real_to_real(const Problem& problem);
/// The axis that keeps n/2+1 values; -1 for c2c. Unless the problem says or its kinds do, the last
/// one of its list of axes, which need not ascend.
int r2c_axis_of(const Problem& problem);
/// The shape with the batch axis last, before any axis is transformed or, `spectral`, behind all:
/// the r2c axis has n/2+1, and axes have the modes that are kept.
std::vector<Index> array_shape(const Problem& problem, bool spectral);
/// The same where those axes are transformed that `done` has a flag for, one for each array axis.
std::vector<Index> array_shape(const Problem& problem, const std::vector<bool>& done);
/// Whether fewer elements than the transform has are in memory along an axis, before or behind it.
bool keeps_part(const Problem& problem, int axis);
/// Whether that is so along some axis.
bool keeps_part(const Problem& problem);
/// What there is of lines along an axis before and behind it is transformed forward.
KeptPart points_kept(const Problem& problem, int axis);
KeptPart modes_kept(const Problem& problem, int axis);
/// N: what there and back multiplies by, unscaled.
double transform_length(const Problem& problem);
/// The factor of one direction as a number.
double scale_factor(const Problem& problem, bool backward);

/// The problem whose forward is the backward of this one (r2c for c2r).
Problem mirrored(const Problem& problem);

/// Whether an end is a list of boxes: a caller's, or a sphere's columns.
inline bool has_boxes(const LayoutRequest& request) {
    return !request.boxes.empty() || request.sphere;
}
/// Whether an end may leave elements out.
inline bool may_leave_out(const Problem& problem) {
    return problem.sparse || problem.in.sphere || problem.out.sphere;
}

/// Row-major with the batch axis slowest, or what the request asks for.
Format format_of(const Problem& problem, const LayoutRequest& request);

/// The distribution an end asks for; nothing if it is free. `grid` helps to choose the parts where
/// the request leaves them open and the number of cuts agrees.
/// Throws Error(bad_request) if the request does not fit the ranks.
std::optional<Distribution> distribution_of(const Problem& problem, const LayoutRequest& request,
                                            bool spectral, int ranks, const std::vector<int>& grid);

/// The elements of the input (output).
Scalar scalar_of(const Problem& problem, bool input);

}  // namespace weft::core
