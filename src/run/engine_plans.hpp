// The engine's plans that one rank's steps are made of.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "fft/team_engine.hpp"
#include "kernels/copy.hpp"
#include "threads/team.hpp"

namespace weft::core {

/// How an array lies: so many bytes past a multiple of `alignment`.
Index past_alignment(const std::byte* array);

/// Who shares a rank's local work, and what is too little to be shared.
struct Workers {
    Team& team;
    double least_seconds = TeamEngine::worth_waking;  ///< of a transform
    Index least_bytes = small_bytes;                  ///< of a copy
    CoreRates rates{};                                ///< by which a transform takes those seconds
};

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
    /// The engine and the team outlive the plans.
    EnginePlans(const FftEngine& engine, Effort effort, const Workers& workers);

    /// The task, between arrays whose first elements lie so, of that thread by itself, or of all
    /// together. Throws as require_planning_time() does.
    std::shared_ptr<FftPlan> plan(const FftTask& task, Index from, Index to,
                                  std::optional<int> thread = {});
    [[nodiscard]] const FftEngine& engine() const { return engine_; }

  private:
    struct Known {
        std::optional<int> thread;
        FftTask task;
        Index from;
        Index to;
        std::shared_ptr<FftPlan> plan;
    };

    const FftEngine& engine_;
    TeamEngine shared_;
    Effort effort_;
    std::vector<Known> plans_;
};

}  // namespace weft::core
