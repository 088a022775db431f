#include "base/transports.hpp"

#include <algorithm>

namespace weft::core {

const std::vector<Transport>& transports() {
    static const std::vector<Transport> table = {
#define WEFT_TRANSPORT(id_, name_, summary_, ...) \
    {.id = TransportId::id_, .name = name_, .summary = summary_, __VA_ARGS__},
#include "weft/methods.def"
    };
    return table;
}

const Transport& transport(TransportId id) { return transports()[static_cast<std::size_t>(id)]; }

std::string_view name_of(TransportId id) { return transport(id).name; }

std::string_view name_of(Carries carries) {
    const auto& all = transports();
    return std::find_if(all.begin(), all.end(),
                        [&](const Transport& one) { return one.carries == carries; })
        ->name;
}

const Transport* find_transport(std::string_view name) {
    for (const Transport& candidate : transports()) {
        if (candidate.name == name) return &candidate;
    }
    return nullptr;
}

}  // namespace weft::core
