// The choices that a tuner knows, what the model says of each and what was measured.
//
// Choices are planned and forecast one at a time, since on many ranks that takes a while. What was
// measured corrects the machine's description, and with it what is said of all the others.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tune/changes.hpp"
#include "tune/forecast.hpp"
#include "tune/session.hpp"

namespace weft::core {

/// What a trial that has not run is expected to take.
struct Promise {
    std::size_t trial = 0;
    double seconds = 0;
    /// How far that may be off: 1 where nothing like it has run, less where only MPI's calls or
    /// numbers differ from what has.
    double doubt = 1;
};

class Trials {
  public:
    /// The first trial is the constraint itself. Throws Error(bad_request) as default_plan does.
    Trials(Problem problem, Choice constraint, int ranks, Means means, Machine machine);

    /// The number of the choice's trial, or of one that runs as the same programs: row-wise may be
    /// slabs, and what is not packed has no packing. Nothing if it cannot be planned.
    std::optional<std::size_t> add(const Choice& open);
    /// Choices to be planned before all others.
    void list(const std::vector<Choice>& choices) {
        listed_.insert(listed_.begin(), choices.begin(), choices.end());
    }
    /// The trial with each other engine, all else as it is.
    std::vector<std::size_t> with_other_engines(std::size_t trial);
    /// Whether a complete choice says all that the constraint says (tune/constraint.hpp).
    [[nodiscard]] bool keeps_to_constraint(const Choice& choice) const;
    /// Whether there are several engines to choose from.
    [[nodiscard]] bool engines_differ() const {
        return constraint_.engine.empty() && means_.engines.size() > 1;
    }
    /// Plans and forecasts one more choice. First come those that were
    /// listed, then those beside the constraint and beside each
    /// decomposition alone, since what suits one decomposition need not suit another; then those
    /// beside so many others, the fastest first by what the corrected model says. False: these are
    /// known.
    bool think(int expanded);

    void run(std::size_t trial, double seconds);
    void fail(std::size_t trial, const std::string& reason);
    /// Corrects the machine by what was measured so far.
    void correct();

    /// The one with the least median; nothing if none has run.
    [[nodiscard]] std::optional<std::size_t> fastest() const;
    /// The one that promises most of those that have neither run nor been dropped and may take that
    /// many seconds at most: what the corrected model says, with the residuals of plans like it,
    /// and less where no trial of its decomposition, of its engine or, if it has some, of tiles has
    /// run, since there the model may be far off. Candidates with
    /// equal predictions, or that differ in their number of tiles only, are tried in rotation: each
    /// that has run makes the others promise less.
    [[nodiscard]] std::optional<Promise> most_promising(double most) const;
    /// The one that is predicted to be the fastest, or the simplest of those within 2%.
    [[nodiscard]] std::size_t estimate() const;

    [[nodiscard]] std::size_t size() const { return trials_.size(); }
    Trial& operator[](std::size_t trial) { return trials_[trial]; }
    const Trial& operator[](std::size_t trial) const { return trials_[trial]; }

  private:
    /// What the choice leaves open the planner completes.
    [[nodiscard]] Plan planned(const Choice& choice) const;
    /// As add, but throws Error(bad_request) if it cannot be planned, or its program not be made.
    std::size_t added(const Choice& open);
    [[nodiscard]] std::optional<std::size_t> same_as(const Forecast& forecast,
                                                     double predicted) const;
    /// What runs tell of plans like one.
    struct Likeness {
        double residual = 1;  ///< factor by which the corrected model is off for them
        int runs = 0;         ///< of plans that differ from it in nothing but numbers
    };
    [[nodiscard]] Likeness likeness(const Trial& trial) const;
    /// Logarithm of measured by forecast seconds, the mean of what has run.
    [[nodiscard]] double usual_residual() const;
    /// Lists the choices beside a trial.
    void expand(std::size_t trial);
    /// Whether it is the constraint but for the decomposition and the engine of the fastest trial.
    [[nodiscard]] bool is_decomposition(std::size_t trial) const;
    /// The one to be expanded next.
    [[nodiscard]] std::optional<std::size_t> unexpanded() const;
    /// Lists a trial in tiles with other numbers of them.
    void list_tiles(std::size_t trial, bool beside);

    Problem problem_;
    Choice constraint_;
    int ranks_;
    Means means_;
    Machine machine_;
    Correction correction_;
    std::vector<std::string> changes_;
    std::deque<Choice> listed_;
    std::string fastest_engine_;  ///< of what has run; empty: nothing has
    int expanded_ = 0;            ///< trials that are not decompositions alone
    std::vector<Trial> trials_;
    std::deque<Forecast> forecasts_;              ///< of each trial, at places that stay
    std::map<std::string, std::size_t> by_text_;  ///< of the complete choice
};

/// The constraint in the decompositions that predictions list (model/usual_ways.hpp), itself first,
/// then each of these in tiles.
std::vector<Choice> usual_choices(const Problem& problem, const Choice& constraint, int ranks,
                                  const Machine& machine);

}  // namespace weft::core
