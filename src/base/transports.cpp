#include "base/transports.hpp"

namespace weft::core {

const std::vector<Transport>& transports() {
    constexpr std::nullopt_t unset = std::nullopt;
    static const std::vector<Transport> table = {
#define WEFT_TRANSPORT(id, name, packing, slot, by_rounds, most_rounds, arrivals, fixed, carries, \
                       needs, summary)                                                            \
    {TransportId::id, name,  Packing::packing, slot,         by_rounds, most_rounds,              \
     arrivals,        fixed, Carries::carries, Needs::needs, summary},
#include "weft/methods.def"
    };
    return table;
}

const Transport& transport(TransportId id) { return transports()[static_cast<std::size_t>(id)]; }

std::string_view name_of(TransportId id) { return transport(id).name; }

std::string_view name_of(Needs needs) {
    switch (needs) {
        case Needs::cross_memory:
            return "process_vm_readv";
        case Needs::fftw_mpi:
            return "FFTW's MPI library";
        case Needs::device_comms:
            return "NCCL or RCCL, and arrays in the memory of devices";
        default:
            return "";
    }
}

const Transport* find_transport(std::string_view name) {
    for (const Transport& candidate : transports()) {
        if (candidate.name == name) return &candidate;
    }
    return nullptr;
}

}  // namespace weft::core
