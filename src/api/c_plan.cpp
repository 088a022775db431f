// The C interface: what a plan transforms.
#include "api/c_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/transforms.hpp"
#include "net/agree.hpp"
#include "plan/problem.hpp"

namespace weft {

const Plan& plan_of(const weft_plan* plan) {
    require(plan, "plan");
    return *plan->plan;
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

namespace {

using weft::Kind;
using weft::Problem;

/// Whether that end of a real transform holds the half of the spectrum that is kept.
bool is_half(const Problem& problem, weft_end end) {
    return problem.kind == (weft::is_out(end) ? Kind::r2c : Kind::c2r);
}

weft::core::Scalar element_of(const Problem& problem, weft_end end) {
    const bool complex = is_half(problem, end) || problem.kind == Kind::c2c;
    const bool number = problem.kind != Kind::redistribute;
    return {problem.precision, complex, number ? 0 : problem.element_bytes};
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
            weft::core::array_shape(p.problem(), is_half(p.problem(), end));
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

weft_code weft_agree(const char* error, MPI_Comm comm) {
    const auto check = [&] {
        if (error != nullptr) weft::core::bad_request(error);
    };
    if (comm == MPI_COMM_NULL) return weft::guarded(check);
    return weft::guarded([&] {
        weft::core::require_mpi(comm);
        weft::core::all_or_none(comm, check);
    });
}
