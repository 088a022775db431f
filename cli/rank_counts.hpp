// Numbers of ranks as options have them.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace weft::cli {

/// `2,4,8`, or `6..3072`: 6, 12, 24 and so on up to 3072. Throws Error(bad_request).
std::vector<int> rank_counts(const std::string& option);
/// The option's, otherwise what the text says, otherwise `usual`, which may be empty. Throws
/// Error(bad_request) if text and option disagree.
std::vector<int> rank_counts(const std::string& option, const core::PlanRequest& request,
                             const std::string& usual);

}  // namespace weft::cli
