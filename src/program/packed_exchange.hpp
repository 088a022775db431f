// One rank's part of a redistribution by messages: what it packs, sends, receives, keeps and
// unpacks, by schedule stage and round batch.
//
// Example: the redistribution of group_blocks.hpp by alltoallv, packed by the sender, on rank 0.
// The source value of its only stage holds block (0,1), 48 elements; the only batch sends them and
// receives block (1,0) into the landing value, from where it is unpacked. Block (0,0) is half of
// what the rank has, so it is copied past both values.
#pragma once

#include <cstddef>
#include <vector>

#include "plan/plan.hpp"
#include "program/group_blocks.hpp"

namespace weft::core {

/// Rounds of messages that are started together.
struct RoundBatch {
    ExchangeTask exchange;
    std::vector<std::vector<Block>> arriving;  ///< the blocks of each receive
};

/// A stage of the schedule: blocks travel from a source value to a landing value, or stay.
struct ExchangeStage {
    HeldBlocks source;
    HeldBlocks landing;
    std::vector<Block> kept;
    std::vector<RoundBatch> batches;  ///< at least one; every rank has as many
};

struct PackedExchange {
    GroupBlocks blocks;
    bool packs = false;       ///< if not, the first source is the array before
    bool unpacks = false;     ///< if not, the last landing is the array behind
    bool on_arrival = false;  ///< each message is unpacked as it arrives
    bool keeps_past = false;  ///< one copy takes blocks that stay past all values between
    std::vector<ExchangeStage> stages{};
};

/// How a rule uses an exchange.
enum class ExchangeUse {
    /// Blocks that stay are packed, copied from source to landing beside the messages, and
    /// unpacked, or one copy takes them past all values.
    whole,
    /// The arrays before and behind are the same memory and nothing else is done to it. So no copy
    /// goes past, and one side is packed even where messages could lie as they are.
    in_one_array,
    /// Transforms make what is packed, and use what is unpacked, part by part. Blocks that stay are
    /// packed, and unpacked from the source.
    in_parts,
};

/// Works out the messages of a plan's redistribution; the plan must outlive the result.
PackedExchange packed_exchange(const Plan& plan, std::size_t stage, int rank, ExchangeUse use);
/// Whether an exchange may be used in parts: both sides are packed, and all messages are one batch
/// that is awaited as a whole. This costs less than to work the messages out.
bool goes_in_parts(const Plan& plan, std::size_t stage, int rank);

}  // namespace weft::core
