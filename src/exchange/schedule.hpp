// Who sends to whom, and when: rank arithmetic without data, for any number of ranks.
//
// Ranks are those of a group that exchanges, 0 .. p-1. A block is what one of them has for another;
// a stage is a number of rounds that depend on nothing but the stage before; in a round a rank
// sends at most one message and receives at most one.
#pragma once

#include <optional>
#include <vector>

namespace weft::core {

enum class Order {
    direct,    ///< round r: to rank + r + 1, from rank - r - 1; blocks go straight to their targets
    pairwise,  ///< both with the same partner: rank xor r + 1, or the rounds of a tournament
    kway,      ///< by the digits of target - source, radix k, passing through other ranks
};

struct Block {
    int source = 0;
    int target = 0;
    bool operator==(const Block&) const = default;
};

/// How many ranks behind the source the target is. A rank never holds two blocks of one distance.
int distance(const Block& block, int ranks);

/// A block that is sent to a peer, or comes from it, in a round of a stage.
struct Passage {
    Block block;
    int peer = 0;
    int round = 0;
    bool operator==(const Passage&) const = default;
};

/// One rank's part of a stage. What it holds before it are the blocks it sends or keeps, what it
/// holds after it those it has received or kept. The passages of one round, which are one message,
/// follow each other; both ends list the blocks of a message alike.
struct ScheduleStage {
    int rounds = 0;  ///< as many for all ranks, also where a rank has nothing to do
    std::vector<Passage> sends;
    std::vector<Passage> receives;
    std::vector<Block> kept;
};

/// The stages, at least one, of an order, with a radix if that is kway; afterwards a rank holds all
/// blocks whose target it is. `targets` and `sources` are the ranks, each once, that this one has
/// something for and gets something from. If there is one stage it has no other blocks. With
/// several stages, log p / log k of kway(k), all p blocks are in each, for any p ([gholami] Alg.
/// 4-5; Bruck: k = 2).
std::vector<ScheduleStage> schedule(Order order, std::optional<int> radix, int ranks, int rank,
                                    const std::vector<int>& targets,
                                    const std::vector<int>& sources);

/// How many stages a schedule has.
int stages_of(Order order, std::optional<int> radix, int ranks);

/// The radices k of kway, 2 to `ranks`, that are worth comparing among so many ranks, ascending: for
/// each number of stages the least one, which sends the fewest messages in that number, and the
/// powers of two. Example: of 24 ranks 2 (5 stages), 3 (3 stages), 4, 5 (2 stages), 8, 16 and 24 (1
/// stage, in which blocks go straight).
std::vector<int> radices(int ranks);

/// How often the block from one rank to another changes ranks.
int hops(Order order, std::optional<int> radix, int ranks, const Block& block);

}  // namespace weft::core
