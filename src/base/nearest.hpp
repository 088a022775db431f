// Words that are spelt like one that is not known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft::core {

/// Those that are spelt most like it, in their order; empty if none is like it.
std::vector<std::string> nearest(const std::vector<std::string>& known, std::string_view word);

/// `; do you mean dct1 or dct2?`, of those; empty if there are none.
std::string meant(const std::vector<std::string>& words);

}  // namespace weft::core
