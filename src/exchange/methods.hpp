// The exchange methods by name: what each needs from the plan. How a method travels over MPI is
// one file in net/ of the same name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/choice.hpp"

namespace weft::core {

struct Method {
    std::string_view name;
    bool packed;  ///< messages are contiguous; otherwise the method moves strided slices itself
    std::string_view summary;
};

/// All methods, the default first.
const std::vector<Method>& methods();

/// Throws Error(bad_request) that lists the names, if there is none of that name.
const Method& method(std::string_view name);

/// `automatic` becomes what suits the method; throws Error(bad_request) if the two do not go
/// together.
Pack resolve_pack(const Method& method, Pack pack);

}  // namespace weft::core
