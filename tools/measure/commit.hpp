// Which weft this is.
#pragma once

#include <string>

namespace weft::cli {

/// The commit that was built, `-dirty` behind it where files differed from it; empty where the
/// sources were no checkout of git.
std::string commit();

}  // namespace weft::cli
