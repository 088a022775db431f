// A plan set up to be tried: the same checks run over MPI and inside one process.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "plan/plan.hpp"
#include "testing/net/local.hpp"

namespace weft::core {

/// Arrays of some ranks (all ranks of a simulation, or this process's rank) and a way to transform
/// them.
class Rig {
  public:
    Rig() = default;
    Rig(const Rig&) = delete;
    Rig& operator=(const Rig&) = delete;
    virtual ~Rig() = default;

    [[nodiscard]] virtual const Plan& plan() const = 0;
    /// The ranks whose arrays are here.
    [[nodiscard]] virtual const std::vector<int>& ranks() const = 0;
    [[nodiscard]] virtual std::byte* in(int rank) const = 0;
    [[nodiscard]] virtual std::byte* out(int rank) const = 0;
    /// Collective: transforms all ranks' arrays.
    virtual void run(bool backward) = 0;
    /// Collective: the largest value of all processes.
    virtual double largest(double value) const = 0;
};

/// All ranks in this process.
std::unique_ptr<Rig> local_rig(const Problem& problem, const Choice& choice, int ranks,
                               const LocalOptions& options);

/// One rank a process, through the public interface. Collective.
std::unique_ptr<Rig> mpi_rig(const Problem& problem, const Choice& choice, MPI_Comm comm);

}  // namespace weft::core
