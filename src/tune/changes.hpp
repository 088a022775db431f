// What may be changed in a choice, one thing at a time: so a choice has others beside it.
//
// Example: beside the default on 8 ranks of one node are slabs and pencils on each grid, every
// exchange method that can run there, other packings and engines, and tiles along each axis. A
// choice that differs in two of these is beside one that differs in one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/topology.hpp"
#include "model/machine.hpp"
#include "plan/plan.hpp"

namespace weft::core {

/// What there is to choose from where a plan is to run.
struct Means {
    Topology nodes{};
    std::vector<std::string> vias{};     ///< methods that all ranks can run; the default first
    std::vector<std::string> engines{};  ///< that all ranks can run; the default first
    std::optional<Machine> described{};  ///< that plans are completed for; none: the default one
    int most_threads = 1;                ///< that each rank has cores for
    /// Whether MPI reaches the device that a choice names, from all ranks; nothing: not known.
    std::optional<bool> mpi_reaches_device{};
    Placements proposed{};  ///< by the model, where a choice leaves something open
    bool shrinks = false;   ///< fewer ranks between the ends
    bool by_redistribution =
        false;  ///< a method for each redistribution besides one for all of them
};

/// Items of a choice's text, as `via=send` or `engine=fftw; effort=estimate`: all that a constraint
/// leaves open for the problem on so many ranks, the simpler ones first. Two of them need not go
/// together; make_plan says so.
std::vector<std::string> changes(const Problem& problem, const Choice& constraint, int ranks,
                                 const Means& means);

/// Only the methods of the redistribution of that number.
std::vector<std::string> changes_of_redistribution(int number, int ranks, const Means& means);

/// The choice with these items in the place of its own. Tiles and regions do not go together: the
/// one that is chosen takes the other away.
Choice changed(Choice choice, const std::string& items);

}  // namespace weft::core
