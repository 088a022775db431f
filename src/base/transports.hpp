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

enum class Packing { always, never, either, region };
enum class Carries { messages, node, matrix, device };
enum class Needs { nothing, cross_memory, fftw_mpi, device_comms };

/// A row of weft/methods.def: what a transport needs and can do.
struct Transport {
    TransportId id = TransportId::alltoallv;
    std::string_view name;
    Packing packing = Packing::always;
    std::optional<Index> slot_bytes{};
    bool by_rounds = false;
    std::optional<int> most_rounds{};
    bool arrivals = false;
    bool fixed_buffers = false;
    Carries carries = Carries::messages;
    Needs needs = Needs::nothing;
    std::string_view summary;
};

/// All of them, the default first.
const std::vector<Transport>& transports();
const Transport& transport(TransportId id);
std::string_view name_of(TransportId id);
/// In words; empty for nothing.
std::string_view name_of(Needs needs);
/// Null if there is none of that name.
const Transport* find_transport(std::string_view name);

}  // namespace weft::core
