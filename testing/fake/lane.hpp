// What is in a queue of a fake device, and how far its thread has come.
//
// Others may hold a lane longer than its queue lives, because they wait for tickets of it; by then
// all of them have run. Items in a queue in which a copy was put after a wait for ticket 7 of
// another queue, when 3 tickets were given out before:
//
//     Wait(other, 7) at ticket 4      a wait has the ticket of what comes after it
//     Copy           at ticket 4
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "device/device.hpp"

namespace weft::core {

class FakeLane {
  public:
    using Ticket = DeviceQueue::Ticket;

    struct Launch {
        DeviceQueue::Work work;
    };
    struct Copy {
        const std::byte* from = nullptr;
        std::byte* to = nullptr;
        Index bytes = 0;
    };
    struct Wait {
        std::shared_ptr<FakeLane> other;
        Ticket ticket = 0;
    };
    struct Item {
        std::variant<std::monostate, Launch, Copy, Wait> what;
        std::string_view step;
        bool lost = false;  ///< the device is lost before it runs
        Ticket ticket = 0;
    };

    /// `late`: items run only up to the ticket that somebody has waited for.
    explicit FakeLane(bool late) : may_run_(late ? 0 : ~Ticket{0}) {}

    /// Gives the item its ticket, a new one unless it is a wait.
    Ticket put(Item item);
    /// The next item; blocks until there is one that may run. Nothing after `stop`, once all have
    /// run.
    std::optional<Item> take();
    void stop();

    /// The ticket and all before it have run. The first error that is not null sticks.
    void complete(Ticket ticket, const std::exception_ptr& error);

    /// Lets work run up to this ticket, and says whether it has.
    bool has_run(Ticket ticket);
    /// Lets work run up to this ticket, and blocks until it has.
    void wait_until_run(Ticket ticket);
    /// The error of what was put in up to this ticket; null if there is none.
    std::exception_ptr error(Ticket ticket);
    [[nodiscard]] Ticket last() const;

  private:
    void let_run(Ticket ticket);
    [[nodiscard]] bool may_take() const;
    void grow();

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Item> ring_;  ///< items first_ .. first_ + count_ - 1, modulo its size
    std::size_t first_ = 0;
    std::size_t count_ = 0;
    Ticket last_ = 0;
    Ticket may_run_;
    Ticket run_ = 0;
    Ticket failed_ = 0;  ///< the first ticket of error_
    std::exception_ptr error_;
    bool stopping_ = false;
};

}  // namespace weft::core
