// Points of one plan in tiles, which differ in their ten numbers: how fast random ones are, and
// what searches find among them ([song] section 4.2, Fig. 5).
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "tune/tile_grid.hpp"

namespace weft::bench {

/// Binds and times points of a plan, forward. All functions are collective.
class Points {
  public:
    /// The text of the problem, and a choice that leaves numbers of its tiles open.
    Points(std::string problem, const std::string& choice, MPI_Comm comm);

    [[nodiscard]] const core::TileGrid& grid() const { return *grid_; }
    /// Of the plan with these numbers.
    [[nodiscard]] std::string choice_at(const core::Position& position) const;
    /// So many different positions that can be run, drawn at random.
    [[nodiscard]] std::vector<core::Position> drawn(int count, std::uint64_t seed) const;

    /// The median of so many runs of the slowest rank, after one that is not counted; infeasible
    /// if the plan cannot be bound or run.
    double seconds(const std::string& choice, int runs) const;
    /// Runs all of them in turns, another order in each round, each bound anew: medians.
    [[nodiscard]] std::vector<double> seconds_in_turns(const std::vector<std::string>& choices,
                                                       int rounds) const;

    [[nodiscard]] const std::string& problem() const { return problem_; }
    [[nodiscard]] const Choice& choice() const { return choice_; }
    [[nodiscard]] MPI_Comm comm() const { return comm_; }

  private:
    std::string problem_;
    Choice choice_;
    MPI_Comm comm_;
    std::optional<core::TileGrid> grid_;
};

/// A run of a search.
struct SearchRun {
    std::string choice;
    double seconds = 0;
};
using SearchRuns = std::vector<SearchRun>;

/// [song]'s search, Nelder-Mead's from the default point, at most so many runs. Collective; the
/// same on all ranks.
SearchRuns simplex_runs(const Points& points, int most);
/// `tuning=measure`, forward, of the plan whose numbers of tiles alone are open; `best` is what it
/// takes in the end. Collective; the same on all ranks.
SearchRuns tuner_runs(const Points& points, std::string& best);

}  // namespace weft::bench
