// A rank on the clock, as the executor's backend: operations take time, and what has to do with
// other ranks asks the clock.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "clock/script.hpp"
#include "run/queue_backend.hpp"

namespace weft::core {

class Clock;

class ClockBackend final : public QueueBackend {
  public:
    ClockBackend(Clock& clock, int one, const Script& script);

    bool start() override { return ended_.empty(); }
    bool issue(std::size_t number, bool block) override;
    [[nodiscard]] bool keeps_order(Queue queue) const override {
        return !script_.program.on_device || queue != Queue::exchange;
    }
    [[nodiscard]] bool done(std::size_t number) override;
    bool finish(bool block) override;

    double now = 0;  ///< of the rank's processor
    /// When it can go on, if it has to wait and that is known.
    std::optional<double> wake{};
    bool in_mpi = false;  ///< it waits within a call of MPI

  private:
    bool take(const StartOp& op, std::size_t number);
    bool take(const FinishOp& op, std::size_t number);
    bool take(const ArrivalOp& op, std::size_t number);
    bool take(const PollOp& op, std::size_t number);
    bool take(const PublishOp& op, std::size_t number);
    bool take(const AwaitOp& op, std::size_t number);
    bool take(const ReleaseOp& op, std::size_t number);
    bool take(const ReclaimOp& op, std::size_t number);
    /// Whether that time has come; otherwise it is when the rank goes on.
    bool reached(double at);
    bool exchanged(std::size_t start);
    /// Those of a use of a region that it is published to, or released by.
    void tell_all(const Parts<int>& peers, std::uint32_t use, bool released);

    Clock& clock_;
    int one_;
    const Script& script_;
    std::array<double, queues> free_ = {};  ///< when each queue of a device is
    std::vector<double> ended_;             ///< on a device: when operations have
};

}  // namespace weft::core
