// A device as a backend: the host does the operations that have to do with other ranks, and puts
// all others into the device's queues, which do them later.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "run/host_backend.hpp"

namespace weft::core {

class DeviceBackend final : public HostBackend {
  public:
    /// bound.device is there.
    DeviceBackend(const Program& program, const Bound& bound, const Workers& workers, Net& net)
        : HostBackend(program, bound, workers, net), device_(*bound.device) {}
    ~DeviceBackend() override { device_.settle(); }

    void prepare(const Bound& bound, EnginePlans& plans) override;
    bool start() override;
    bool issue(std::size_t number, bool block) override;
    /// As the operations were recorded when the arrays were the same before.
    bool issue_all() override;
    [[nodiscard]] bool keeps_order(Queue queue) const override {
        return lost_ || queue != Queue::exchange;
    }
    [[nodiscard]] bool done(std::size_t number) override;
    void wait(std::size_t number) override;
    bool finish(bool block) override;
    void abandon() override {
        HostBackend::abandon();
        device_.settle();
    }
    void follow_caller() override { device_.follow_caller(); }
    bool hands_over() override;
    bool carry_on_without_device() override;
    void give_up_device_exchanges() override;
    /// Whether this run replays a recorded graph in a single launch.
    [[nodiscard]] bool was_recorded() const { return recorded_ != nullptr; }

  private:
    /// What a queue does for an operation, when its turn has come.
    struct Launch {
        DeviceBackend* backend;
        std::size_t number;
        void operator()(const DeviceView& view) const { backend->run_on(view, number); }
    };
    /// What it does where it does what was recorded.
    struct Replay {
        PreparedWork* recorded = nullptr;
        void operator()(const DeviceView& view) const { recorded->run(view, {}); }
    };

    void record();
    /// Does an operation as the device reaches its buffers.
    void run_on(const DeviceView& view, std::size_t number);
    [[nodiscard]] DeviceQueue* queue_of(std::size_t number) const {
        return device_.queue(program_.operations[number].queue);
    }

    std::unique_ptr<PreparedWork> copies(const Operation& operation,
                                         const std::vector<CopyTask>& tasks) override;
    std::unique_ptr<PreparedWork> hops(const Operation& operation,
                                       const std::vector<CopyTask>& tasks) override;
    std::unique_ptr<PreparedWork> scaling(const Operation& operation, const ScaleOp& op) override;
    std::unique_ptr<FusedRun> pass(const FusedOp& op, EnginePlans& plans) override;
    void clear(std::byte* memory, Index bytes) override;
    [[nodiscard]] std::byte* for_messages(int buffer, const ExchangeTask& task) const override;
    [[nodiscard]] std::byte* reached(std::byte* memory) const override;

    DeviceWork& device_;
    std::vector<Launch> launches_;              ///< by operation
    std::vector<DeviceQueue::Ticket> tickets_;  ///< by operation, of this time
    std::array<Buffers, queues> reached_;       ///< the table, by queue
    bool repeats_ = false;  ///< all operations are of one queue, and the device may record them
    Replay replay_;
    std::unique_ptr<PreparedWork> recorded_;  ///< null: nothing yet
    Buffers recorded_arrays_;                 ///< the table then, or of the last time
    bool told_caller_ = false;                ///< the caller's stream comes after all of this time
    bool in_host_ = false;                    ///< an operation of the host has not come back
    bool lost_ = false;                       ///< of this time: the device has failed
    /// By buffer, in the place of the device's once that has failed: what messages are handed.
    std::vector<std::vector<std::byte>> stand_ins_;
    /// The host's first operation comes after one of the device, and so do all of the host's.
    bool host_waits_ = false;
};

/// Of the device that is bound, or of the host.
std::unique_ptr<QueueBackend> make_backend(const Program& program, const Bound& bound,
                                           EnginePlans& plans, const Workers& workers, Net& net);

}  // namespace weft::core
