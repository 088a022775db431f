// The C interface: what a plan tells of itself.
#include "api/c_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "api/c_struct.hpp"
#include "api/state.hpp"
#include "base/text.hpp"
#include "base/transforms.hpp"
#include "net/agree.hpp"
#include "plan/problem.hpp"

namespace weft {

const Plan& plan_of(const weft_plan* plan) {
    require(plan, "plan");
    return *plan->plan;
}

MPI_Comm comm_of(const weft_plan* plan) {
    return plan == nullptr ? MPI_COMM_NULL : Internals::comm(*plan->plan);
}

bool is_out(weft_end end) {
    if (end != WEFT_IN && end != WEFT_OUT) {
        core::bad_request(
            fmt::format("end {} is neither WEFT_IN nor WEFT_OUT", static_cast<int>(end)));
    }
    return end == WEFT_OUT;
}

}  // namespace weft

using weft::answer;
using weft::Box;
using weft::copied;
using weft::guarded;
using weft::Index;
using weft::is_out;
using weft::plan_of;
using weft::require;
using weft::core::bad_request;

namespace {

using weft::Kind;
using weft::Problem;

/// Whether that end of a real transform holds the half of the spectrum that is kept.
bool is_half(const Problem& problem, weft_end end) {
    return problem.kind == (weft::is_out(end) ? Kind::r2c : Kind::c2r);
}

/// Whether that end holds a spectrum, or what takes its place.
bool is_spectral(const Problem& problem, weft_end end) {
    return weft::is_out(end) != (problem.kind == Kind::c2r);
}

weft::core::Scalar element_of(const Problem& problem, weft_end end) {
    const bool complex = is_half(problem, end) || problem.kind == Kind::c2c;
    const bool number = problem.kind != Kind::redistribute;
    return {problem.precision, complex, number ? 0 : problem.element_bytes};
}

std::vector<Box> boxes(const weft::Plan& plan, weft_end end, int rank) {
    return is_out(end) ? plan.out_boxes(rank) : plan.in_boxes(rank);
}

}  // namespace

weft_code weft_plan_kind(const weft_plan* plan, weft_kind* kind) {
    return answer(plan, kind, "kind",
                  [](const weft::Plan& p) { return static_cast<weft_kind>(p.problem().kind); });
}

weft_code weft_plan_shape(const weft_plan* plan, weft_end end, int64_t* shape, int* dims) {
    return answer(plan, dims, "dims", [&](const weft::Plan& p) {
        weft::require(shape, "shape");
        const std::vector<weft::Index> lengths =
            weft::core::array_shape(p.problem(), is_spectral(p.problem(), end));
        const std::size_t count = p.problem().shape.size();
        std::copy_n(lengths.begin(), count, shape);
        return static_cast<int>(count);
    });
}

weft_code weft_plan_batch(const weft_plan* plan, int64_t* batch) {
    return answer(plan, batch, "batch", [](const weft::Plan& p) { return p.problem().batch; });
}

weft_code weft_plan_element_bytes(const weft_plan* plan, weft_end end, int64_t* bytes) {
    return answer(plan, bytes, "bytes",
                  [&](const weft::Plan& p) { return element_of(p.problem(), end).bytes(); });
}

weft_code weft_plan_in_place(const weft_plan* plan, int* in_place) {
    return answer(plan, in_place, "in_place",
                  [](const weft::Plan& p) { return p.problem().in_place ? 1 : 0; });
}

weft_code weft_plan_agree(const weft_plan* plan, const char* error) {
    if (plan == nullptr) return guarded([&] { require(plan, "plan"); });
    return weft_agree(error, weft::comm_of(plan));
}

weft_code weft_plan_ranks(const weft_plan* plan, int* ranks) {
    return answer(plan, ranks, "ranks", [](const weft::Plan& p) { return p.ranks(); });
}

weft_code weft_plan_rank(const weft_plan* plan, int* rank) {
    return answer(plan, rank, "rank", [](const weft::Plan& p) { return p.rank(); });
}

weft_code weft_plan_text(const weft_plan* plan, char** text) {
    return answer(plan, text, "text", [](const weft::Plan& p) { return copied(p.text()); });
}

weft_code weft_plan_problem(const weft_plan* plan, char** text) {
    return answer(plan, text, "text",
                  [](const weft::Plan& p) { return copied(to_string(p.problem())); });
}

weft_code weft_plan_choice(const weft_plan* plan, char** text) {
    return answer(plan, text, "text",
                  [](const weft::Plan& p) { return copied(to_string(p.choice())); });
}

weft_code weft_plan_explain(const weft_plan* plan, char** text) {
    return answer(plan, text, "text", [](const weft::Plan& p) { return copied(p.explain()); });
}

weft_code weft_plan_size(const weft_plan* plan, weft_end end, int rank, int64_t* elements) {
    return answer(plan, elements, "elements", [&](const weft::Plan& p) {
        return is_out(end) ? p.out_size(rank) : p.in_size(rank);
    });
}

weft_code weft_plan_box_count(const weft_plan* plan, weft_end end, int rank, int* count) {
    return answer(plan, count, "count", [&](const weft::Plan& p) {
        return static_cast<int>(boxes(p, end, rank).size());
    });
}

weft_code weft_plan_box(const weft_plan* plan, weft_end end, int rank, int index, weft_box* box) {
    return guarded([&] {
        const weft::Plan& p = plan_of(plan);
        require(box, "box");
        // Nothing can be left out, since all of it is needed to find an element.
        weft::common_bytes(box, {"weft_box", "WEFT_BOX_INIT", sizeof(weft_box), sizeof(weft_box),
                                 alignof(weft_box)});
        const Box found = is_out(end) ? p.out_box(rank, index) : p.in_box(rank, index);
        const std::vector<Index> strides =
            is_out(end) ? p.out_strides(rank, index) : p.in_strides(rank, index);
        box->axes = found.axes();
        std::copy(found.lo.begin(), found.lo.end(), box->lo);
        std::copy(found.hi.begin(), found.hi.end(), box->hi);
        std::copy(strides.begin(), strides.end(), box->stride);
        box->offset = is_out(end) ? p.out_offset(rank, index) : p.in_offset(rank, index);
    });
}

weft_code weft_plan_order(const weft_plan* plan, weft_end end, int* order, int* axes) {
    return answer(plan, axes, "axes", [&](const weft::Plan& p) {
        require(order, "order");
        const std::vector<int> found = is_out(end) ? p.out_order() : p.in_order();
        std::copy(found.begin(), found.end(), order);
        return static_cast<int>(found.size());
    });
}

weft_code weft_plan_workspace_bytes(const weft_plan* plan, int rank, int64_t* bytes) {
    return answer(plan, bytes, "bytes",
                  [&](const weft::Plan& p) { return p.workspace_bytes(rank); });
}

weft_code weft_plan_region_bytes(const weft_plan* plan, int rank, int64_t* bytes) {
    return answer(plan, bytes, "bytes", [&](const weft::Plan& p) { return p.region_bytes(rank); });
}
