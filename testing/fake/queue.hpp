// A queue of a fake device: a thread that runs what is in its lane.
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "base/random.hpp"
#include "testing/fake/arena.hpp"
#include "testing/fake/fake.hpp"
#include "testing/fake/lane.hpp"
#include "testing/fake/trap.hpp"

namespace weft::core {

/// What all queues of a fake device share.
struct FakeShared {
    explicit FakeShared(const FakeOptions& chosen)
        : options(chosen),
          arena(chosen.room),
          lost_after(chosen.lost_after == 0 ? never : chosen.lost_after) {}

    static constexpr int never = -1;

    FakeOptions options;
    FakeArena arena;
    std::atomic<int> launches = 0;  ///< copies among them
    std::atomic<int> lost_after;    ///< launches; never: it stays
    std::atomic<bool> lost = false;
    std::atomic<std::uint64_t> queues = 0;  ///< that were made
    std::mutex mutex;
    std::set<const void*> streams;  ///< the queues that there are, as their callers know them
};

class FakeQueue final : public DeviceQueue, private DeviceView {
  public:
    /// `number`: 1, 2, ... on its device.
    FakeQueue(FakeShared& shared, std::uint64_t number, std::string name);
    ~FakeQueue() override;

    Ticket launch(Work work, std::string_view step) override;
    Ticket copy(const std::byte* from, std::byte* to, Index bytes, std::string_view step) override;
    void wait_for(DeviceQueue& other, Ticket ticket) override;
    bool done(Ticket ticket) override;
    void wait(Ticket ticket) override;
    [[nodiscard]] Ticket last() const override { return lane_->last(); }

  private:
    [[nodiscard]] std::byte* reach(std::byte* address) const override {
        return shared_.arena.reach(address);
    }
    Ticket put(FakeLane::Item item);
    void check_given_out(Ticket ticket) const;
    void throw_what_failed(Ticket ticket);

    void enlist();
    void delist();
    void serve();
    void run(const FakeLane::Item& item);
    void run(const FakeLane::Copy& copy);
    void delay();

    FakeShared& shared_;
    std::string name_;
    QueueLabel label_;
    bool at_once_;  ///< work has run when it has been put in
    std::shared_ptr<FakeLane> lane_;
    Random random_;             ///< the thread's
    std::exception_ptr error_;  ///< the thread's: the first one
    std::thread thread_;
};

}  // namespace weft::core
