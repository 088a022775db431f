// The devices of a machine's nodes as the model sees them: their memory, their transforms, the link
// to the host and what a GPU-aware MPI does with their memory.
//
// Units: seconds, bytes, bytes a second, flops a second. Rates are a whole device's, and those of
// the host link the whole link's: ranks that share one have their parts. What an operation reads
// and writes counts together.
//
// A transform along an axis is a pass over memory, or as much arithmetic, whichever takes longer,
// and a launch besides. So transforms of few elements take what their launches take, and those of
// many what their passes take. Flops a second alone would say neither: they grow with the logarithm
// of a line's length where its pass takes the same time.
//
// Example: a launch takes 5e-6 and passes go at 8e11. 512^3 complex numbers in double precision, on
// one device, are read and written once in 5e-6 + 2 * 2.147e9 / 8e11 = 5.37 ms; 16^3 in 5.2 us.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "model/link.hpp"
#include "plan/placement.hpp"
#include "weft/box.hpp"

namespace weft::core {

/// Between the memory of the host and of a device: PCIe, NVLink.
struct HostLink {
    double latency = 0;      ///< seconds of a copy besides its bytes
    double to_device = 1;    ///< of memory of the host that is pinned
    double from_device = 1;  ///< as well
    /// Either way, where the host's memory is the caller's and not pinned; nothing: as pinned.
    std::optional<double> pageable{};
    int shared_by = 1;  ///< devices of a node behind one link
    bool operator==(const HostLink&) const = default;
};

/// Between devices of a node that read each other's memory: NVLink, PCIe.
struct PeerLink {
    double latency = 0;    ///< seconds of what reads such memory, besides a launch and its bytes
    double bandwidth = 1;  ///< that a device reads from all others together
    bool operator==(const PeerLink&) const = default;
};

/// How the elements of the lines of a batch lie on both sides: adjacent; those of other lines
/// between them; one way on one side and the other way on the other.
enum class LinesLie { lines, lanes, permuting };

/// Of a device's serial transforms.
struct DeviceEngine {
    double lines = 1;       ///< bytes a second of a pass, where lines are contiguous
    double lanes = 1;       ///< where they lie side by side
    double permuting = 1;   ///< where they change from one to the other
    double rate = 1e16;     ///< flops a second in double precision
    double longest = 1e15;  ///< elements of a line in one pass; longer ones take several
    double rough = 1;       ///< times these where the length has a prime factor above 7
    double single = 1;      ///< times the rate in single precision
    bool operator==(const DeviceEngine&) const = default;
};

/// Of messages that MPI sends from the memory of devices to that of others.
struct DirectLinks {
    Link inside{};   ///< between devices of a node, as NVLink
    Link between{};  ///< of different nodes, as GPUDirect
    bool operator==(const DirectLinks&) const = default;
};

struct Devices {
    std::string kind{};  ///< as in `space=`: `cuda`
    int per_node = 1;    ///< adjacent ranks of a node share one evenly
    double launch = 0;   ///< seconds of each kernel besides what it does
    HostLink host_link{};
    std::optional<PeerLink> peer_link{};  ///< nothing: devices do not read each other's memory
    double copy_rate = 1;                 ///< of contiguous copies in its memory
    double pack_rate = 1;                 ///< of copies that permute axes
    /// By the name of the engine.
    std::map<std::string, DeviceEngine> engines{};
    std::string other_engines{};          ///< whose rates stand for an engine that is not listed
    std::optional<DirectLinks> direct{};  ///< nothing: MPI does not reach their memory
    bool operator==(const Devices&) const = default;
};

/// How many ranks share a device where so many ranks of a node compute, and how many share a link
/// to the host.
int device_sharers(const Devices& devices, int node_ranks);
int link_sharers(const Devices& devices, int node_ranks);
/// Whether two ranks of a node on which so many compute share a device.
bool same_device(const Devices& devices, int node_ranks, int node_rank, int other);
/// Whether ranks of a node read each other's memory on devices: of one device they always do.
bool shares_regions(const Devices& devices);

const DeviceEngine& device_engine(const Devices& devices, std::string_view engine);
/// The rates are the devices' own, so they have to outlive them.
const DeviceEngine& device_engine(const Devices&& devices, std::string_view engine) = delete;

/// What is done to lines of one length.
struct LinePass {
    LinesLie lie = LinesLie::lines;
    Index length = 1;
    double bytes = 0;  ///< read and written once
    double flops = 0;
};
/// Seconds of it by a rank that has a whole device, without the launch.
double pass_seconds(const DeviceEngine& engine, const LinePass& pass, bool single);

/// Seconds of so many bytes from other devices of the node, by a rank that has a device of its own.
/// What is not described goes as fast as messages between devices, or as hops to the host.
double peer_bytes_seconds(const Devices& devices, double bytes);

/// Seconds of so many bytes from one memory to the other, by a rank that has a link of its own and
/// without the latency.
double hop_bytes_seconds(const HostLink& link, double bytes, bool to_device, bool pinned);

/// Whether messages of a device go by the host's memory: as is said, or where that is left open if
/// no link between devices is described.
bool goes_staged(Reach reach, const Devices& devices);

}  // namespace weft::core
