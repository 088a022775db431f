// Polls among the steps of tiles ([song] Alg. 2 and 3), so that messages go on meanwhile.
#pragma once

#include "program/draft.hpp"

namespace weft::core {

/// How many polls are spread over what a tile does between two exchanges: over its transforms,
/// before its last exchange and behind that, over the copies that unpack and those that pack.
struct Polls {
    Index transforms = 0;
    Index last_transforms = 0;
    Index unpacking = 0;
    Index packing = 0;
};

/// Puts polls behind the steps that tiles do while exchanges are under way; not behind those that
/// are done beside one that has just been started. Where a transform, or a run of copies, are fewer
/// than the polls, runs are cut between copies, and single steps along a loop.
void add_polls(Draft& draft, const Polls& polls);

}  // namespace weft::core
