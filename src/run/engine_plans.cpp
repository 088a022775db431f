#include "run/engine_plans.hpp"

#include <cstdint>

#include "fft/planning_limit.hpp"
#include "program/program.hpp"

namespace weft::core {

Index past_alignment(const std::byte* array) {
    return static_cast<Index>(reinterpret_cast<std::uintptr_t>(array) % alignment);
}

namespace {

/// Bytes: more than an array has, and a multiple of all alignments.
constexpr Index far_apart = Index{1} << 45;

std::byte* address(Index number) {
    const auto value = static_cast<std::uintptr_t>(number);
    return reinterpret_cast<std::byte*>(value);  // NOLINT(performance-no-int-to-ptr)
}

}  // namespace

EnginePlans::EnginePlans(const FftEngine& engine, Effort effort, const Workers& workers)
    : engine_(engine),
      shared_(engine, workers.team, workers.rates, workers.least_seconds),
      effort_(effort) {}

std::shared_ptr<FftPlan> EnginePlans::plan(const FftTask& task, Index from, Index to,
                                           std::optional<int> thread) {
    const Index unit = engine_.alignment();
    Known wanted{thread, task, from % unit, to % unit, nullptr};
    wanted.task.from_offset = wanted.task.to_offset = 0;
    for (const Known& known : plans_) {
        if (known.thread == thread && known.from == wanted.from && known.to == wanted.to &&
            known.task == wanted.task) {
            return known.plan;
        }
    }
    require_planning_time();
    // Planning looks at addresses, never at what is there: addresses that lie like the arrays will
    // do for any of them. They are so far apart that no part of one array, which a thread may have,
    // begins where a part of the other does: to FFTW that would be a transform in place.
    std::byte* source = address(far_apart + wanted.from);
    std::byte* target = task.in_place ? source : address(2 * far_apart + wanted.to);
    const FftEngine& engine = thread ? engine_ : static_cast<const FftEngine&>(shared_);
    wanted.plan = engine.plan(task, effort_, source, target);
    plans_.push_back(wanted);
    return wanted.plan;
}

}  // namespace weft::core
