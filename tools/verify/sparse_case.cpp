// Random problems whose ends leave elements out.
#include <algorithm>
#include <utility>

#include "plan/problem.hpp"
#include "verify/random_case.hpp"

namespace weft::core {

namespace {

/// Boxes of which some are left out, or cut down, but not all.
void leave_out(Random& random, LayoutRequest& request) {
    if (request.boxes.empty()) return;
    OwnBoxes::ByRank boxes = request.boxes.by_rank();
    bool keeps_one = false;
    for (std::vector<Box>& own : boxes) {
        for (Box& box : own) {
            const auto axis = static_cast<std::size_t>(random.between(0, box.axes() - 1));
            if (!box.empty() && random.once_in(3)) {
                box.lo[axis] = random.between(box.lo[axis], box.hi[axis] - 1);
            } else if (keeps_one && random.once_in(3)) {
                box.hi[axis] = box.lo[axis];
            }
            keeps_one = keeps_one || !box.empty();
        }
    }
    request.boxes = std::move(boxes);
}

/// Lets a caller's boxes leave elements out, or has a spectrum in a sphere.
void make_sparse(Random& random, Problem& problem) {
    const bool transforms = problem.kind != Kind::redistribute;
    if (transforms && random.once_in(3)) {
        const Index longest = *std::max_element(problem.shape.begin(), problem.shape.end());
        const Index halves = random.between(0, longest + 1);
        LayoutRequest& spectrum = problem.kind == Kind::c2r ? problem.in : problem.out;
        spectrum = sphere(static_cast<double>(halves) / 2);
    }
    problem.sparse = !problem.in.boxes.empty() || !problem.out.boxes.empty();
    leave_out(random, problem.in);
    leave_out(random, problem.out);
}

}  // namespace

void leave_out_some(Random random, Problem& problem) {
    random.next();
    if (!problem.in_place && random.once_in(5)) make_sparse(random, problem);
}

void cover_ends(Problem& problem) {
    if (!may_leave_out(problem)) return;
    problem.sparse = false;
    problem.in = problem.out = {};
    if (problem.kind == Kind::redistribute) problem.in = problem.out = slab(0);
}

}  // namespace weft::core
