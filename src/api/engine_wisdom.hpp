// What serial engines learn by measuring, gathered from all ranks and brought back to them.
#pragma once

#include <mpi.h>

#include <string>

#include "tune/wisdom.hpp"
#include "weft/choice.hpp"
#include "weft/problem.hpp"

namespace weft {

/// Collective. What the engine of a plan has learned on the ranks that it was bound on: of ranks
/// whose parts of the array have equal extents, which plan the same transforms, one counts, and of
/// those the first 64. Empty for an engine that learns nothing. The text is the same on all ranks,
/// which have learned it.
std::string learned_by_engine(MPI_Comm comm, const Problem& problem, const Choice& choice);

/// Collective. Among ranks whose native engines learn for one processor, what the lowest one has
/// learned replaces what others have, so that they plan alike. Ranks of more than 64 kinds of
/// processors do not agree.
void agree_on_learned(MPI_Comm comm);

/// Collective. Before plans of the problem are timed: the native engine, if it may be taken, learns
/// how it transforms such lines fastest on a processor that it does not know (docs/native.md), in at
/// most a second and a tenth of what is left. Ranks then agree on what was learned.
void let_engine_learn(MPI_Comm comm, const Problem& problem, const Choice& constraint, double left);

/// Collective. Every rank's engine learns what the entry has of it; a text of another version of
/// the engine's library is passed over. What the native engine has learned in this process stays,
/// and ranks agree on what it knows then.
void teach_engine(MPI_Comm comm, const Choice& choice, const core::WisdomEntry& entry);

}  // namespace weft
