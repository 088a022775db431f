// Arrays that are larger than the memory of a device, which transforms them piece by piece.
//
// All values stay in the host's memory. The lines of each transform are cut into as few pieces as
// fit into slots of the device's memory, four of one size; of some pieces the transform
//
//     transform a -> b
//
// becomes, with the slots s0, s1 for what comes and t0, t1 for what goes,
//
//     hop a -> s0, hop a -> s1, transform s0 -> t0, hop a -> s0, transform s1 -> t1, hop t0 -> b,
//     ..
//
// so that one piece comes and one goes while another is transformed ([gholami] section 2). What
// else computes or copies is the host's, whose memory its values are in: packing and unpacking go
// once over memory, as the hops of its elements would. Only scaling is done on the device, where
// all that it scales has just been transformed there.
//
// A transform along several axes of which all are larger than a slot together goes axis by axis:
// that to complex numbers first, that to real ones last.
#pragma once

#include "program/draft.hpp"

namespace weft::core {

/// A single line of any axis fits into a slot of so many bytes. Scaling may now be of the value
/// that it made before; the values that others name are still those.
void go_out_of_core(Draft& draft, Index slot_bytes);

}  // namespace weft::core
