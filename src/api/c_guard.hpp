// What the functions of the C interface share: exceptions become codes.
#pragma once

#include <string>

#include "base/function_ref.hpp"
#include "weft/weft.h"

namespace weft {

/// Runs `work`; what it throws becomes a code and the thread's last error.
weft_code guarded(core::FunctionRef<void()> work);

/// Of a collective call: `check`, which communicates with nobody, fails on all ranks if it fails on
/// one; then `work` is run. Becomes a code as guarded does.
weft_code guarded_by_all(MPI_Comm comm, core::FunctionRef<void()> check,
                         core::FunctionRef<void()> work);

/// Throws Error(bad_request) that names the argument if it is null.
void require(const void* pointer, const char* name);

/// A copy that weft_free frees.
char* copied(const std::string& text);

}  // namespace weft
