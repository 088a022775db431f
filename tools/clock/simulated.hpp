// What a plan takes on a simulated machine.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "clock/calls.hpp"
#include "clock/clock.hpp"
#include "model/price.hpp"

namespace weft::core {

struct SimulationOptions {
    CallsOf calls = CallsOf::machine;
    Arrays arrays = Arrays::host;
    bool fold = true;  ///< ranks that are alike are run once
    int traced = 0;    ///< so many ranks keep what they do when
};

struct ClockedRun {
    double seconds = 0;                 ///< when the last rank has ended; all begin at 0
    double mean = 0;                    ///< when ranks end
    std::vector<StagePrice> slowest{};  ///< by stage: of the rank that takes longest for it
    std::vector<StagePrice> average{};  ///< by stage: of all ranks
    double messages = 0;                ///< that all ranks send
    double bytes = 0;                   ///< in these
    int classes = 0;                    ///< ranks that were run
    std::size_t programs = 0;           ///< that differ in more than their messages
    std::uint64_t events = 0;
    std::vector<TracedOperation> spans{};
    std::map<int, Program> traced{};  ///< by rank: the programs that spans are about, without tasks
};

ClockedRun simulated(const Plan& plan, const Machine& machine, const SimulationOptions& options);

/// As chrome://tracing and ui.perfetto.dev read it: ranks are rows, microseconds.
std::string chrome_trace(const Plan& plan, const ClockedRun& simulation);

}  // namespace weft::core
