// The candidates of a plan's search: the families whose graphs hold every way through the
// distributions that a problem, a constraint and a number of ranks allow. What makes one way
// better than another is an Objective's to say.
//
// Which ways leave ranks idle is decided here, for all objectives: whether a distribution is to be
// used at all does not depend on what is compared. Ways that leave a rank idle are the last round.
//
// Example: three dimensions on 12 ranks, in the usual scope. The first round has the grids 12,
// 2x6, 3x4, 4x3 and 6x2, each with all its assignments to axes; the second one, in which ranks may
// idle, 12 and 3x4.
#pragma once

#include <optional>
#include <vector>

#include "plan/graph.hpp"
#include "weft/choice.hpp"

namespace weft::core {

/// usual: slabs, and of pencils the 32 nearest to square without those of which one factor is 1;
/// three and more cuts only where fewer leave a rank idle, at most 8 grids of each. all: every slab
/// and pencil, rows, and of three cuts the 8 and of more cuts the 2 grids nearest to square.
enum class Scope { usual, all };

/// A round of families. A later round counts only where no way leads through one before it.
struct CandidateRound {
    std::vector<int> cuts{};  ///< how many factors the process grids have
    bool rows = false;        ///< the family of rows is one of them
    bool idle = false;        ///< distributions that leave a rank without elements are allowed
};

class Candidates {
  public:
    /// The first `used` of the ranks hold what is between the given ends, shared by the split, in
    /// process grids that suit it. The problem must outlive this. Throws Error(bad_request) if boxes
    /// of an end do not tile the array.
    Candidates(const Problem& problem, Decomposition constraint, int ranks, int used, Scope scope,
               const Split& split);

    [[nodiscard]] std::vector<CandidateRound> rounds() const;
    [[nodiscard]] std::vector<Family> families(const CandidateRound& round) const;
    /// Nothing if the family has no distribution for that round.
    [[nodiscard]] std::optional<Graph> graph(const CandidateRound& round,
                                             const Family& family) const;

  private:
    [[nodiscard]] std::vector<std::vector<int>> grids(int cuts, bool idle) const;

    const Problem& problem_;
    Decomposition constraint_;
    int ranks_;
    int used_;
    Scope scope_;
    Split split_;
    Shapes shapes_;
    GivenEnds ends_;
};

}  // namespace weft::core
