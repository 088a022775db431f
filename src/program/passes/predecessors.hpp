// Which steps of one queue have to wait for steps of the others.
#pragma once

#include <vector>

#include "program/draft.hpp"

namespace weft::core {

/// Says of each step what it comes after (Operation::after), when all values have a buffer: of each
/// other queue's steps the last one, unless a step before it on its own queue comes after that.
///
/// A step that reads a value comes after those that write it, and one that writes a value after all
/// that use another value in the same buffer. While an exchange is under way its values are its
/// own. Steps that use the memory of other ranks come after the await that allows it, and before
/// the release. Two steps that write the same value write different elements, so neither waits.
///
/// Example: transform (0), pack (1), start (2), keep (3), finish (4), unpack (5). 2 comes after 1,
/// which has written what is sent, and 5 after 4, which has received what is read.
void add_predecessors(Draft& draft, const std::vector<int>& buffer_of);

}  // namespace weft::core
