// How one redistribution travels: schedule x transport x completion x round batches.
//
// As text: a transport with what is not its default, `p2p(kway(4),some,rounds=8)`,
// `shared(alltoallv)`, or the name that the literature gives such a point,
// `isend-waitsome-block(8)`; see methods().
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/transports.hpp"
#include "exchange/schedule.hpp"
#include "weft/choice.hpp"

namespace weft::core {

struct Via {
    TransportId transport = TransportId::alltoallv;
    Order order = Order::direct;
    std::optional<int> radix{};  ///< of Order::kway, at least 2
    bool on_arrival = false;     ///< each message is unpacked as it arrives, not all at the end
    std::optional<int> round_batch{};  ///< rounds that are started together; unset: all
    /// Where ranks read each other's memory: the transport to those on other nodes.
    TransportId between = TransportId::p2p;

    [[nodiscard]] const Transport& how() const { return core::transport(transport); }
    bool operator==(const Via&) const = default;
};

/// A named point: a row of weft/methods.def.
struct Method {
    std::string_view name{};
    std::string_view summary{};
    Via via{};
    /// What a number in its text changes: `kway(3)`, `isend-waitall-block(8)`; null: it takes none.
    std::optional<int> Via::*number = nullptr;
    std::vector<int> tried{};  ///< numbers that tuning tries besides its own; of kway: radices()
    bool estimated = false;    ///< the model tells it from others, and every MPI has it
};

/// All named points: the transports that have no name in the literature, then those that have. The
/// default is the first.
const std::vector<Method>& methods();
/// Null if there is none of that name.
const Method* find_method(std::string_view name);

/// What a text says where a method is to be found by measuring; parse_via does not know it.
inline constexpr std::string_view measured_via = "auto";

/// Throws Error(bad_request) that lists the names, or says why the parts do not go together.
Via parse_via(std::string_view text);
/// The one text of a point: the name of a method if there is one.
std::string to_string(const Via& via);

/// Of a method that reads regions: it with the first of MPI's collective calls to other nodes.
Via with_collective_between(Via via);

/// What carries its messages; of a method that reads regions: those that do not go by regions.
TransportId message_transport(const Via& via);
/// Whether its messages are packed, given what a plan says of packing.
bool packs(const Via& via, Pack pack);
/// Whether transforms can write its messages and read them where they land: it carries them all at
/// once, anywhere in memory, and each is contiguous.
bool carries_fused(const Via& via);
/// Whether this method supports `pack`. Every method supports `automatic` and `fft`.
bool suits(const Via& via, Pack pack);
/// The method that is taken where none is named: the first that suits. `fuses`: whether transforms
/// beside redistributions can do the packing; without, one that sends.
std::string default_via(Pack pack, bool fuses);
/// `automatic` becomes what suits; throws Error(bad_request) if the two do not go together.
/// `fuses`: whether transforms beside the redistribution can do the packing.
Pack resolve_pack(const Via& via, Pack pack, bool fuses);

}  // namespace weft::core
