#include "run/engine_plans.hpp"

#include <array>
#include <cstdint>

#include "program/program.hpp"

namespace weft::core {

Index past_alignment(const std::byte* array) {
    return static_cast<Index>(reinterpret_cast<std::uintptr_t>(array) % alignment);
}

EnginePlans::EnginePlans(const FftEngine& engine, Effort effort, Team& team, double least_seconds)
    : engine_(engine), shared_(engine, team, least_seconds), effort_(effort) {}

std::shared_ptr<FftPlan> EnginePlans::of_team(const FftTask& task, Index from, Index to) {
    return find_or_make(whole_team, task, from, to);
}

std::shared_ptr<FftPlan> EnginePlans::of_thread(int thread, const FftTask& task, Index from,
                                                Index to) {
    return find_or_make(thread, task, from, to);
}

std::shared_ptr<FftPlan> EnginePlans::find_or_make(int thread, const FftTask& task, Index from,
                                                   Index to) {
    const Index unit = engine_.alignment();
    Known wanted{thread, task, from % unit, to % unit, nullptr};
    wanted.task.from_offset = wanted.task.to_offset = 0;
    for (const Known& known : plans_) {
        if (known.thread == thread && known.from == wanted.from && known.to == wanted.to &&
            known.task == wanted.task) {
            return known.plan;
        }
    }
    // Planning looks at addresses, never at what is there: memory that lies like the arrays will do
    // for any of them.
    alignas(alignment) static std::array<std::byte, 2 * alignment> stand_in{};
    std::byte* source = stand_in.data() + wanted.from;
    std::byte* target = task.in_place ? source : stand_in.data() + alignment + wanted.to;
    const FftEngine& engine =
        thread == whole_team ? static_cast<const FftEngine&>(shared_) : engine_;
    wanted.plan = engine.plan(task, effort_, source, target);
    plans_.push_back(wanted);
    return wanted.plan;
}

}  // namespace weft::core
