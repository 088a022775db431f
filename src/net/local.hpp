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
#include "memory/buffer.hpp"
#include "net/net.hpp"

namespace weft::core {

struct LocalOptions {
    std::uint64_t seed = 0;
    int longest_delay = 3;  ///< a message is seen at the latest at the n-th look after sending
    /// An exchange completes only when its messages have been taken, straight from the sender's
    /// buffer: as if every send blocked, and a buffer overwritten too early shows.
    bool rendezvous = false;
    /// Only so many adjacent ranks read each other's windows; 0: all of them.
    int ranks_per_node = 0;
    bool shown_arrays = true;  ///< ranks may write to each other's arrays
};

/// The mailboxes of `ranks` ranks. Not thread-safe: the ranks take turns.
class LocalWorld {
  public:
    LocalWorld(int ranks, const LocalOptions& options);

    /// One rank's end; the world must outlive it.
    std::unique_ptr<Net> net(int rank);
    [[nodiscard]] const Topology& topology() const { return topology_; }
    /// Messages sent and not yet taken.
    [[nodiscard]] std::size_t undelivered() const { return undelivered_; }

  private:
    friend class LocalChannel;
    friend class LocalNet;
    friend class LocalWindow;
    friend class LocalReading;

    /// One rank's window: its memory, how often something was posted from it, and who has read what
    /// up to which time.
    struct Shared {
        Buffer memory;
        std::byte* array = nullptr;  ///< instead, if it is an array that is shown
        Index posts = 0;
        std::map<int, Index> expected;  ///< by reader
        std::map<int, Index> read;      ///< by reader
    };

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
    std::map<std::pair<int, int>, Shared> windows_;  ///< by rank and number
    std::size_t undelivered_ = 0;
};

}  // namespace weft::core
