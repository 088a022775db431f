// Words that are spelt like one that is not known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft::core {

/// The known words that are spelt most like `word`, in their order; none if more than a third of
/// its letters would have to be changed, put in or left out.
std::vector<std::string> nearest(const std::vector<std::string>& known, std::string_view word);

/// `; do you mean dct1 or dct2?`, of those; empty if there are none.
std::string meant(const std::vector<std::string>& words);

}  // namespace weft::core
