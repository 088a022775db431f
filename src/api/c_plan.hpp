// The plan of the C interface, and what its queries share.
#pragma once

#include <optional>

#include "api/c_guard.hpp"
#include "weft/plan.hpp"
#include "weft/weft.h"

// Made before the plan that it holds, whose making is collective: so that no rank lacks the memory
// afterwards.
struct weft_plan {
    std::optional<weft::Plan> plan;
};

namespace weft {

/// Throws Error(bad_request) if the handle is NULL.
const Plan& plan_of(const weft_plan* plan);

/// The communicator on which binding it is agreed; null: made without MPI, or no plan.
MPI_Comm comm_of(const weft_plan* plan);

/// Whether it is the output's end.
bool is_out(weft_end end);

/// Writes what `query` finds in the plan.
template <class T, class Query>
weft_code answer(const weft_plan* plan, T* result, const char* name, const Query& query) {
    return guarded([&] {
        const Plan& asked = plan_of(plan);
        require(result, name);
        *result = query(asked);
    });
}

}  // namespace weft
