// Transforms in a part of a device's memory: what fits there, and what does not.
//
// Arrays that are larger than the memory stay the host's. Pieces of them, some lines at a time, go
// to slots, of which there are four of one size: one piece comes to the first while another is
// transformed from the second to the third, and one leaves from the fourth. Example: of 4096 bytes
// on a device whose engines work in no memory besides, each slot has 1024, which hold 8 lines of 8
// complex numbers. A GPU's engines have as much as three slots for themselves: where lines are
// gathered, where they are scattered from, and a work area.
#pragma once

#include "plan/plan.hpp"

namespace weft::core {

/// Bytes of a slot, where memory is bounded.
Index slot_bytes(const Placement& place);

/// The least memory in which the plan's transforms can be done on its device: a line at a time.
Index least_memory(const Plan& plan);

/// Throws Error(bad_request), on all ranks the same, that says how much memory is needed if a
/// single line of some transform is larger than a slot.
void require_room_for_lines(const Plan& plan);

/// In how many pieces of so many bytes the staged messages of an exchange hop whose arrays have
/// `bytes`: at most 64. One if `piece` is 0.
Index pieces_in(Index bytes, Index piece);

}  // namespace weft::core
