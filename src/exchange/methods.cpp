#include "exchange/methods.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace weft::core {

const std::vector<Method>& methods() {
    static const std::vector<Method> table = {
        {"alltoallv", true, "one MPI_Alltoallv of packed messages ([ayala] Alg. 1)"},
        {"alltoallw", false,
         "one MPI_Alltoallw of subarray types, nothing packed ([ayala] Alg. 2)"},
        {"isend-waitall", true,
         "MPI_Isend and MPI_Irecv of packed messages, one wait for all ([duy])"},
    };
    return table;
}

const Method& method(std::string_view name) {
    std::string names;
    for (const Method& candidate : methods()) {
        if (candidate.name == name) return candidate;
        names += fmt::format("{}{}", names.empty() ? "" : ", ", candidate.name);
    }
    bad_request(fmt::format("via '{}' is unknown; there are {}", name, names));
}

Pack resolve_pack(const Method& method, Pack pack) {
    if (pack == Pack::automatic) return method.packed ? Pack::sender : Pack::datatype;
    if (method.packed == (pack == Pack::datatype)) {
        bad_request(fmt::format("via={} does not go with pack={}: it {}; leave pack out or take {}",
                                method.name, weft::to_string(pack),
                                method.packed ? "sends packed messages" : "packs nothing",
                                method.packed ? "pack=sender or pack=receiver" : "pack=datatype"));
    }
    return pack;
}

}  // namespace weft::core
