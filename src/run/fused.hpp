// A fused operation ready to run: engine plans, tiles, and where their lines begin.
//
// A thread of the host does one step after the other, and hands the next thing to do what is in a
// core's caches, in its part of scratch memory. A device does some steps at once, in one launch for
// each thing to do: as many as their scratch memory, its own, fits into its cache. Example: 10 steps,
// of which 4 fit, are a round of 4 steps done twice, and one of 2 steps.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "base/index.hpp"
#include "fft/engine.hpp"
#include "program/program.hpp"
#include "run/engine_plans.hpp"
#include "run/fused_copies.hpp"
#include "run/shared_work.hpp"

namespace weft::core {

/// How buffers lie (past_alignment), by number; with `any_alignment` arrays may lie otherwise.
struct BuffersLie {
    const std::vector<Index>& past;
    bool any_alignment = false;
};

/// Some steps of a FusedOp, by one thread or by a device. Running allocates nothing.
class FusedSteps {
  public:
    FusedSteps(const FusedOp& op, Index first, Index end, int thread, const BuffersLie& lie,
               EnginePlans& plans);
    /// All steps, by kernels of the device, which outlives this.
    FusedSteps(const FusedOp& op, const BuffersLie& lie, EnginePlans& plans, Device& device);

    /// Where the places of other ranks are; places[i] is the memory of place i.
    void connect(const std::vector<std::byte*>& places) { places_ = places; }
    /// buffers[b] is where buffer b of this rank lies.
    void run(const DeviceView& view, std::span<std::byte* const> buffers);

  private:
    // Offsets and steps are in bytes. Those of the host include the thread's part of scratch memory.
    struct Batch {
        std::shared_ptr<FftPlan> plan{};
        int from = 0;  ///< the buffer
        int to = 0;
        Index from_offset = 0;
        Index to_offset = 0;
        Index from_step = 0;
        Index to_step = 0;
    };
    struct Tiles {
        TilePlan* plan = nullptr;      ///< null: there are no lines
        std::vector<Index> loops{};    ///< the lanes are the last one
        std::vector<Segments> from{};  ///< the lanes' stride is the last one
        std::vector<Segments> to{};
        bool far_from = false;
    };
    struct DeviceLines {
        std::unique_ptr<PreparedWork> kernel{};
        std::vector<Index> place_steps{};  ///< by place, from one step to the next
    };
    using Work = std::variant<Batch, Tiles, DeviceLines, StepCopy, StepClear>;
    /// `steps` at once, `times` times, from step `first` on.
    struct Round {
        Index first = 0;
        Index steps = 0;
        Index times = 0;
        std::vector<Work> work{};
    };
    /// A place in a buffer of this rank, looked up when the run starts.
    struct OwnPlace {
        std::size_t place = 0;
        int buffer = 0;
    };

    explicit FusedSteps(const FusedOp& op);
    void add_round(const FusedOp& op, Round round, const BuffersLie& lie, EnginePlans& plans);
    [[nodiscard]] Batch batch_of(const TransformOp& op, const Round& round, const BuffersLie& lie,
                                 EnginePlans& plans) const;
    [[nodiscard]] Tiles tiles_of(const FusedOp& op, const FusedLines& lines,
                                 const FftEngine& engine);
    [[nodiscard]] DeviceLines device_lines_of(const FusedOp& op, FusedLines lines, Index steps,
                                              const FftEngine& engine) const;
    TilePlan* plan_for(const TileTask& task, const FftEngine& engine);
    void take_scratch(Device& device, Index bytes);
    void run(const Tiles& tiles, Index step);
    void run(const DeviceView& view, const DeviceLines& lines, Index step);
    void run(const DeviceView& view, const Batch& batch, Index step,
             std::span<std::byte* const> buffers) const;
    /// Where the segments of the tile's lines begin.
    template <class Pointer>
    void locate(const std::vector<Segments>& side, const std::vector<Index>& counters,
                std::vector<Pointer>& pointers) const;
    /// Where the scratch memory of the thread begins, in bytes.
    [[nodiscard]] Index scratch_begin() const { return thread_.value_or(0) * scratch_bytes_; }
    [[nodiscard]] bool in_own_scratch(int buffer) const {
        return scratch_ != nullptr && buffer == scratch_buffer_;
    }
    [[nodiscard]] std::byte* at(int buffer, std::span<std::byte* const> buffers) const {
        return in_own_scratch(buffer) ? scratch_->data() : buffers[usize(buffer)];
    }

    bool on_device_ = false;
    int scratch_buffer_ = -1;
    Index scratch_bytes_ = 0;                ///< of a step
    std::unique_ptr<DeviceMemory> scratch_;  ///< of a device's steps
    std::optional<int> thread_;              ///< of the host
    Index end_ = 0;
    std::vector<OwnPlace> own_;
    std::vector<std::byte*> places_;
    std::vector<std::byte*> moved_;  ///< the places at a step
    std::vector<Round> rounds_;
    std::vector<std::pair<TileTask, std::unique_ptr<TilePlan>>> plans_;
    std::vector<Index> counters_;
    std::vector<const std::byte*> from_;
    std::vector<const std::byte*> next_;
    std::vector<std::byte*> to_;
};

/// All steps of a FusedOp; its places are the program's buffers.
class FusedRun final : public PreparedWork {
  public:
    /// Shared out among the threads.
    FusedRun(const FusedOp& op, const BuffersLie& lie, EnginePlans& plans, Team& team);
    FusedRun(const FusedOp& op, const BuffersLie& lie, EnginePlans& plans, Team& team,
             Device& device)
        : team_(team) {
        parts_.emplace_back(op, lie, plans, device);
    }
    /// As FusedSteps::connect().
    void connect(const std::vector<std::byte*>& places) {
        for (FusedSteps& part : parts_) part.connect(places);
    }
    void run(const DeviceView& view, std::span<std::byte* const> buffers) override {
        for_all(team_, parts_, [&](FusedSteps& part) { part.run(view, buffers); });
    }

  private:
    Team& team_;
    std::vector<FusedSteps> parts_;
};

}  // namespace weft::core
