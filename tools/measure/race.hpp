// Times of several contenders, taken in turns so that whatever slows the machine down slows all.
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <vector>

#include "base/random.hpp"
#include "measure/contender.hpp"

namespace weft::cli {

using Contenders = std::vector<std::unique_ptr<Contender>>;

/// Seconds of the slowest rank, repeat by repeat.
struct Times {
    std::vector<double> forward;
    std::vector<double> backward;
};

/// The seconds of some work on the slowest of the ranks for which they count, all starting
/// together. Collective.
double seconds_of_slowest(MPI_Comm comm, bool counts, const std::function<void()>& work);

/// The order of each round of so many contenders, another one each time and the same on all ranks:
/// who runs after whom matters, since a transform leaves caches full of what is yet to be written.
class Turns {
  public:
    explicit Turns(std::size_t count);
    const std::vector<std::size_t>& next();

  private:
    core::Random random_{1};
    std::vector<std::size_t> order_;
};

/// Runs every contender forward and backward in each of `repeat` rounds, after rounds that are not
/// counted. Tells rank 0's stderr how far it is, if it takes long. Collective.
std::vector<Times> race(const Contenders& contenders, int repeat, MPI_Comm comm,
                        bool speaks = true);

/// The medians of a contender's profiles on the slowest rank of each repeat. `other` is what is
/// left of the total. Nothing from contenders that cannot be looked into. Collective.
std::optional<Profile> typical_profile(Contender& contender, bool backward, int repeat,
                                       MPI_Comm comm);

}  // namespace weft::cli
