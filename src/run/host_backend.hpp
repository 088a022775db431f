// The host as a backend: it does each operation when it is issued.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "base/index.hpp"
#include "net/net.hpp"
#include "run/bound.hpp"
#include "run/engine_plans.hpp"
#include "run/fused.hpp"
#include "run/queue_backend.hpp"

namespace weft::core {

class HostBackend : public QueueBackend {
  public:
    /// As Executor has them. prepare() follows before anything else.
    HostBackend(const Program& program, const Bound& bound, Workers workers, Net& net);
    /// Local, in the same order on all ranks.
    virtual void prepare(const Bound& bound, EnginePlans& plans);

    void connect() override;
    void set_arrays(std::byte* input, std::byte* output) override {
        buffers_.front() = input;
        buffers_[output_] = output;
    }
    bool start() override {
        HostBackend::abandon();
        return true;
    }
    bool issue(std::size_t number, bool block) override;
    [[nodiscard]] bool start_waits(std::size_t number) const override;
    void abandon() override {
        open_.clear();
        assist(false);
    }

  protected:
    struct Exchange {
        std::unique_ptr<Channel> channel{};
        bool by_device = false;              ///< by itself: it fails as the device does
        bool given_up = false;               ///< of this time: it is left out
        bool complete = false;               ///< as a poll has found
        std::vector<std::size_t> arrived{};  ///< receives by turn, of this time
        /// What takes each receive onward; null: nothing is to be copied.
        std::vector<std::unique_ptr<PreparedWork>> hops{};
        std::vector<std::unique_ptr<PreparedWork>> unpacks{};

        std::vector<std::unique_ptr<PreparedWork>>& onward(Purpose purpose) {
            return purpose == Purpose::hop ? hops : unpacks;
        }
    };
    using Buffers = std::vector<std::byte*>;

    // Each makes the work of an operation that computes or copies.
    virtual std::unique_ptr<PreparedWork> copies(const Operation& operation,
                                                 const std::vector<CopyTask>& tasks);
    virtual std::unique_ptr<PreparedWork> hops(const Operation& operation,
                                               const std::vector<CopyTask>& tasks);
    virtual std::unique_ptr<PreparedWork> scaling(const Operation& operation, const ScaleOp& op);
    [[nodiscard]] std::unique_ptr<PreparedWork> converting(const ConvertOp& op) const;
    [[nodiscard]] std::unique_ptr<PreparedWork> clearing(const ClearOp& op) const;
    virtual std::unique_ptr<FusedRun> pass(const FusedOp& op, EnginePlans& plans);
    /// Clears memory that is being bound.
    virtual void clear(std::byte* memory, Index bytes);
    /// Where that buffer is reached by what carries the messages of an exchange.
    [[nodiscard]] virtual std::byte* for_messages(int buffer, const ExchangeTask& /*task*/) const {
        return at(buffer);
    }
    /// Where what works here reaches the memory of another rank.
    [[nodiscard]] virtual std::byte* reached(std::byte* memory) const { return memory; }

    /// Does an operation that computes or copies, on buffers that lie there.
    void compute(std::size_t number, const DeviceView& view, const Buffers& at);
    [[nodiscard]] std::byte* at(int buffer) const { return buffers_[usize(buffer)]; }
    [[nodiscard]] BuffersLie buffers_lie() const { return {past_, any_alignment_}; }
    /// Calls visit(Exchange&) for all exchanges.
    template <class Visit>
    void for_each_exchange(const Visit& visit) {
        for (Prepared& one : prepared_) {
            if (auto* exchange = std::get_if<Exchange>(&one)) visit(*exchange);
        }
    }

    const Program& program_;
    Workers workers_;
    /// The table; the input array is the first buffer, in place it is the output array as well.
    Buffers buffers_;
    std::vector<Exchange*> open_;       ///< started and not finished, the oldest first
    const Exchange* called_ = nullptr;  ///< whose channel was called last

  private:
    /// What computes or copies, between places so many bytes after those of two buffers.
    struct Local {
        std::shared_ptr<PreparedWork> work;  ///< null: nothing, another operation does it
        int from = 0;
        int to = 0;
        Index from_bytes = 0;
        Index to_bytes = 0;
        std::byte* peer = nullptr;  ///< it reads another rank's memory
    };
    /// What an operation needs to run besides what the program says of it. Operations that name
    /// another one, a start or a publication, use what that one has.
    using Prepared = std::variant<std::monostate, Local, std::unique_ptr<FusedRun>, Exchange,
                                  std::unique_ptr<RegionUse>>;

    void place_buffers(const Bound& bound);
    Prepared prepare(std::size_t number, const Bound& bound, EnginePlans& plans);
    [[nodiscard]] Local prepare(const TransformOp& op, EnginePlans& plans) const;
    [[nodiscard]] Exchange prepare(const StartOp& op, bool fixed) const;
    /// What the copy that is operation `first` does: the first one of a run of copies between the
    /// same two buffers does them all, the others nothing.
    [[nodiscard]] std::vector<CopyTask> copies_from(std::size_t first) const;
    /// Local: where the regions of other ranks begin, once all have shared theirs.
    void reach_peers();
    /// Null for a place of this rank.
    [[nodiscard]] std::byte* peer_at(const BufferRef& place) const;

    // Each does that operation; false if it would have to wait and may not block.
    bool take(const StartOp& op, std::size_t number, bool block);
    bool take(const FinishOp& op, std::size_t number, bool block);
    bool take(const ArrivalOp& op, std::size_t number, bool block);
    bool take(const PollOp& op, std::size_t number, bool block);
    bool take(const PublishOp& /*op*/, std::size_t number, bool /*block*/) {
        use(number).publish();
        return true;
    }
    bool take(const AwaitOp& op, std::size_t /*number*/, bool block) {
        return use(op.publish).await(block);
    }
    bool take(const ReleaseOp& op, std::size_t /*number*/, bool /*block*/) {
        use(op.publish).release();
        return true;
    }
    bool take(const ReclaimOp& op, std::size_t /*number*/, bool block) {
        return region(op.region).reclaim(block);
    }

    Channel& channel_of(Exchange& exchange) {
        called_ = &exchange;
        return *exchange.channel;
    }
    void assist(bool assisted) const {
        if (program_.assisted) net_.assist(assisted);
    }
    [[nodiscard]] SharedRegion& region(int buffer) const { return *regions_[usize(buffer)]; }
    Exchange& exchange(std::size_t start) { return std::get<Exchange>(prepared_[start]); }
    RegionUse& use(std::size_t publish) {
        return *std::get<std::unique_ptr<RegionUse>>(prepared_[publish]);
    }

    Net& net_;
    bool any_alignment_ = false;          ///< some arrays are no multiples of the engine's
    std::size_t output_;                  ///< the buffer that is the output array
    std::vector<SharedRegion*> regions_;  ///< of the net, by buffer; null: it is none
    std::vector<Index> past_;  ///< by buffer: bytes past a multiple of the alignment; of arrays 0
    std::vector<Prepared> prepared_;  ///< by operation
};

}  // namespace weft::core
