// A fused operation ready to run: engine plans, tiles, and where their lines begin.
#pragma once

#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "fft/engine.hpp"
#include "program/program.hpp"

namespace weft::core {

/// Some steps of a FusedOp, which one thread does. Running allocates nothing.
class FusedRun {
  public:
    /// `places[i]` is the memory of place i, null if it is not known yet; `scratch` that of this
    /// thread.
    FusedRun(const FusedOp& op, Index first_step, Index end_step, std::vector<std::byte*> places,
             std::byte* scratch, const FftEngine& engine, Effort effort);

    /// Where the places are that were not known.
    void connect(const std::vector<std::byte*>& places);
    void execute();

  private:
    struct Batch {
        FftTask task;
        std::unique_ptr<FftPlan> plan;
        int from = 0;
        int to = 0;
        Index from_step = 0;  ///< in bytes
        Index to_step = 0;
    };
    /// One part of lines: where the first line's begins, and how far apart lines are, in bytes.
    struct Part {
        int place = 0;
        Index offset = 0;
        std::vector<Index> strides;
    };
    struct Tiles {
        TilePlan* plan = nullptr;  ///< null: there are no lines
        std::vector<Index> loops;
        std::vector<Part> from;
        std::vector<Part> to;
        bool far = false;
    };
    using Work = std::variant<Batch, Tiles>;

    void add(const FusedBatch& batch, const FftEngine& engine, Effort effort);
    void add(const PartsTask& task, const FftEngine& engine);
    TilePlan* plan_for(const PartsTask& task, const FftEngine& engine);
    void execute(const Batch& batch, Index step) const;
    void execute(const Tiles& tiles, Index step);
    /// Where the parts of the tile's lines begin.
    template <class Pointer>
    void locate(const std::vector<Part>& parts, const std::vector<Index>& counters,
                std::vector<Pointer>& pointers) const;

    Index first_;
    Index end_;
    int scratch_place_;
    std::vector<std::byte*> places_;
    std::vector<Work> work_;
    std::vector<std::pair<TileTask, std::unique_ptr<TilePlan>>> plans_;
    std::vector<Index> counters_;
    std::vector<const std::byte*> from_;
    std::vector<const std::byte*> next_;
    std::vector<std::byte*> to_;
};

}  // namespace weft::core
