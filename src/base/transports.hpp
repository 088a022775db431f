// The transports of an exchange: how messages travel, once it is known who sends what to whom.
#pragma once

#include <string_view>
#include <vector>

#include "weft/box.hpp"

namespace weft::core {

enum class Packing { always, never, either, window };

/// What a transport needs and can do; see weft/methods.def.
struct Transport {
    std::string_view name;
    Packing packing = Packing::always;
    Index slot_bytes = 0;
    bool by_rounds = false;
    int most_rounds = 0;
    bool arrivals = false;
    bool fixed_buffers = false;
    std::string_view needs;
    std::string_view summary;
};

/// All of them, the default first.
const std::vector<Transport>& transports();
/// Null if there is none of that name.
const Transport* find_transport(std::string_view name);

}  // namespace weft::core
