// A transform straight from its plan, stage by stage: the place to start reading, and an oracle.
//
// Four things happen to a rank's part of the array: boxes of two distributions are overlaid
// (transfers), elements are copied, MPI_Alltoallv carries them, a serial engine transforms lines.
// There is no program, nothing is fused, tiled or shared, and each stage allocates what it makes.
#pragma once

#include "fft/engine.hpp"
#include "net/net.hpp"
#include "plan/plan.hpp"

namespace weft::core {

/// Collective over the net. `in` and `out` are this rank's arrays in the plan's first and last
/// layout; `in` is kept. Elements of `out` that belong to no box stay as they are. The two may be
/// the same memory.
void run_plain(const Plan& plan, Net& net, const FftEngine& engine, const std::byte* in,
               std::byte* out);

}  // namespace weft::core
