#include "fft/planning_limit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "weft/error.hpp"

namespace weft::core {

namespace {

/// Beyond, a clock's numbers overflow; nobody waits for so many seconds.
constexpr double longest = 1e9;

}  // namespace

thread_local const PlanningLimit* PlanningLimit::innermost = nullptr;

PlanningLimit::PlanningLimit(double seconds)
    : seconds_(std::max(seconds, 0.0)),
      end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                              std::chrono::duration<double>(std::min(seconds, longest)))),
      outer_(innermost) {
    innermost = this;
}

PlanningLimit::~PlanningLimit() { innermost = outer_; }

std::optional<double> planning_time_left() {
    const PlanningLimit* limit = PlanningLimit::innermost;
    if (limit == nullptr || limit->seconds_ >= longest) return std::nullopt;
    const std::chrono::duration<double> left = limit->end_ - PlanningLimit::Clock::now();
    return std::max(left.count(), 0.0);
}

void require_planning_time() {
    const std::optional<double> left = planning_time_left();
    if (!left || *left > 0) return;
    throw Error(ErrorCode::not_available,
                fmt::format("the engine did not finish planning within {:.2f} s; give a longer "
                            "limit, or take an engine or an effort that plans faster",
                            PlanningLimit::innermost->seconds_));
}

}  // namespace weft::core
