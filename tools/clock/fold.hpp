// Ranks that do the same at the same times, of which the clock runs one.
//
// Ranks are alike if their scripts are, if their messages are as long and go to ranks that are
// alike, in the same order, and if the ranks that share links with them are alike in the same
// places. That is found by refinement: classes are split until no class has ranks whose messages go
// to different classes.
//
// Example: pencils of 64^3 on 8 x 8 ranks, 4 on a node: ranks differ by their place on the node
// only, so 4 classes stand for 64 ranks.
#pragma once

#include <optional>
#include <vector>

#include "clock/script.hpp"

namespace weft::core {

struct Folded {
    std::vector<int> class_of;  ///< by rank
    std::vector<int> stands;    ///< by class: the rank that is run
    std::vector<int> size;      ///< by class: how many ranks it stands for
};

/// `apart`: so many adjacent ranks share links, and are run all together; nothing: every rank is
/// run.
Folded folded(const Scripts& scripts, std::optional<int> apart);

}  // namespace weft::core
