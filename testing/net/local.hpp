// All ranks in one process: messages wait in mailboxes and arrive in an order drawn by a seed.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "base/topology.hpp"
#include "device/device.hpp"
#include "memory/buffer.hpp"
#include "net/net.hpp"

namespace weft::core {

struct LocalOptions {
    std::uint64_t seed = 0;
    int longest_delay = 3;  ///< a message is seen at the latest at the n-th look after sending
    /// An exchange completes only when its messages have been taken, straight from the sender's
    /// buffer: as if every send blocked, and a buffer overwritten too early shows.
    bool rendezvous = false;
    /// Only so many adjacent ranks reach each other's regions; 0: all of them.
    int ranks_per_node = 0;
    bool exposed_arrays = true;  ///< ranks may read and write each other's arrays
};

/// The mailboxes of `ranks` ranks. Not thread-safe: the ranks take turns.
class LocalWorld {
  public:
    LocalWorld(int ranks, const LocalOptions& options);

    /// One rank's end; the world must outlive it. Work regions lie in the memory of a device that
    /// all ranks share, if there is one.
    std::unique_ptr<Net> net(int rank, Device* device = nullptr);
    [[nodiscard]] const Topology& topology() const { return topology_; }
    /// Messages sent and not yet taken.
    [[nodiscard]] std::size_t undelivered() const { return undelivered_; }

  private:
    friend class LocalChannel;
    friend class LocalNet;
    friend class LocalRegion;
    friend class LocalUse;

    /// One rank's region: its memory, how often it was published, and who has released it up to
    /// which time.
    struct Shared {
        Buffer memory;
        std::unique_ptr<DeviceMemory> on_device{};  ///< instead
        std::byte* array = nullptr;                 ///< instead, if it is an array that is exposed
        Index publications = 0;
        std::map<int, Index> expected;  ///< by user
        std::map<int, Index> released;  ///< by user
        [[nodiscard]] std::byte* begin() const {
            if (on_device != nullptr) return on_device->data();
            return array != nullptr ? array : memory.data();
        }
    };
    using Regions = std::map<std::pair<int, int>, Shared>;  ///< by rank and number

    struct Parcel {
        std::vector<Slice> slices;  ///< of the sender's buffer
        const std::byte* from = nullptr;
        std::vector<std::byte> bytes;  ///< the elements, once they have left the sender
        int delay = 0;
    };
    using Address = std::tuple<int, int, int>;  ///< channel, sender, receiver

    int ranks_;
    LocalOptions options_;
    Topology topology_;
    Random random_;
    std::map<Address, std::deque<Parcel>> mailboxes_;
    Regions regions_;
    Regions arrays_;
    std::size_t undelivered_ = 0;
};

}  // namespace weft::core
