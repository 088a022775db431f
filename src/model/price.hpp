// What a plan takes on a machine: seconds by stage.
//
// The programs of a few ranks are walked through on two clocks, one for what the rank computes and
// copies, one for its messages; an operation that waits for messages waits until the second clock
// says that they are through. So stages of a k-way schedule, regions within nodes and tiles in
// flight ([song] Alg. 1-3: the larger one of computation and messages, and what the first and the
// last tile cannot hide) cost what their operations cost; no method has a formula of its own.
//
// A program on a device has a clock for each of its queues. Queues overlap as far as
// `Operation::after` allows: work that finishes before another queue does adds no time. So a piece
// of a message that hops while the one before travels costs no more than the slower of the two
// ([gholami] section 2). A machine without devices is taken to compute such plans on its host, and
// to copy hops there.
//
// Messages take latency + bytes / bandwidth, one after the other (model/exchange_seconds.hpp says
// more). For an even slab or pencil by alltoallv that is [ayala] eqs. 2 and 3.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "model/exchange_seconds.hpp"
#include "plan/environment.hpp"
#include "plan/plan.hpp"
#include "program/program.hpp"

namespace weft::core {

/// Seconds of a stage.
struct StagePrice {
    double work = 0;      ///< computes and copies
    double exchange = 0;  ///< waits for messages and for other ranks
    double hop = 0;       ///< copies from the host's memory to the device's, and back
    [[nodiscard]] double seconds() const { return work + exchange + hop; }
    bool operator==(const StagePrice&) const = default;
};

struct PlanPrice {
    /// By stage, of the slowest of the ranks that were looked at: redistributions make ranks wait
    /// for each other.
    std::vector<StagePrice> stages;
    /// What each computing rank sends in all redistributions if all send alike: messages to all
    /// others of its groups, and a share of the volume.
    double messages = 0;
    double bytes = 0;
    /// The most that a clock of one of these ranks is busy: no other order of the same operations
    /// takes less.
    double busiest = 0;

    [[nodiscard]] double work() const;
    [[nodiscard]] double exchange() const;
    [[nodiscard]] double hop() const;
    [[nodiscard]] double seconds() const { return work() + exchange() + hop(); }
};

/// What one rank's program takes.
struct ProgramPrice {
    std::vector<StagePrice> stages;
    std::array<double, queues + 1> busy = {};  ///< seconds of each queue, and of its messages

    [[nodiscard]] double seconds() const;  ///< of all stages
};
/// `bytes`: as operation_seconds() has them.
ProgramPrice price(const Program& program, const Plan& plan, const Site& site,
                   const std::vector<double>& bytes);

/// Whose memory the caller's arrays are, of a plan on a device.
enum class Arrays { host, device };

/// What the plan meets on that machine. Throws Error(bad_request) if its messages are to travel
/// directly between devices, which its MPI does not reach.
Environment environment_on(const Plan& plan, const Machine& machine, Arrays arrays = Arrays::host);

/// Of the plan as it is fused on that machine. Costs the programs of a
/// few ranks: seven that are evenly spread, and for each layout one that owns most. Stops after the
/// rank with which the seconds reach `enough`; what it gives then is the least that they may be.
PlanPrice price(const Plan& plan, const Machine& machine, Arrays arrays = Arrays::host,
                double enough = std::numeric_limits<double>::infinity());

/// [ayala] eqs. 2 and 3 for any plan: in each redistribution a message to every other rank of the
/// group, one after the other, of elements that are spread evenly. Nothing but the latency and the
/// bandwidth between nodes counts.
double even_exchange_seconds(const PlanPrice& price, const Machine& machine);

/// [ayala] eqs. 4 and 5 for any plan: bytes a second of a rank while it exchanges, without the
/// latency of its messages; nothing if there is no such time.
std::optional<double> average_bandwidth(const PlanPrice& price, const Machine& machine);

}  // namespace weft::core
