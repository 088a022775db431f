// Ranks that are threads of one process: messages are copied through mailboxes, regions are memory
// that all threads see, with the counters that processes use.
#pragma once

#include <barrier>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "memory/buffer.hpp"
#include "net/net.hpp"

namespace weft::core::test {

/// What the ranks have in common. It outlives their nets.
class ThreadWorld {
  public:
    explicit ThreadWorld(int ranks);

    /// One rank's end, to be used by one thread.
    std::unique_ptr<Net> net(int rank);

  private:
    friend class ThreadChannel;
    friend class ThreadNet;

    using Bytes = std::vector<std::byte>;
    using Address = std::tuple<int, int, int>;  ///< channel, sender, receiver
    enum class Kind { region, counters_of_array };

    /// Waits until all ranks have called it.
    void meet() { meeting_.arrive_and_wait(); }
    void send(const Address& address, Bytes bytes);
    /// The first message that waits there, if there is one.
    std::optional<Bytes> take(const Address& address);
    /// Memory for a rank, zero, for its region of that number or for the counters of its array.
    void add_memory(Kind kind, int number, int rank, Index bytes);
    /// Where that memory begins, by rank.
    std::vector<std::byte*> memory(Kind kind, int number);
    void add_array(int number, int rank, std::byte* array);
    std::vector<std::byte*> arrays(int number);

    int ranks_;
    std::barrier<> meeting_;
    std::mutex mutex_;  ///< of all below
    std::map<Address, std::deque<Bytes>> mailboxes_;
    std::map<std::tuple<Kind, int, int>, Buffer> memory_;  ///< by kind, number and rank
    std::map<std::pair<int, int>, std::byte*> arrays_;     ///< by number and rank
};

}  // namespace weft::core::test
