#include "base/transports.hpp"

namespace weft::core {

const std::vector<Transport>& transports() {
    static const std::vector<Transport> table = {
#define WEFT_TRANSPORT(id, name, packing, slot, by_rounds, most_rounds, arrivals, fixed, needs, \
                       summary)                                                                 \
    {name, Packing::packing, slot, by_rounds, most_rounds, arrivals, fixed, needs, summary},
#include "weft/methods.def"
    };
    return table;
}

const Transport* find_transport(std::string_view name) {
    for (const Transport& candidate : transports()) {
        if (candidate.name == name) return &candidate;
    }
    return nullptr;
}

}  // namespace weft::core
