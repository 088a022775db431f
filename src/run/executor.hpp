// The one executor: a program counter over a program's operations, on real buffers.
#pragma once

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "fft/team_engine.hpp"
#include "kernels/copy.hpp"
#include "net/net.hpp"
#include "program/program.hpp"
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
    std::vector<std::byte*> places;  ///< by buffer
    int input_window = -1;           ///< the net's numbers of windows that are arrays
    int output_window = -1;
};

/// Runs one program on one rank. Everything is prepared in the constructor; running allocates
/// nothing. It stops where it would have to wait, so that ranks of one process can take turns.
class Executor {
  public:
    /// Local; the program's groups have been joined, and all ranks construct their executors in the
    /// same order. Local work is shared out among the team's threads, MPI is called by this one.
    Executor(const Bound& bound, const FftEngine& engine, Effort effort, const Workers& workers,
             Net& net);

    /// Collective, once, after all ranks have made theirs: connects the channels, and looks up
    /// where other ranks' windows are. Throws on all ranks or none.
    void connect();
    /// Back to the first operation.
    void start() {
        next_ = 0;
        abandon();
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
    struct Transform {
        std::shared_ptr<FftPlan> plan;  ///< of all equal tasks
        std::byte* from;
        std::byte* to;
    };
    struct CopyStep {
        std::vector<std::vector<Copy>> of_thread;  ///< of one thread, or of each; or none
        const std::byte* from;
        std::byte* to;
        Place source{};  ///< what `from` is, where it is another rank's
    };
    struct Scale {
        ScaleOp op;
        std::vector<Slice> parts;
        const std::byte* from;
        std::byte* to;
    };
    struct Post {
        std::unique_ptr<Channel> channel;
        bool told_one_by_one = false;  ///< its messages go onward one by one, polls take none
        bool complete = false;         ///< as a poll has found
    };
    struct Poll {};
    struct Claim {
        SharedWindow* window;
    };
    struct Release {
        Channel* channel;
    };
    struct Fused {
        std::vector<Place> places;
        std::vector<FusedRun> of_thread;
    };
    struct Drain {
        Post* post;
        std::vector<CopyStep> onward;  ///< by receive
        std::size_t left = 0;          ///< messages not gone onward yet
    };
    using Step = std::variant<Transform, CopyStep, Scale, Post, Drain, Claim, Release, Fused, Poll>;

    /// Local: where the windows of other ranks begin, once all have shared theirs.
    void reach_peers();
    static bool start_waits(const Step& step);
    bool local_work(Step& step);
    void start_exchange(Post& post);
    void poll();
    void assist(bool assisted);
    /// The engine's plan of a task, or that of an equal one at equally aligned places.
    std::shared_ptr<FftPlan> plan(const FftEngine& engine, const FftTask& task, Effort effort,
                                  std::byte* from, std::byte* to);
    void copy(const CopyStep& step);
    /// Takes messages onward as they arrive, then completes the exchange; false if it would have to
    /// wait and must not.
    bool drain(Drain& drain, bool block);
    /// What has to wait for other ranks; false if it would and must not.
    bool wait_for_others(Step& step, bool block);
    template <class Parts, class Work>
    void for_all(Parts& parts, const Work& work);
    /// All copies from operation `first` on that go between the same two buffers: one step, the
    /// others of them have nothing left to do.
    static std::vector<CopyTask> copies_from(const Program& program, std::size_t first);
    /// The memory of places, null for those of other ranks before these have shared.
    [[nodiscard]] std::vector<std::byte*> memory(const std::vector<Place>& places) const;
    void add_fused(const FusedOp& op, const FftEngine& engine, Effort effort);

    Team& team_;
    Net& net_;
    bool assisted_ = false;  ///< by the net, while exchanges are open
    std::vector<std::byte*> buffers_;
    std::vector<int> window_of_;  ///< of the net, by buffer; -1: it is none
    struct KnownPlan {
        FftTask task;
        std::uintptr_t from = 0;  ///< alignment
        std::uintptr_t to = 0;
        std::shared_ptr<FftPlan> plan;
    };
    std::vector<KnownPlan> plans_;  ///< while steps are made
    std::vector<Step> steps_;
    std::vector<Post*> open_;  ///< started and not drained, the oldest first
    std::size_t next_ = 0;
};

}  // namespace weft::core
