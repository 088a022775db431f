// What a problem must not say of ends that leave elements out.
#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>

#include "base/text.hpp"
#include "plan/names.hpp"
#include "plan/problem.hpp"

namespace weft::core {

namespace {

/// What a sphere of modes needs of its end.
void check_sphere(const LayoutRequest& request, bool spectral, const Problem& problem,
                  std::string_view what) {
    if (!request.sphere) return;
    const std::string text = fmt::format("{}={}", what, weft::to_string(request, dims_of(problem)));
    if (problem.kind == Kind::redistribute || !spectral) {
        bad_request(fmt::format(
            "{}: there are no modes at that end of {}; {}", text, weft::to_string(problem.kind),
            problem.kind == Kind::redistribute ? "give boxes, and say sparse"
                                               : "a sphere is of the spectrum"));
    }
    if (request.free || !request.axes.empty() || !request.boxes.empty()) {
        bad_request(text + ": a sphere has columns of its own; weft::sphere(..) sets only them");
    }
    if (!(*request.sphere >= 0) || !std::isfinite(*request.sphere)) {
        bad_request(fmt::format("{}: the radius has to be 0 or more, in modes", text));
    }
}

}  // namespace

void check_sparse(const Problem& problem) {
    check_sphere(problem.in, problem.kind == Kind::c2r, problem, "in");
    check_sphere(problem.out, problem.kind != Kind::c2r, problem, "out");
    if (problem.sparse && problem.in.boxes.empty() && problem.out.boxes.empty()) {
        bad_request(
            "sparse: only boxes can leave elements out, and neither in nor out is given boxes; "
            "leave out sparse");
    }
    if (may_leave_out(problem) && problem.in_place) {
        bad_request(
            "in_place: an end that leaves elements out has fewer elements than the transform works "
            "on; give two arrays");
    }
}

}  // namespace weft::core
