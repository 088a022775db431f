// A machine as the model sees it: what messages, memory and arithmetic take on it.
//
// Units: seconds, bytes, bytes a second, flops a second. Rates are one rank's while all ranks of
// its node do the same; only the injection is a whole node's.
//
// Example: between nodes a latency of 1e-6 and a bandwidth of 23.5e9 ([ayala] section IV-A on
// Summit). A message of 4096 bytes takes 1e-6 + 4096 / 23.5e9 = 1.174e-6 seconds, and the 255
// messages that a rank of slab(256) sends of 256^3 take 255 times that, 0.299 ms ([ayala] eq. 2).
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/cost.hpp"
#include "model/devices.hpp"
#include "model/link.hpp"
#include "weft/box.hpp"

namespace weft::core {

/// What nodes are linked by, as far as it bounds what all ranks send at the same time.
struct Network {
    enum class Shape {
        full,       ///< nothing but the nodes' own links bounds it
        tree,       ///< half of the nodes reach the other half at `taper` times their injection
        torus,      ///< of `dimensions`, each of whose links has `link` in one direction
        dragonfly,  ///< blocks of nodes, linked pair by pair: `blocks`
    };
    Shape shape = Shape::full;
    double taper = 1;
    int dimensions = 3;
    double link = 0;
    /// Adjacent nodes on one switch of the tree, which reach all others at `taper` times their
    /// injection; 0: not known.
    int leaf = 0;
    /// Nodes along each dimension of the torus, adjacent nodes along the first; their product may
    /// not be less than the nodes. Empty: not known.
    std::vector<int> extents{};
    /// So many adjacent nodes are a block, which has links to each other block of the same larger
    /// one, with so many bytes a second in one direction: routers, groups of routers and so on.
    Table blocks{};
    bool operator==(const Network&) const = default;
};

inline constexpr std::array<std::pair<std::string_view, Network::Shape>, 4> network_shapes = {{
    {"full", Network::Shape::full},
    {"tree", Network::Shape::tree},
    {"torus", Network::Shape::torus},
    {"dragonfly", Network::Shape::dragonfly},
}};

/// Bytes between nodes take longer the more messages are under way in the whole network at the same
/// time: (their number / messages)^exponent times as long, where that is more than 1.
///
/// Example: 8 messages, exponent 0.14 ([schulz] section 5, MPI_Alltoall on Jaguar). 128 ranks on 64
/// nodes that all exchange with one another have 128 * 126 messages between nodes under way, and
/// their bytes take (16128 / 8)^0.14 = 2.9 times as long as those of 8 messages.
struct Congestion {
    double messages = 1;
    double exponent = 0;
    bool operator==(const Congestion&) const = default;
};

struct Machine {
    std::string name{};
    std::string summary{};
    int ranks_per_node = 1;
    Link inside{};                      ///< between ranks of a node
    Link between{};                     ///< between ranks of different nodes
    std::optional<double> injection{};  ///< of a node, all its ranks together, in one direction
    std::optional<Congestion> congestion{};  ///< nothing: none
    /// So many messages at a time are under way in one of MPI's collective calls; nothing: all.
    std::optional<int> collective_batch{};
    Network network{};
    MemoryRates memory{};
    /// By the name of the engine.
    std::map<std::string, EngineRates> engines{};
    std::string other_engines{};       ///< whose rates stand for an engine that is not listed
    std::optional<Devices> devices{};  ///< of its nodes; nothing: plans on a device are the host's
    /// Where figures come from: by the key in the machine's file, `between.latency`.
    std::map<std::string, std::string> sources{};
    bool operator==(const Machine&) const = default;
};

/// The machine as messages meet it that go from the memory of its devices to that of others, where
/// its MPI reaches that.
Machine with_direct_links(Machine machine);

/// Of one message.
struct MessageTime {
    double latency = 0;
    double transfer = 0;  ///< of its bytes
    [[nodiscard]] double seconds() const { return latency + transfer; }
};

/// Factor of the time that bytes take between nodes where so many messages are under way.
double congestion(const Machine& machine, double messages);

/// Between nodes, where so many messages are under way, or inside one, on a node of which so many
/// ranks send; `collective`: in one of MPI's collective calls.
MessageTime message_time(const Machine& machine, bool same_node, double bytes, double under_way,
                         int node_ranks, bool collective = false);
inline double message_seconds(const Machine& machine, bool same_node, double bytes,
                              double under_way, int node_ranks, bool collective = false) {
    return message_time(machine, same_node, bytes, under_way, node_ranks, collective).seconds();
}

/// The bytes a second that go from the first half of the nodes to the second; nothing where nothing
/// but the nodes' own links bounds it. A torus of n nodes in d dimensions whose extents are not
/// known is taken for a cube, whose cut has 2 n^((d-1)/d) links: [gholami] section 2, N / P^(2/3)
/// for d = 3.
std::optional<double> bisection(const Machine& machine, int nodes);

const EngineRates& engine_rates(const Machine& machine, std::string_view engine);
/// The rates are the machine's own, so it has to outlive them.
const EngineRates& engine_rates(const Machine&& machine, std::string_view engine) = delete;

/// Of that engine on a core of the machine.
CoreRates core_rates(const Machine& machine, std::string_view engine);

}  // namespace weft::core
