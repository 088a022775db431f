// All ranks of a plan in one process: the same programs and executor as over MPI.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "memory/buffer.hpp"
#include "net/local.hpp"
#include "plan/plan.hpp"
#include "run/executor.hpp"
#include "run/programs.hpp"

namespace weft::core {

/// Runs the ranks of one plan in turns that the seed draws. The arrays belong to the simulation.
class Simulation {
  public:
    Simulation(const Plan& plan, const LocalOptions& options);

    /// The arrays of one rank, uninitialised at first; for an in-place plan both are the same.
    [[nodiscard]] std::byte* in(int rank) const;
    [[nodiscard]] std::byte* out(int rank) const;
    /// Runs one direction on all ranks. Throws Error(system) if no rank can go on (a deadlock) or a
    /// message is left over.
    void run(bool backward);

  private:
    Plan plan_;
    Team team_;  ///< of all ranks, which take turns
    LocalWorld world_;
    Random random_;
    std::vector<std::unique_ptr<Net>> nets_;
    std::vector<Buffer> in_;
    std::vector<Buffer> out_;
    std::vector<Buffer> workspace_;
    std::vector<std::unique_ptr<Programs>> programs_;
    std::vector<std::unique_ptr<Executor>> forward_;  ///< by rank
    std::vector<std::unique_ptr<Executor>> backward_;
};

}  // namespace weft::core
