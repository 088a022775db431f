// Which plan is known for a problem here, from earlier tuning; and how what tuning finds is kept.
//
// Whoever makes a plan with tuning asks first, and tunes only where nothing is known:
//
//     const PlanQuestion question = question_of(problem, constraint, tuning);
//     KnownPlan known = known_plan(comm, nodes, question);
//     if (known.choice) use(*known.choice);          // times nothing
//     else tune(known.start), remember_plan(comm, nodes, question, best, evidence);
//
// With tuning=frozen: use(require_known(known)).
#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <vector>

#include "api/text_file.hpp"
#include "base/topology.hpp"
#include "tune/wisdom.hpp"
#include "weft/choice.hpp"
#include "weft/problem.hpp"

namespace weft {

struct PlanQuestion {
    Problem problem{};
    Choice constraint{};       ///< what the caller has fixed, without the word of tuning
    std::string conditions{};  ///< core::WisdomKey::conditions
    /// The effort that is asked for: `measure`, `patient`, `exhaustive`; or `frozen`: any will do,
    /// and the choice that is given times nothing.
    std::string tuning = "frozen";
};

/// What wisdom is asked. The key is the same whatever the effort, its limit and the machine that
/// tuning starts from: what one effort finds, another one and `frozen` are told.
PlanQuestion question_of(const Problem& problem, const Choice& constraint, const Tuning& tuning);

/// What wisdom knows of a question; every rank holds equal values.
struct KnownPlan {
    /// Complete and possible on all ranks; nothing: it is not known. Its engine has learned what it
    /// had learned when the plan was tuned (FFTW's wisdom), on every rank.
    std::optional<Choice> choice{};
    /// Without a choice: a good one to start tuning from, complete, that plans the problem, but may
    /// not keep to the constraint.
    std::optional<Choice> start{};
    /// Where the choice or the start was found, with its evidence.
    std::optional<core::WisdomEntry> entry{};
    /// In words: there is no choice, and what the start is.
    std::string why{};
    /// Without a choice: lines and files of wisdom that could not be read.
    std::vector<std::string> troubles{};
};

/// Collective. Rank 0 reads, and its wisdom counts: what other ranks' files and processes know is
/// not looked at. Trouble with files is told, never thrown. `nodes`: of the communicator. With
/// tuning=frozen the effort of an engine that measures becomes estimate, which takes what it has
/// learned and measures nothing.
KnownPlan known_plan(MPI_Comm comm, const core::Topology& nodes, const PlanQuestion& question);

/// The choice. Throws Error(not_available) with the reasons and what to do if there is none.
const Choice& require_known(const KnownPlan& known);

/// Collective. Remembers the fastest choice that tuning has found, with what the engines of all
/// ranks have learned, in this process and in the user's file, whose lock it waits for at most so
/// many seconds, of rank 0. An empty date becomes now.
/// Returns nothing, or why the file could not be written (on all ranks): the process knows it all
/// the same, and the transform goes on.
std::optional<std::string> remember_plan(MPI_Comm comm, const core::Topology& nodes,
                                         const PlanQuestion& question, const Choice& best,
                                         core::Evidence evidence, double patience = lock_patience);

}  // namespace weft
