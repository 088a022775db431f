// The last pass: values get buffers. Draft -> program.
#pragma once

#include "program/draft.hpp"

namespace weft::core {

/// Places values so that those which live at the same time lie apart, unless one is made over the
/// other: in the output array where it is free and they fit (and in the input array, if it may be
/// destroyed), otherwise in work buffers: the least memory of three ways to go through the values,
/// from the first, from the last and from the largest one on. Regions keep their numbers; scratch
/// memory is one buffer, the last. Value 0 is the input, `output` the value that is to be in the
/// output array at the end; they are the first buffers: the input array and the output array, in
/// place the one array. Throws Error(system) if values that must be in the arrays live there at the
/// same time.
Program assign(Draft draft, ValueId output, const ArrayUse& use);

}  // namespace weft::core
