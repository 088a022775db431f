#include "program/passes/predecessors.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace weft::core {

namespace {

/// The last of some steps on each queue, as places in the order.
struct Last {
    std::array<std::optional<std::size_t>, queues> on{};

    std::optional<std::size_t>& operator[](Queue queue) {
        return on[static_cast<std::size_t>(queue)];
    }
};

/// What uses a buffer: a value; or nothing but what other ranks do there.
using User = std::optional<ValueId>;

/// The last uses of a buffer on one queue: the last one, and the last one by another user.
struct Uses {
    User user{};
    std::optional<std::size_t> last{};
    std::optional<std::size_t> by_another{};

    void add(const User& who, std::size_t place) {
        if (last && user != who) by_another = last;
        user = who;
        last = place;
    }
    [[nodiscard]] std::optional<std::size_t> but_for(const User& who) const {
        return last && user == who ? by_another : last;
    }
};

class Predecessors {
  public:
    Predecessors(Draft& draft, const std::vector<int>& buffer_of)
        : draft_(draft), buffer_of_(buffer_of), written_(draft.values.size()) {
        const int buffers =
            buffer_of.empty() ? 0 : *std::max_element(buffer_of.begin(), buffer_of.end()) + 1;
        used_.resize(static_cast<std::size_t>(buffers));
        awaited_.resize(used_.size());
        reached_.resize(used_.size());
    }

    void run() {
        for (place_ = 0; place_ < draft_.order.size(); ++place_) {
            Operation& step = draft_.steps[draft_.order[place_]];
            queue_ = queue_of(step);
            after_.reset();
            std::visit([this](const auto& op) { use(op); }, step.what);
            // Where a step before it on its queue came after that, it does as well.
            if (!after_ || after_ <= known_[queue_]) continue;
            known_[queue_] = after_;
            step.after = draft_.order[*after_];
        }
    }

  private:
    [[nodiscard]] std::size_t buffer(ValueId value) const {
        return static_cast<std::size_t>(buffer_of_[static_cast<std::size_t>(value)]);
    }
    void come_after(const std::optional<std::size_t>& place) {
        if (place && (!after_ || *place > *after_)) after_ = place;
    }
    [[nodiscard]] Queue other() const {
        return queue_ == Queue::work ? Queue::exchange : Queue::work;
    }
    std::array<Uses, queues>& used(ValueId value) { return used_[buffer(value)]; }
    Uses& used_on(ValueId value, Queue queue) {
        return used(value)[static_cast<std::size_t>(queue)];
    }

    void read(ValueId value) {
        come_after(written_[static_cast<std::size_t>(value)][other()]);
        used_on(value, queue_).add(value, place_);
    }
    /// By `user`: the value itself, or other ranks.
    void write(ValueId value, const User& user) {
        come_after(used_on(value, other()).but_for(user));
        used_on(value, queue_).add(user, place_);
        written_[static_cast<std::size_t>(value)][queue_] = place_;
    }
    void write(ValueId value) { write(value, value); }
    void read_and_write(ValueId value) {
        read(value);
        write(value);
    }
    /// Memory of other ranks, as their buffer of this name.
    void reach(ValueId value) {
        come_after(awaited_[buffer(value)]);
        reached_[buffer(value)] = place_;
    }
    [[nodiscard]] ValueId region(StepId publish) const {
        return std::get<PublishOp>(draft_.steps[publish].what).region;
    }

    void use(const TransformOp& op) {
        read(op.from);
        write(op.to);
    }
    void use(const CopyOp& op) {
        op.from.rank ? reach(op.from.buffer) : read(op.from.buffer);
        write(op.to);
    }
    void use(const ScaleOp& op) {
        read(op.from);
        write(op.to);
    }
    void use(const FusedOp& op) {
        for (const std::optional<Place>& place : op.places) {
            if (place) place->rank ? reach(place->buffer) : read_and_write(place->buffer);
        }
    }
    void use(const StartOp& op) {
        read(op.from);
        write(op.to);
    }
    void use(const FinishOp& op) {
        use(std::get<StartOp>(draft_.steps[op.start].what));
        if (op.onward.empty()) return;
        read(op.from);
        write(op.to);
    }
    void use(const PublishOp& op) {
        read(op.region);
        if (op.task.access == RegionAccess::write) write(op.region, {});
    }
    void use(const AwaitOp& op) { awaited_[buffer(region(op.publish))] = place_; }
    void use(const ReleaseOp& op) { come_after(reached_[buffer(region(op.publish))]); }
    void use(const ReclaimOp& op) { write(op.region, {}); }
    void use(const PollOp& /*op*/) {}

    Draft& draft_;
    const std::vector<int>& buffer_of_;
    std::vector<Last> written_;                        ///< by value
    std::vector<std::array<Uses, queues>> used_;       ///< by buffer, then queue
    std::vector<std::optional<std::size_t>> awaited_;  ///< by buffer: of other ranks
    std::vector<std::optional<std::size_t>> reached_;  ///< by buffer: of other ranks
    Last known_;                                       ///< by queue: what its steps came after
    std::size_t place_ = 0;                            ///< of the step in the order
    Queue queue_ = Queue::work;                        ///< of that step
    std::optional<std::size_t> after_;                 ///< the place that it comes after
};

}  // namespace

void add_predecessors(Draft& draft, const std::vector<int>& buffer_of) {
    Predecessors(draft, buffer_of).run();
}

}  // namespace weft::core
