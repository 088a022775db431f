// The transports of an exchange: how messages travel, once it is known who sends what to whom.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "weft/box.hpp"

namespace weft::core {

/// One for each row of weft/methods.def, in its order.
enum class TransportId {
#define WEFT_TRANSPORT(id, ...) id,
#include "weft/methods.def"
};

/// From about this size on MPI libraries announce messages before they send them.
inline constexpr Index announced_bytes = Index{1} << 16;

enum class Packing {
    always,  ///< messages must be contiguous
    never,   ///< it moves strided slices
    either,
    region,  ///< ranks of a node read each other's memory, nothing is sent
};
enum class Carries {
    messages,  ///< between any ranks
    node,      ///< messages between ranks of one node
    matrix,    ///< the array itself, as a matrix that it transposes
    device,    ///< messages from and to the memory of devices, which it reaches without MPI
};

/// A row of weft/methods.def: what a transport needs and can do.
struct Transport {
    TransportId id = TransportId::alltoallv;
    std::string_view name{};
    std::string_view summary{};
    Packing packing = Packing::always;
    /// Messages lie in equal slots of a multiple of so many bytes; unset: end to end.
    std::optional<Index> slot_bytes{};
    /// It may carry some rounds of a schedule at a time; otherwise all messages at once.
    bool by_rounds = false;
    std::optional<int> most_rounds{};  ///< so many at a time at most; unset: any number
    bool arrivals = false;             ///< it can tell which message has arrived
    bool fixed_buffers = false;        ///< it is faster where buffers are always the same ones
    bool collective = false;           ///< it leaves its messages to a collective call of MPI's
    /// A rank goes on while its messages travel; otherwise the call that starts them returns when
    /// they are through.
    bool overlaps = false;
    bool estimated = false;  ///< the model tells it from others, and every MPI has it
    Carries carries = Carries::messages;
    std::string_view needs{};  ///< what may be missing, in words; empty: nothing
};

/// All of them, the default first.
const std::vector<Transport>& transports();
const Transport& transport(TransportId id);
std::string_view name_of(TransportId id);
/// Of the first that carries that.
std::string_view name_of(Carries carries);
/// Null if there is none of that name.
const Transport* find_transport(std::string_view name);

}  // namespace weft::core
