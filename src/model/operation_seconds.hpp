// What the operations of a program take on a machine, but for messages and waiting.
#pragma once

#include <vector>

#include "model/machine.hpp"
#include "plan/plan.hpp"
#include "program/program.hpp"

namespace weft::core {

/// Seconds in which a rank computes and copies, by operation: 0 where it only starts messages or
/// waits. Copies of what arrives count at the operation that waits for it.
///
/// Example: engine rate 1e9 flops a second, everything in the cache. A transform of 64 complex
/// lines of 16 has 5 * 64 * 16 * 4 flops and takes 2.05e-5 seconds.
/// `bytes`: that each stage reads and writes, of the whole program if this is one of a few tiles.
std::vector<double> operation_seconds(const Program& program, const Plan& plan,
                                      const Machine& machine, const std::vector<double>& bytes);

/// Bytes that the operations of each stage read and write.
std::vector<double> stage_bytes(const Program& program, const Plan& plan);

}  // namespace weft::core
