// A fused operation ready to run: engine plans, tiles, and where their lines begin.
#pragma once

#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "fft/engine.hpp"
#include "program/program.hpp"
#include "run/engine_plans.hpp"

namespace weft::core {

/// Some steps of a FusedOp, which one thread does. Running allocates nothing.
class FusedRun {
  public:
    /// `past[b]`: how buffer b lies (past_alignment); with `any_alignment` some may lie otherwise.
    FusedRun(const FusedOp& op, Index first_step, Index end_step, int thread,
             const std::vector<Index>& past, bool any_alignment, EnginePlans& plans);

    /// Where the places of other ranks are; `places[i]` is the memory of place i.
    void connect(const std::vector<std::byte*>& places);
    /// buffers[b] is where buffer b of this rank lies.
    void execute(const std::vector<std::byte*>& buffers);

  private:
    // Offsets include those of the thread's part of scratch memory.
    struct Batch {
        std::shared_ptr<FftPlan> plan{};
        std::size_t from = 0;  ///< the buffer
        std::size_t to = 0;
        // In bytes.
        Index from_offset = 0;
        Index to_offset = 0;
        Index from_step = 0;
        Index to_step = 0;
    };
    struct Tiles {
        TilePlan* plan = nullptr;      ///< null: there are no lines
        std::vector<Index> loops{};    ///< the lanes are the last one
        std::vector<Segments> from{};  ///< in bytes, the lanes' stride is the last one
        std::vector<Segments> to{};
        bool far_from = false;
    };
    using Work = std::variant<Batch, Tiles>;
    /// A place in a buffer of this rank, looked up when the run starts.
    struct OwnPlace {
        std::size_t place = 0;
        std::size_t buffer = 0;
    };

    /// Its elements begin so many bytes after the two buffers do: in the thread's part of them.
    void add(const TransformOp& batch, Index from, Index to, int thread,
             const std::vector<Index>& past, bool any_alignment, EnginePlans& plans);
    /// `scratch`: bytes from where scratch memory begins to the thread's part of it.
    void add(const FusedOp& op, const FusedLines& lines, Index scratch, const FftEngine& engine);
    TilePlan* plan_for(const TileTask& task, const FftEngine& engine);
    static void execute(const Batch& batch, Index step, const std::vector<std::byte*>& buffers);
    void execute(const Tiles& tiles, Index step);
    /// Where the segments of the tile's lines begin.
    template <class Pointer>
    void locate(const std::vector<Segments>& side, const std::vector<Index>& counters,
                std::vector<Pointer>& pointers) const;

    Index first_;
    Index end_;
    std::vector<OwnPlace> own_;
    std::vector<std::byte*> places_;
    std::vector<Work> work_;
    std::vector<std::pair<TileTask, std::unique_ptr<TilePlan>>> plans_;
    std::vector<Index> counters_;
    std::vector<const std::byte*> from_;
    std::vector<const std::byte*> next_;
    std::vector<std::byte*> to_;
};

}  // namespace weft::core
