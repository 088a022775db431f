// The one executor: a program counter over a program's operations, on real buffers.
//
// Steps name buffers by number. One table says where each lies: work buffers and regions where they
// were bound, the caller's arrays where start() says, so one executor runs on any arrays of the
// same layout. Example: start(in, out) sets b0 and b1; a slab transform by packed messages then
// goes b0 -> b4 (transform), b4 -> b3 (pack), b3 -> b2 (exchange), b2 -> b1 (unpack), b1
// (transform).
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "fft/team_engine.hpp"
#include "kernels/copy.hpp"
#include "net/net.hpp"
#include "program/program.hpp"
#include "run/engine_plans.hpp"
#include "run/fused.hpp"
#include "threads/team.hpp"

namespace weft::core {

/// Who shares a rank's local work, and what is too little to be shared.
struct Workers {
    Team& team;
    double least_seconds = TeamEngine::worth_waking;  ///< of a transform
    Index least_bytes = small_bytes;                  ///< of a copy
};

/// A program and where it works.
struct Bound {
    const Program& program;
    std::vector<std::byte*> buffers;     ///< where each lies; arrays may be null until start()
    std::vector<SharedRegion*> regions;  ///< of the net, by buffer; null: it is none
    /// The program runs on no other arrays than those; on all ranks or on none.
    bool fixed = false;
    /// Arrays may not be multiples of the engine's alignment.
    bool any_alignment = false;
};

/// Runs one program on one rank. Everything is prepared in the constructor; running allocates
/// nothing. It stops where it would have to wait, so that ranks of one process can take turns.
class Executor {
  public:
    /// Local; the program's groups have been joined, and all ranks construct their executors in the
    /// same order. Local work is shared out among the team's threads, MPI is called by this one.
    Executor(const Bound& bound, EnginePlans& plans, const Workers& workers, Net& net);

    /// Collective, once, after all ranks have made theirs: connects the channels, and looks up
    /// where other ranks' regions are. Throws on all ranks or none.
    void connect();
    /// Back to the first operation, on the arrays of the last time.
    void start() {
        next_ = 0;
        abandon();
    }
    /// On these: multiples of the engine's alignment, unless it was bound for any alignment, and
    /// those that it was bound to if it is fixed. In place both are the one.
    void start(std::byte* input, std::byte* output) {
        if (input_ != none) buffers_[input_] = input;
        if (output_ != none) buffers_[output_] = output;
        start();
    }
    /// Nobody looks after what is under way any longer.
    void abandon() {
        open_.clear();
        assist(false);
    }
    /// The number of the operation that comes next.
    [[nodiscard]] std::size_t next() const { return next_; }
    [[nodiscard]] bool done() const { return next_ == steps_.size(); }
    /// Whether the next operation, or any, may wait for other ranks even in advance(): it starts an
    /// exchange by a call that waits.
    [[nodiscard]] bool next_waits() const { return start_waits(steps_[next_]); }
    [[nodiscard]] bool any_waits() const;
    /// Does the next operation; false if it has to wait for other ranks.
    bool advance();
    /// Does the next operation, waiting for other ranks if need be.
    void advance_blocking();

  private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    struct Transform {
        std::shared_ptr<FftPlan> plan;  ///< of all equal tasks
        int from = 0;
        int to = 0;
        Index from_bytes = 0;  ///< from where the buffer lies
        Index to_bytes = 0;
    };
    struct CopyStep {
        std::vector<std::vector<Copy>> of_thread;  ///< of one thread, or of each; or none
        Place from{};
        int to = 0;
        const std::byte* region = nullptr;  ///< what `from` is, where it is another rank's
    };
    struct Scale {
        ScaleOp op;
        std::vector<Slice> parts;
    };
    struct Start {
        std::unique_ptr<Channel> channel;
        int from = 0;
        int to = 0;
        bool told_one_by_one = false;  ///< its messages go onward one by one, polls take none
        bool complete = false;         ///< as a poll has found
    };
    struct Poll {};
    struct Publish {
        std::unique_ptr<RegionUse> use;
    };
    struct Await {
        RegionUse* use;
    };
    struct Release {
        RegionUse* use;
    };
    struct Reclaim {
        SharedRegion* region;
    };
    struct Fused {
        FusedOp::Places places;
        std::vector<FusedRun> of_thread;
    };
    struct Finish {
        Start* start;
        std::vector<CopyStep> onward;  ///< by receive
        std::size_t left = 0;          ///< messages not gone onward yet
    };
    using Step = std::variant<Transform, CopyStep, Scale, Fused, Start, Finish, Publish, Await,
                              Release, Reclaim, Poll>;

    /// Local: where the regions of other ranks begin, once all have shared theirs.
    void reach_peers();
    static bool start_waits(const Step& step);
    bool local_work(Step& step);
    void start_exchange(Start& start);
    void poll();
    void assist(bool assisted);
    [[nodiscard]] std::byte* at(int buffer) const {
        return buffers_[static_cast<std::size_t>(buffer)];
    }
    [[nodiscard]] ExchangeBuffers of(const Start& start) const {
        return {at(start.from), at(start.to)};
    }
    [[nodiscard]] SharedRegion& region(int buffer) const {
        return *regions_[static_cast<std::size_t>(buffer)];
    }
    Step transform_step(const TransformOp& op, bool any_alignment, EnginePlans& plans) const;
    Step step_of(const Program& program, std::size_t number, const Bound& bound, EnginePlans& plans,
                 const Workers& workers);
    Step start_step(const StartOp& op, bool fixed) const;
    Step finish_step(const FinishOp& op, const Workers& workers);
    Step fused_step(const FusedOp& op, bool any_alignment, EnginePlans& plans) const;
    [[nodiscard]] bool is_array(int buffer) const {
        const auto b = static_cast<std::size_t>(buffer);
        return b == input_ || b == output_;
    }
    void copy(const CopyStep& step);
    /// Takes messages onward as they arrive, then completes the exchange; false if it would have to
    /// wait and must not.
    bool finish(Finish& finish, bool block);
    /// What has to wait for other ranks; false if it would and must not.
    bool wait_for_others(Step& step, bool block);
    template <class Parts, class Work>
    void for_all(Parts& parts, const Work& work);
    /// All copies from operation `first` on that go between the same two buffers: one step, the
    /// others of them have nothing left to do.
    static std::vector<CopyTask> copies_from(const Program& program, std::size_t first);
    /// The region of another rank; null for a place of this one, or for none.
    [[nodiscard]] std::byte* region_at(const std::optional<Place>& place) const;

    Team& team_;
    Net& net_;
    bool assisted_ = false;            ///< by the net, while exchanges are open
    std::vector<std::byte*> buffers_;  ///< the table
    std::size_t input_ = none;         ///< the buffers of the arrays
    std::size_t output_ = none;
    std::vector<Index> past_;  ///< by buffer: bytes past a multiple of the alignment; of arrays 0
    std::vector<SharedRegion*> regions_;  ///< of the net, by buffer; null: it is none
    std::vector<Step> steps_;
    std::vector<Start*> open_;  ///< started and not finished, the oldest first
    std::size_t next_ = 0;
};

}  // namespace weft::core
