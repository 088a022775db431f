// What a transform takes on a machine by the number of ranks and by decomposition: which is
// fastest where, the phase diagram of slabs against pencils ([ayala] section IV-A, Fig. 5).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/price.hpp"

namespace weft::core {

/// One plan.
struct Prediction {
    /// `slab`, `pencil`, `brick`, `shrink`; `given`: what the choice names; `default`: weft's own
    /// way, where it is none of these.
    std::string name;
    int ranks = 1;
    std::string grid;           ///< of the process grid, `12x16`; empty: it has none
    std::string decomposition;  ///< complete
    int shrink = 0;             ///< so many ranks hold what is between the ends; 0: all
    Placements placements{};    ///< of those that the choice leaves open the fastest
    PlanPrice price;
    double even_exchange = 0;           ///< seconds, [ayala] eqs. 2 and 3
    std::optional<double> bandwidth{};  ///< bytes a second, [ayala] eqs. 4 and 5
    bool fastest = false;               ///< of those on as many ranks
    bool own = false;                   ///< the plan that weft makes (model/default_plan.hpp)

    [[nodiscard]] double seconds() const { return price.seconds(); }
};

/// All of them, by ascending rank counts; of each count the decompositions that fit the problem and
/// leave no rank idle:
/// - weft's own plan, by the name of what it is (`shrink` if fewer ranks hold what is between the
///   ends), and beside it slabs, pencils and bricks
///   (model/usual_ways.hpp), of each name the fastest;
/// - beyond the count that is fastest of all, `shrink`: that many of the ranks hold what is between
///   the ends ([ayala] Alg. 1).
/// If the choice names a decomposition it is the only one. Throws Error(bad_request) if nothing
/// fits the problem on any of the counts.
std::vector<Prediction> predict(const Problem& problem, const Choice& choice,
                                const std::vector<int>& rank_counts, const Machine& machine,
                                Arrays arrays = Arrays::host);

/// Of those on so many ranks that all of them compute, and weft's own; null if there is none.
const Prediction* fastest(const std::vector<Prediction>& rows, int ranks);
/// Of all; the one on fewest ranks, if several are equal. Null if there is none.
const Prediction* fastest(const std::vector<Prediction>& rows);

/// Two sentences.
struct Verdict {
    std::string fastest;  ///< which decomposition on which numbers of ranks
    std::string fewer;    ///< how many ranks are worth having; empty for one number of ranks
};
Verdict verdict(const std::vector<Prediction>& rows);
/// A line for each and a header, 80 columns.
std::string prediction_table(const std::vector<Prediction>& rows);
/// A line for each and a header, for programs: seconds, bytes and bytes a second.
std::string prediction_csv(const std::vector<Prediction>& rows);
/// Milliseconds, to three or four digits.
std::string milliseconds_text(double seconds);
/// What each stage takes, a line for each, then their sum.
std::string stages_text(const Plan& plan, const PlanPrice& price, const Machine& machine);

}  // namespace weft::core
