// A batch of transforms as calls of cuFFT, which has up to three axes, each of which steps over
// whole lines of the next one, and one loop around them.
//
// Example: transforms along axis 1 of 8 x 6 x 4 have loops of 8 steps of 24 elements and of 4 steps
// of 1 element. One of them is the loop of a call, so that there are 4 calls of 8 lines or 8 calls
// of 4 lines: the former. Along axes 0 and 2 there is one call of 6 transforms: axis 0 steps over
// 24 lines of one element, and so on.
#pragma once

#include <optional>
#include <vector>

#include "base/transforms.hpp"

namespace weft::core {

/// What one plan of cuFFT does, and how often. Steps, distances and offsets are in elements of the
/// side concerned.
struct FftCalls {
    LineTransform line;        ///< of the last axis
    std::vector<Loop> axes;    ///< one to three, the line's last
    Loop batch;                ///< the loop of each call
    std::vector<Loop> around;  ///< loops around the calls, slowest first
    FftSide side = FftSide::across;

    [[nodiscard]] Index count() const;
};

/// The task in calls that follow each other, each of as many axes as can be; those after the first
/// one (for c2r: before the last one) are complex, in place in the target (in the source). No
/// extent is 0.
std::vector<FftCalls> calls_of(const FftTask& task);

/// What cuFFT calls inembed and onembed, for one side of `axes`: the number of elements from one
/// step of axis k - 1 to the next, in steps of axis k; its first element means nothing. Nothing
/// if some axis does not step over whole lines of the next one.
std::optional<std::vector<Index>> embedding(const std::vector<Loop>& axes, Index Loop::*step,
                                            Index last_extent);

/// Whether each transform of a task in place writes where it has read and nowhere else.
bool keeps_its_place(const FftTask& task);

/// The same task in memory of its own on both sides, which is contiguous: its loops, its axes, the
/// line's last. Offsets are 0.
FftTask contiguous_task(const FftTask& task);
/// The copies between the arrays of the task and those of its contiguous_task.
CopyTask gathering(const FftTask& task);
CopyTask scattering(const FftTask& task);

}  // namespace weft::core
