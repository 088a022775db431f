// Who sends to whom, and when: rank arithmetic without data, for any number of ranks.
//
// Ranks are places 0 .. p-1 in the group that exchanges. A block is what one of them has for
// another; a stage is a number of rounds that depend on nothing but the stage before; in a round a
// rank sends at most one message and receives at most one.
#pragma once

#include <vector>

namespace weft::core {

enum class Order {
    direct,    ///< round r: to place + r, from place - r; every block goes straight to its target
    pairwise,  ///< both with the same partner: place xor r, or the rounds of a tournament
    kway,      ///< by the digits of target - source, radix k, passing through other ranks
};

struct Block {
    int source = 0;
    int target = 0;
    bool operator==(const Block&) const = default;
};

/// One rank's part of a round; -1: nobody. Both ends list the blocks of a message alike.
struct Round {
    int to = -1;
    std::vector<Block> sends;
    int from = -1;
    std::vector<Block> receives;
};

/// One rank's part of a stage. What it holds before it are the blocks it sends or keeps, what it
/// holds after it those it has received or kept. All ranks have as many rounds.
struct ScheduleStage {
    std::vector<Round> rounds;
    std::vector<Block> kept;
};

/// At least one stage; afterwards a rank holds all blocks whose target it is. Costs p blocks a
/// stage; of kway(k) there are log p / log k stages, for any p ([gholami] Alg. 4-5; Bruck: k = 2).
std::vector<ScheduleStage> schedule(Order order, int radix, int places, int place);

/// How often the block from one place to another changes ranks.
int hops(Order order, int radix, int places, const Block& block);

}  // namespace weft::core
