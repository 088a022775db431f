// What the operations of a program on a device take: launches, passes over the device's memory, and
// hops over the link to the host.
//
// Example: a launch takes 5e-6, passes of contiguous lines go at 8e11. 64 lines of 64 complex
// numbers in double precision, 65536 bytes, are transformed in 5e-6 + 2 * 65536 / 8e11 = 5.16e-6
// seconds. To the host at 2.5e10 with a latency of 1e-5 they hop in 1e-5 + 65536 / 2.5e10
// = 1.26e-5.
#pragma once

#include <vector>

#include "model/exchange_seconds.hpp"
#include "plan/plan.hpp"
#include "program/program.hpp"

namespace weft::core {

/// Seconds in which a queue of the device does each operation; 0 where the operation is the host's.
/// The site's machine describes devices. A hop takes the latency once, and a launch for each
/// further piece of memory that is not behind the one before. What reads regions of ranks on other
/// devices of the node takes as long as the link between them, if its pass is not longer. `bytes`:
/// as operation_seconds() has them.
std::vector<double> device_seconds(const Program& program, const Plan& plan, const Site& site,
                                   const std::vector<double>& bytes);

}  // namespace weft::core
