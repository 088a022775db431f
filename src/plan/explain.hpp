// A plan in words: its states in the notation of the papers, its stages, what they move.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/topology.hpp"
#include "plan/plan.hpp"

namespace weft::core {

/// A plan's states as `N0/4 x N1 x ^N2`: cut axes with their parts, transformed axes with a hat
/// ([gholami] Alg. 1-3); and what each stage does.
struct Words {
    std::vector<std::string> states;
    std::vector<std::string> stages;
};
Words words_of(const Plan& plan, const Topology& topology = {});

/// Three or four digits and a unit, as `134.2 MB`.
std::string bytes_text(double bytes);

/// One line per state and stage, and how many ranks are idle where some are; with a rank also that
/// rank's boxes and bytes. `topology`: which ranks share a node.
std::string explain(const Plan& plan, std::optional<int> rank = {}, const Topology& topology = {});

/// How many ranks own nothing in any layout, at least: those beyond the most that own something in
/// one of them.
Index idle_ranks(const Plan& plan);

/// How many ranks' programs may be made to tell about all ranks, at most 16: fewer or none where a
/// rank has very many messages, operations of tiles, or blocks in the stages of a k-way schedule.
Index ranks_to_look_at(const Plan& plan);

/// Ranks whose memory stands for that of all, at most 16, ascending: all ranks, or else some that
/// are evenly spread, the first and the last among them, and for each state one that owns most.
/// No more than ranks_to_look_at().
std::vector<int> representative_ranks(const Plan& plan);

/// Whether the plan has so many tiles that its memory is told by a few of them
/// (memory_of_few_tiles() in program/lower.hpp).
bool has_many_operations(const Plan& plan);

}  // namespace weft::core
