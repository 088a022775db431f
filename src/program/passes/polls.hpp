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

/// Puts polls behind the steps that tiles do while exchanges are under way, but not behind the
/// steps that are done beside an exchange that has just been started. If there are fewer transforms
/// or copies than polls, a run of copies is cut between two copies, and a single step is cut along
/// one of its loops.
void add_polls(Draft& draft, const Polls& polls);

}  // namespace weft::core
