// How ranks exchange data: one interface, over MPI and inside one process.
#pragma once

#include <cstddef>
#include <memory>

#include "base/work.hpp"

namespace weft::core {

/// One prepared exchange between two buffers of this rank and those of its peers. It can be used
/// again and again; starting allocates nothing.
class Channel {
  public:
    Channel() = default;
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;
    virtual ~Channel() = default;

    /// Collective over the group, in the order in which channels were opened, once all ranks have
    /// opened theirs: what a transport has to agree on with its peers.
    virtual void connect() {}
    virtual void start() = 0;
    /// Whether the exchange that was started last is complete; helps it along.
    virtual bool test() = 0;
    virtual void wait() = 0;
    /// Of a task that asks for arrivals, called before `wait`: the number of a receive that is
    /// complete and was not told before; none left or, unless it may block, none yet: -1.
    virtual int arrival(bool /*block*/) { return -1; }
};

/// One rank's end of a network.
class Net {
  public:
    Net() = default;
    Net(const Net&) = delete;
    Net& operator=(const Net&) = delete;
    virtual ~Net() = default;

    [[nodiscard]] virtual int rank() const = 0;
    [[nodiscard]] virtual int ranks() const = 0;
    /// Collective over all ranks, in the same order on each: makes what groups need.
    virtual void join(const Group& group) = 0;
    /// Local; the task's group has been joined. All ranks open the same exchanges in one order.
    virtual std::unique_ptr<Channel> open(const ExchangeTask& task, const std::byte* from,
                                          std::byte* to) = 0;
};

}  // namespace weft::core
