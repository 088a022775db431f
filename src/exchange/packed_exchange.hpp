// One rank's part of a redistribution by messages: what it packs, sends, receives, keeps and
// unpacks, by schedule stage and round batch.
//
// Blocks lie in the array before, then in each stage of the schedule in a source value, which
// messages leave, and in a landing value, where they arrive, and at last in the array behind.
// Copies take them from the array or a landing value to the next source value or the array. Where
// nothing is packed the array before is the first source, where nothing is unpacked the array
// behind is the last landing value.
//
// Example: 8 x 6 x 4 goes from slabs along axis 0 to slabs along axis 1 on two ranks, by alltoallv,
// and elements travel in the order of axes 102. Rank 0 has block (0,1), the box [0:4,3:6,0:4], in
// the array as the slice 12+[3:4 4:24 4:1]. Packed it is 0+[3:16 4:4 4:1], 48 elements, in the
// source value of the only stage. The only batch sends these and receives block (1,0), the box
// [4:8,0:3,0:4], into the landing value, from where it is unpacked. Block (0,0) is half of what the
// rank has, so it is copied past both values.
#pragma once

#include <vector>

#include "exchange/via.hpp"
#include "geometry/layout.hpp"

namespace weft::core {

/// A redistribution by messages that may be packed, the same on every rank.
struct PackedMessages {
    const Layout& from;
    const Layout& to;
    const Via& via;
    Pack pack = Pack::sender;
    Index chunk = 0;  ///< the most elements that one MPI count may hold
    /// The program sends elements of half of the bytes (program/passes/halve.cpp): slots are
    /// multiples of a transport's unit for these, and nothing is unpacked before all have arrived.
    bool halved = false;
};

struct BlockCopies {
    std::vector<CopyTask> tasks;  ///< each loops over all axes, in the order of the exchange
    std::vector<Box> boxes{};     ///< what each copies, if the exchange is used in parts
};

/// Rounds of messages that are started together.
struct RoundBatch {
    ExchangeTask exchange;
    std::vector<BlockCopies> unpack{};  ///< of each receive, from the landing value to what is next
};

/// A stage of the schedule.
struct ExchangeStage {
    Index source_bytes = 0;           ///< of the source, where it is a value of its own
    Index landing_bytes = 0;          ///< of the landing value, where it is one of its own
    BlockCopies keep;                 ///< what stays, from the source to the landing value
    BlockCopies unpack_kept;          ///< and from there to what is next
    std::vector<RoundBatch> batches;  ///< at least one; every rank has as many
};

struct PackedExchange {
    std::vector<int> order{};  ///< of axes, in which elements travel
    bool packs = false;        ///< the first source is a value of its own
    bool unpacks = false;      ///< the last landing value is one of its own
    bool on_arrival = false;   ///< each message is unpacked as it arrives
    BlockCopies pack{};        ///< from the array before to the first source
    BlockCopies keep_past{};   ///< what stays, from array to array, if it goes past all values
    std::vector<ExchangeStage> stages{};
};

/// How a rule uses an exchange.
enum class ExchangeUse {
    whole,
    /// The arrays before and behind are the same memory and nothing else is done to it. So nothing
    /// is copied past, and one side is packed even where messages could lie as they are.
    in_one_array,
    /// Transforms make what is packed, and use what is unpacked, part by part. What stays is
    /// packed, and unpacked from the source: `keep` is empty.
    in_parts,
};

PackedExchange packed_exchange(const PackedMessages& messages, int rank, ExchangeUse use);
/// Whether an exchange may be used in parts: both sides are packed, and all messages are one batch
/// that is awaited as a whole. This costs less than to work the messages out.
bool goes_in_parts(const PackedMessages& messages, int rank);

}  // namespace weft::core
