// How long engines may plan: a limit that whoever binds a transform sets for its own thread.
//
// An engine may take long to plan a length for the first time: the native one 13 s for 1000003
// elements, FFTW 10 s for 128 x 128 x 128 with effort=patient. Who has less time sets a limit:
//
//     const PlanningLimit limit(2.0);
//     plan.bind(..);  // throws Error(not_available) where planning is not done after 2 s
//
// The limit is of a thread, and not an argument, since what takes long is done deep within plans of
// plans; all of it on the thread that asks for the plan.
#pragma once

#include <chrono>
#include <optional>

#include "base/no_copy.hpp"

namespace weft::core {

/// As long as it lives, engines give up planning on this thread once the time is over. Infinite:
/// there is no limit. The limits of a thread nest, and the inner one counts.
class PlanningLimit : NoCopy {
  public:
    explicit PlanningLimit(double seconds);
    ~PlanningLimit();

  private:
    friend std::optional<double> planning_time_left();
    friend void require_planning_time();

    using Clock = std::chrono::steady_clock;
    static thread_local const PlanningLimit* innermost;

    double seconds_;
    Clock::time_point end_;
    const PlanningLimit* outer_;
};

/// Seconds that this thread has for planning, not below 0; nothing: as many as it takes.
std::optional<double> planning_time_left();

/// Engines call it now and then while they plan. Throws Error(not_available) if the time is over.
void require_planning_time();

}  // namespace weft::core
