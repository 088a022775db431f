// A fused operation as work of a device: the work of many steps at once, in one launch each.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "device/device.hpp"
#include "fft/engine.hpp"
#include "program/program.hpp"
#include "run/engine_plans.hpp"

namespace weft::core {

/// On a CPU a step hands the next thing to do what is in a core's caches, in scratch memory of one
/// step. A device does some steps at once, as many as their scratch memory fits into its cache:
/// scratch memory is its own, of so many steps.
class DeviceFused {
  public:
    /// `past[b]`: how buffer b lies (past_alignment). The device outlives it.
    DeviceFused(const FusedOp& op, const std::vector<Index>& past, bool any_alignment,
                EnginePlans& plans, Device& device);

    /// Where the places of other ranks are, as the device reaches them; places[i] is the memory of
    /// place i.
    void connect(const std::vector<std::byte*>& places) { peers_ = places; }
    /// buffers[b] is where buffer b of this rank lies, as the device reaches it.
    void run(const DeviceView& view, const std::vector<std::byte*>& buffers);

  private:
    // Offsets and steps in bytes.
    struct Batch {
        std::shared_ptr<FftPlan> plan{};
        int from = 0;  ///< the buffer
        int to = 0;
        Index from_offset = 0;
        Index to_offset = 0;
        Index from_step = 0;
        Index to_step = 0;
    };
    struct Lines {
        std::unique_ptr<DeviceLines> lines{};
        std::vector<Index> place_steps{};  ///< by place, from one step to the next
    };
    using Work = std::variant<Batch, Lines>;
    /// Steps that are done at once, `times` times, from step `first` on.
    struct Round {
        Index first = 0;
        Index steps = 0;
        Index times = 0;
        std::vector<Work> work{};
    };

    void clear(Device& device, Index bytes) const;
    void add_round(const FusedOp& op, Index first, Index steps, Index times,
                   const std::vector<Index>& past, bool any_alignment, EnginePlans& plans);
    [[nodiscard]] Batch batch_of(const TransformOp& op, Index steps, const std::vector<Index>& past,
                                 bool any_alignment, EnginePlans& plans) const;
    [[nodiscard]] Lines lines_of(const FusedOp& op, FusedLines lines, Index steps,
                                 const FftEngine& engine) const;
    void run(const DeviceView& view, const Round& round, Index step,
             const std::vector<std::byte*>& buffers);
    [[nodiscard]] std::byte* at(int buffer, const std::vector<std::byte*>& buffers) const {
        return buffer == scratch_buffer_ ? scratch_->data()
                                         : buffers[static_cast<std::size_t>(buffer)];
    }

    std::vector<Place> all_;  ///< the operation's places
    std::vector<std::byte*> peers_;
    int scratch_buffer_ = -1;
    Index scratch_bytes_ = 0;  ///< of a step
    std::unique_ptr<DeviceMemory> scratch_;
    std::vector<Round> rounds_;
    std::vector<std::byte*> places_;
};

}  // namespace weft::core
