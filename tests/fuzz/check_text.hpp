// What must hold of any text, however it came about.
#pragma once

#include <string_view>

namespace weft::core::test {

/// Reads a text as a plan request, plans it for a few numbers of ranks and lowers one rank of small
/// plans. Returns if all of that works or ends in weft's Error, which is the answer to a text that
/// asks for what cannot be. Throws std::logic_error if printing and reading back, or reversing
/// twice, gives another value; lets every other exception through.
void check_text(std::string_view text);

}  // namespace weft::core::test
