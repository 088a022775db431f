// The engine's plans that one rank's steps are made of.
#pragma once

#include <memory>
#include <vector>

#include "fft/team_engine.hpp"
#include "threads/team.hpp"

namespace weft::core {

/// How an array lies: so many bytes past a multiple of `alignment`.
Index past_alignment(const std::byte* array);

/// Plans by task, each made once for all steps, directions and fields that need it. Plans work in
/// memory of their own, so whoever shares them runs one after the other; threads that run beside
/// each other have a plan each.
///
/// A plan depends on its arrays only by how they lie: it runs on all arrays that lie as many bytes
/// past a multiple of the engine's alignment, or on any if its task says so. Example: FFTW's is 16,
/// so what was made for an array at address 64 runs on one at 4096 and on one at 112, not on one
/// at 72.
class EnginePlans {
  public:
    /// The engine and the team outlive the plans. `least_seconds`: what takes less is one thread's.
    EnginePlans(const FftEngine& engine, Effort effort, Team& team, double least_seconds);

    /// The task of all threads together, between arrays whose first elements lie so.
    std::shared_ptr<FftPlan> of_team(const FftTask& task, Index from, Index to);
    /// A task of one thread by itself.
    std::shared_ptr<FftPlan> of_thread(int thread, const FftTask& task, Index from, Index to);
    [[nodiscard]] const FftEngine& engine() const { return engine_; }

  private:
    static constexpr int whole_team = -1;

    struct Known {
        int thread;
        FftTask task;
        Index from;
        Index to;
        std::shared_ptr<FftPlan> plan;
    };

    std::shared_ptr<FftPlan> find_or_make(int thread, const FftTask& task, Index from, Index to);

    const FftEngine& engine_;
    TeamEngine shared_;
    Effort effort_;
    std::vector<Known> plans_;
};

}  // namespace weft::core
