// The one executor: a program counter over a program's operations, on real buffers.
//
// With a device the host does the operations that have to do with other ranks, and puts all others
// into the device's queues, which do them later: each after those that Operation::after names.
//
// Operations name buffers by number. One table says where each lies: work buffers and regions where
// they were bound, the caller's arrays where start() says, so one executor runs on any arrays of
// the same layout. Example: start(in, out) sets `in` and `out`; the forward slab transform of
// `weft explain '8x6x4; engine=reference' --ranks 2 --program` then goes in -> work2 (transform),
// work2 -> work1 (pack), work1 -> work0 (exchange), work2 -> out (keep), work0 -> out (unpack),
// out -> out (transform).
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "kernels/copy.hpp"
#include "net/net.hpp"
#include "program/program.hpp"
#include "run/device_fused.hpp"
#include "run/device_work.hpp"
#include "run/engine_plans.hpp"
#include "run/fused.hpp"
#include "threads/team.hpp"

namespace weft::core {

/// The memory that a program works in.
struct Bound {
    std::byte* in = nullptr;  ///< the arrays; null also where each start brings its own
    std::byte* out = nullptr;
    std::byte* workspace = nullptr;
    /// Of a program on a device: its queues, and memory of the host that data is staged in.
    DeviceWork* device = nullptr;
    std::byte* staging = nullptr;
    /// The regions by which the ranks of the node access the arrays; null: they cannot.
    SharedRegion* in_region = nullptr;
    SharedRegion* out_region = nullptr;
    /// No other arrays will be used, as it must be where they are exposed; on all ranks or on none.
    bool fixed = false;
    /// Some arrays that will be used are no multiples of the engine's alignment.
    bool any_alignment = false;

    /// For the program of the other direction.
    [[nodiscard]] Bound reversed() const {
        Bound result = *this;
        std::swap(result.in, result.out);
        std::swap(result.in_region, result.out_region);
        return result;
    }
};

/// Runs one program on one rank. Everything is prepared in the constructor; running allocates
/// nothing. It stops where it would have to wait, so that ranks of one process can take turns.
class Executor {
  public:
    /// Local; the program's groups have been joined and its regions shared, and all ranks construct
    /// their executors in the same order. Local work is shared out among the team's threads, MPI is
    /// called by this one. Program, team and net outlive it. In place both arrays are the one.
    Executor(const Program& program, const Bound& bound, EnginePlans& plans, const Workers& workers,
             Net& net);
    /// Waits for what it has put into the device's queues.
    ~Executor();
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;

    /// Collective, once, after all ranks have made theirs: connects the channels, and looks up
    /// where other ranks' regions are. Throws on all ranks or none.
    void connect();
    /// Back to the first operation, on the arrays of the last time.
    void start() {
        next_ = 0;
        if (!idle_) abandon();
        open_.clear();
        assist(false);
        if (device_ != nullptr) idle_ = told_caller_ = without_device_ = in_exchange_ = false;
    }
    /// On these: multiples of the engine's alignment, unless it was bound for any alignment, and
    /// those that it was bound to if it is fixed.
    void start(std::byte* input, std::byte* output) {
        buffers_.front() = input;
        buffers_[output_] = output;
        start();
    }
    /// Nobody looks after what is under way any longer. What the device's queues were given has
    /// run then: it refers to the caller's arrays.
    void abandon() {
        open_.clear();
        assist(false);
        if (device_ != nullptr) device_->settle();
    }
    /// Once started: on a device it comes after all that the caller has put into its stream.
    void follow_caller() {
        if (device_ != nullptr) device_->follow_caller();
    }
    /// Once started, after advance() has thrown because the device failed: what is left of the
    /// program exchanges with the other ranks as they expect it, and computes nothing, so that none
    /// of them waits for this one. What they are sent means nothing. Exchanges that the device does
    /// by itself are given up. False, and nothing is changed, if another exchange has failed, or it
    /// goes on like that already.
    bool carry_on_without_device();
    /// Those that the device does by itself, since some rank has failed. What was started has run.
    void give_up_device_exchanges();
    /// Whether the host has put all of it into the device's queues. Then another executor may use
    /// these, whose work comes after this one's.
    bool hands_over();
    /// The number of the operation that comes next.
    [[nodiscard]] std::size_t next() const { return next_; }
    [[nodiscard]] bool done() const { return next_ == prepared_.size() && idle_; }
    /// Whether what comes is what was recorded: all operations by one launch.
    [[nodiscard]] bool was_recorded() const { return recorded_ != nullptr; }
    /// Whether the next operation, or any, may wait for other ranks even in advance(): it starts an
    /// exchange by a call that waits.
    [[nodiscard]] bool next_waits() const {
        return next_ < prepared_.size() && start_waits(prepared_[next_]);
    }
    [[nodiscard]] bool any_waits() const;
    /// Does the next operation. Where it has to wait for other ranks it does so if it may block;
    /// otherwise it is still the next one, and false is returned.
    bool advance(bool block = false);

  private:
    struct Transform {
        std::shared_ptr<FftPlan> plan;  ///< of all equal tasks
        Index from_bytes = 0;           ///< from where the buffer lies
        Index to_bytes = 0;
    };
    /// Of one thread, or of each; or none.
    using SharedCopies = std::vector<std::vector<Copy>>;
    /// Takes each receive of an exchange onward: by a kernel of the device, or copies.
    using Onward = std::vector<std::variant<SharedCopies, std::unique_ptr<DeviceKernel>>>;
    struct Exchange {
        std::unique_ptr<Channel> channel{};
        bool by_device = false;              ///< by itself: it fails as the device does
        bool complete = false;               ///< as a poll has found
        std::vector<std::size_t> arrived{};  ///< receives by turn, of this time
        Onward hops{};
        Onward unpacks{};

        Onward& onward(Purpose purpose) { return purpose == Purpose::hop ? hops : unpacks; }
    };
    /// What an operation needs to run besides what the program says of it. Operations that name
    /// another one, a start or a publication, use what that one has.
    using Prepared = std::variant<std::monostate, Transform, SharedCopies, std::vector<Slice>,
                                  std::vector<FusedRun>, Exchange, std::unique_ptr<RegionUse>,
                                  std::unique_ptr<DeviceKernel>, DeviceFused>;

    /// What the device's queue does for an operation, when its turn has come.
    struct Launch {
        Executor* executor;
        std::size_t number;
        void operator()(const DeviceView& view) const { executor->run_on(view, number); }
    };

    /// What the device's queue does where it does what was recorded.
    struct Replay {
        const DeviceKernel* recorded = nullptr;
        void operator()(const DeviceView& view) const { recorded->run(view, nullptr, nullptr); }
    };

    void place_buffers(const Bound& bound);
    void prepare_launches();
    /// Puts all operations into the device's queue at once, as they were recorded when the arrays
    /// were the same before. False if they are not: of other arrays, of several queues.
    bool replay();
    void record();
    /// Puts the next operation into its queue of the device.
    void launch(DeviceQueue& queue, const Operation& operation);
    /// Whether the device has done all of this time; it waits if it may block. The caller's stream
    /// goes on after it.
    bool finish(bool block);
    /// Whether the device has done what the next operation comes after; it waits if it may block.
    bool is_due(bool block);
    /// The host's part of the next operation; false if it would have to wait and may not.
    bool run_here(bool block);
    /// Does an operation as the device reaches its buffers.
    void run_on(const DeviceView& view, std::size_t number);
    /// Where that buffer is reached by what carries the messages of an exchange.
    [[nodiscard]] std::byte* for_messages(int buffer, const ExchangeTask& task) const;
    [[nodiscard]] ExchangeBuffers for_messages(const StartOp& op) const {
        return {for_messages(op.from, op.task), for_messages(op.to, op.task)};
    }
    Prepared prepare(std::size_t number, const Bound& bound, EnginePlans& plans);
    /// What kernels of the device do for that operation; nothing: the host's code does it.
    [[nodiscard]] std::optional<Prepared> prepare_kernel(std::size_t number,
                                                         EnginePlans& plans) const;
    void prepare(const OnwardOp& op, std::size_t number);
    [[nodiscard]] Transform prepare(const TransformOp& op, EnginePlans& plans) const;
    [[nodiscard]] std::vector<FusedRun> prepare(const FusedOp& op, EnginePlans& plans) const;
    [[nodiscard]] SharedCopies shared(const std::vector<CopyTask>& copies) const {
        return shared_copies(copies, workers_.team.size(), workers_.least_bytes);
    }
    /// What the copy that is operation `first` does: the first one of a run of copies between the
    /// same two buffers does them all, the others nothing.
    [[nodiscard]] std::vector<CopyTask> copies_from(std::size_t first) const;
    /// Local: where the regions of other ranks begin, once all have shared theirs.
    void reach_peers();

    // Each does that operation, on buffers that lie there.
    void run(const TransformOp& op, std::size_t number, const std::vector<std::byte*>& at);
    void run(const CopyOp& op, std::size_t number, const std::vector<std::byte*>& at);
    void run(const ScaleOp& op, std::size_t number, const std::vector<std::byte*>& at);
    void run(const FusedOp& op, std::size_t number, const std::vector<std::byte*>& at);
    void run(const HopOp& op, std::size_t number, const std::vector<std::byte*>& at);
    void run(const OnwardOp& op, std::size_t number, const std::vector<std::byte*>& at);
    /// What a copy reads, which is operation `number`.
    [[nodiscard]] const std::byte* source(const CopyOp& op, std::size_t number,
                                          const std::vector<std::byte*>& at) const {
        if (peers_[number] != nullptr) return peers_[number];
        return at[static_cast<std::size_t>(op.from.buffer)];
    }
    /// Any other operation reads a buffer of this rank.
    template <class Op>
    [[nodiscard]] const std::byte* source(const Op& op, std::size_t /*number*/,
                                          const std::vector<std::byte*>& at) const {
        if constexpr (requires { static_cast<std::size_t>(op.from); }) {
            return at[static_cast<std::size_t>(op.from)];
        }
        return nullptr;
    }
    // As work of the device, whose kernel it may be.
    void run_on(const DeviceView& view, const TransformOp& op, std::size_t number,
                const std::vector<std::byte*>& at);
    void run_on(const DeviceView& view, const OnwardOp& op, std::size_t number,
                const std::vector<std::byte*>& at);
    template <class Op>
    void run_on(const DeviceView& view, const Op& op, std::size_t number,
                const std::vector<std::byte*>& at);
    /// Calls the channel of an exchange.
    template <class Call>
    auto through(Exchange& exchange, const Call& call) {
        in_exchange_ = !exchange.by_device;
        return call(*exchange.channel);
    }
    /// Whether it is left out, since there is no device any more.
    [[nodiscard]] bool is_given_up(const Exchange& exchange) const {
        return exchange.by_device && without_device_;
    }
    // Each does the next operation.
    void run(const StartOp& op);
    void run(const PublishOp& /*op*/) { use(next_).publish(); }
    void run(const ReleaseOp& op) { use(op.publish).release(); }
    void run(const PollOp& op);
    // Those that wait: false if they would have to and may not block.
    bool run(const FinishOp& op, bool block);
    bool run(const ArrivalOp& op, bool block);
    bool run(const AwaitOp& op, bool block) { return use(op.publish).await(block); }
    bool run(const ReclaimOp& op, bool block) { return region(op.region).reclaim(block); }

    void copy(const SharedCopies& copies, const std::byte* from, std::byte* to);
    template <class Parts, class Work>
    void for_all(Parts& parts, const Work& work);
    static bool start_waits(const Prepared& prepared);
    void assist(bool assisted) {
        if (program_.assisted) net_.assist(assisted);
    }

    [[nodiscard]] std::byte* at(int buffer) const {
        return buffers_[static_cast<std::size_t>(buffer)];
    }
    [[nodiscard]] SharedRegion& region(int buffer) const {
        return *regions_[static_cast<std::size_t>(buffer)];
    }
    /// The memory of another rank, where what works here reaches it; null for a place of this one.
    [[nodiscard]] std::byte* peer_at(const Place& place) const;
    /// What was prepared for that operation.
    template <class Kind>
    Kind& prepared(std::size_t number) {
        return std::get<Kind>(prepared_[number]);
    }
    Exchange& exchange(std::size_t start) { return std::get<Exchange>(prepared_[start]); }
    /// What takes onward what arrived at that operation's turn.
    Onward::value_type& onward(const OnwardOp& op, std::size_t number) {
        Exchange& exchange = this->exchange(op.start);
        return exchange.onward(program_.operations[number].purpose)[exchange.arrived[op.turn]];
    }
    RegionUse& use(std::size_t publish) {
        return *std::get<std::unique_ptr<RegionUse>>(prepared_[publish]);
    }

    const Program& program_;
    Workers workers_;
    Net& net_;
    bool any_alignment_ = false;  ///< some arrays are no multiples of the engine's
    /// The table; the input array is the first buffer, in place it is the output array as well.
    std::vector<std::byte*> buffers_;
    std::size_t output_;                  ///< the buffer that is the output array
    std::vector<SharedRegion*> regions_;  ///< of the net, by buffer; null: it is none
    std::vector<Index> past_;  ///< by buffer: bytes past a multiple of the alignment; of arrays 0
    std::vector<Prepared> prepared_;  ///< by operation
    /// By operation: what a copy reads, where it is another rank's.
    std::vector<const std::byte*> peers_;
    std::vector<Exchange*> open_;  ///< started and not finished, the oldest first
    std::size_t next_ = 0;
    // With a device only.
    DeviceWork* device_ = nullptr;
    std::vector<Launch> launches_;                         ///< by operation
    std::vector<DeviceQueue::Ticket> tickets_;             ///< by operation, of this time
    std::array<std::vector<std::byte*>, queues> reached_;  ///< the table, by queue
    bool repeats_ = false;  ///< all operations are of one queue, and the device may record them
    Replay replay_;
    std::unique_ptr<DeviceKernel> recorded_;   ///< null: nothing yet
    std::vector<std::byte*> recorded_arrays_;  ///< the table then, or of the last time
    bool idle_ = true;                         ///< the device has done all of this time
    bool told_caller_ = false;                 ///< the caller's stream comes after all of this time
    bool in_exchange_ = false;                 ///< an operation of the host has not come back
    bool without_device_ = false;              ///< of this time: it has failed
    /// By buffer, in the place of the device's once that has failed: what messages are handed.
    std::vector<std::vector<std::byte>> stand_ins_;
    /// The host's first operation comes after one of the device, and so do all of the host's.
    bool host_waits_ = false;
};

}  // namespace weft::core
