// What the kinds of a problem's axes must not say.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/index.hpp"
#include "base/text.hpp"
#include "base/transforms.hpp"
#include "plan/names.hpp"
#include "plan/problem.hpp"

namespace weft::core {

namespace {

/// The axes that keep n/2+1 by their kinds, r2c or c2r.
std::vector<int> r2c_axes_by_kind(const Problem& problem, const std::vector<int>& axes) {
    std::vector<int> r2c_axes;
    for (const int axis : axes) {
        if (halves(axis_kind(problem, axis))) r2c_axes.push_back(axis);
    }
    return r2c_axes;
}

/// Whether the kinds go together with what the problem does to the array.
void check_mixture(const Problem& problem, const std::vector<int>& axes, std::string_view text) {
    const std::string name = to_string(problem.kind);
    for (const int axis : axes) {
        const AxisKind kind = axis_kind(problem, axis);
        const std::string word = to_string(kind);
        if (kind == AxisKind::none || is_real_to_real(kind)) continue;
        if (problem.kind == Kind::r2r) {
            bad_request(
                fmt::format("{}: r2r has real numbers only, but axis {} is {}; take a cosine or "
                            "sine transform there, or a problem of kind r2c",
                            text, axis, word));
        }
        if (kind == AxisKind::c2c || word == name) continue;
        bad_request(fmt::format(
            "{}: axis {} is {}, but the problem is {}; kinds say what forward "
            "does, so its axes are {}",
            text, axis, word, name,
            problem.kind == Kind::c2c ? "c2c, cosine and sine transforms or none"
                                      : fmt::format("one {} and others c2c, cosine and sine "
                                                    "transforms or none",
                                                    name)));
    }
    if (!halves(problem.kind)) return;
    const std::vector<int> r2c_axes = r2c_axes_by_kind(problem, axes);
    if (r2c_axes.empty()) {
        bad_request(fmt::format("{}: {} keeps n/2+1 along one axis, but no axis is {}; say which",
                                text, name, name));
    }
    if (r2c_axes.size() > 1) {
        bad_request(
            fmt::format("{}: axes {} are all {}, but only one keeps n/2+1; let the others "
                        "be c2c",
                        text, join(r2c_axes, ","), name));
    }
    if (problem.r2c_axis != -1 && problem.r2c_axis != r2c_axes.front()) {
        bad_request(fmt::format("r2c_axis={}: {} has axis {} for {}; leave out r2c_axis",
                                problem.r2c_axis, text, r2c_axes.front(), name));
    }
}

}  // namespace

void check_axis_kinds(const Problem& problem) {
    const std::vector<AxisKind>& kinds = problem.kinds;
    if (!std::all_of(kinds.begin(), kinds.end(), [](AxisKind kind) { return has_name(kind); }))
        bad_request("kinds: one of them is not one of the values of its type");
    std::vector<std::string> names;
    std::transform(kinds.begin(), kinds.end(), std::back_inserter(names),
                   [](AxisKind kind) { return to_string(kind); });
    const std::string text = fmt::format("kinds={}", fmt::join(names, ","));
    if (problem.kind == Kind::redistribute && !kinds.empty()) {
        bad_request(
            fmt::format("{}: redistribute transforms nothing, so axes have no kinds", text));
    }
    if (problem.kind == Kind::r2r && kinds.empty()) {
        bad_request(
            "r2r: give the kinds of the transformed axes, as in kinds=dct2,dst1, or one for all");
    }
    if (kinds.empty()) return;
    const std::vector<int> axes = listed_axes(problem);
    if (kinds.size() != 1 && kinds.size() != axes.size()) {
        bad_request(
            fmt::format("{}: {} kinds for {} transformed axes; give one for each, or one "
                        "for all",
                        text, kinds.size(), axes.size()));
    }
    check_mixture(problem, axes, text);
    if (transformed_axes(problem).empty()) {
        bad_request(fmt::format("{}: no axis is transformed", text));
    }
    for (const int axis : axes) {
        const Index n = problem.shape[usize(axis)];
        if (axis_kind(problem, axis) != AxisKind::dct1 || n > 1) continue;
        bad_request(
            fmt::format("{}: axis {} has the length {}, but dct1 needs at least 2; take "
                        "another kind or none",
                        text, axis, n));
    }
}

}  // namespace weft::core
