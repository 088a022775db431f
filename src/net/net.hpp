// How ranks exchange data: one interface, over MPI and inside one process.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "base/function_ref.hpp"
#include "base/no_copy.hpp"
#include "base/work.hpp"
#include "net/shared_region.hpp"

namespace weft::core {

/// The buffers of this rank that an exchange sends from and receives into.
struct ExchangeBuffers {
    const std::byte* from = nullptr;
    std::byte* to = nullptr;
};

/// One prepared exchange between two buffers of this rank and those of its peers. It can be used
/// again and again; starting allocates nothing.
class Channel : NoCopy {
  public:
    virtual ~Channel() = default;

    /// Collective over the group, in the order in which channels were opened, once all ranks have
    /// opened theirs: what a transport has to agree on with its peers. Throws on all ranks of the
    /// net or none.
    virtual void connect() {}
    /// `buffers` belong to the exchange until it is complete. If the channel was opened with fixed
    /// buffers they are those.
    virtual void start(const ExchangeBuffers& buffers) = 0;
    /// Whether start() may wait until peers start the same exchange. Such a start is entered by all
    /// ranks in one order only (run/in_flight.hpp).
    [[nodiscard]] virtual bool start_waits() const { return false; }
    /// Whether the exchange that was started last is complete; helps it along.
    virtual bool test() = 0;
    virtual void wait() = 0;
    /// Index of a receive newly completed since the last call; none if all were reported or, when
    /// `block` is false, if none is ready. For tasks with `on_arrival`, called before wait().
    virtual std::optional<std::size_t> arrival(bool /*block*/) { return {}; }
    /// Of exchanges that the device does by itself, after a failure here or on another rank: aborts
    /// all exchanges in flight and notifies the peers that are still reachable. Starting an exchange
    /// throws from then on.
    virtual void give_up() {}
};

/// One rank's end of a network.
class Net : NoCopy {
  public:
    virtual ~Net() = default;

    [[nodiscard]] virtual int rank() const = 0;
    [[nodiscard]] virtual int ranks() const = 0;
    /// Collective over all ranks, in the same order on each: makes what groups need.
    virtual void join(const Group& group) = 0;
    /// Collective over all ranks: as many work regions as there are sizes, on every rank as many.
    /// They go with the net. Throws on all ranks if there is no memory for them on one.
    virtual void share(const std::vector<Index>& bytes) = 0;
    /// One of those.
    virtual SharedRegion& region(int number) = 0;
    /// Collective over all ranks, in one order: exposes an array of each rank, of so many bytes, to
    /// the ranks of its node. Null on all ranks if those of some node cannot reach each other's. It
    /// goes with the net, and the array must stay as long.
    virtual SharedRegion* expose(std::byte* /*array*/, Index /*bytes*/) { return nullptr; }
    /// Local; the task's group has been joined. `fixed`: the only buffers that the channel will be
    /// started with, given on all ranks or on none; without them every start may bring others. All
    /// ranks open the same exchanges in one order.
    virtual std::unique_ptr<Channel> open(const ExchangeTask& task,
                                          const std::optional<ExchangeBuffers>& fixed) = 0;
    /// Collective over all ranks: runs `work`, which communicates with nobody, and throws on all
    /// ranks if it throws on one.
    virtual void all_or_none(FunctionRef<void()> work) { work(); }
    /// Whether another thread looks after exchanges that are under way, from now on. The first call
    /// makes the thread.
    virtual void assist(bool /*assisted*/) {}
};

}  // namespace weft::core
