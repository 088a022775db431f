// The papers that short names such as [song] stand for.
#pragma once

#include <string>
#include <string_view>

namespace weft::cli {

/// A line or two for each paper that a text names; nothing if it names none.
std::string paper_keys(std::string_view text);

}  // namespace weft::cli
