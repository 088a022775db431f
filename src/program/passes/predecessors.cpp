#include <algorithm>
#include <array>

#include "base/index.hpp"
#include "program/passes/passes.hpp"

namespace weft::core {

namespace {

/// A step by its place in the order, if there is one.
using Found = std::optional<std::size_t>;

/// One of something for each queue.
template <class One>
struct ByQueue {
    std::array<One, queues> all{};
    One& operator[](Queue queue) { return all[static_cast<std::size_t>(queue)]; }
};

constexpr std::array all_queues = {Queue::work, Queue::exchange, Queue::hop, Queue::hop_back};

/// What uses a buffer: a value; or nothing but what other ranks do there.
using User = std::optional<ValueId>;

/// The last uses of a buffer on one queue: the last one, and the last one by another user.
struct Uses {
    User user{};
    Found last{};
    Found by_another{};

    void add(const User& who, std::size_t place) {
        if (last && user != who) by_another = last;
        user = who;
        last = place;
    }
    [[nodiscard]] Found but_for(const User& who) const {
        return last && user == who ? by_another : last;
    }
};

class Predecessors {
  public:
    Predecessors(Draft& draft, const std::vector<int>& buffer_of)
        : draft_(draft), buffer_of_(buffer_of), written_(draft.values.size()) {
        const int buffers =
            buffer_of.empty() ? 0 : *std::max_element(buffer_of.begin(), buffer_of.end()) + 1;
        used_.resize(usize(buffers));
        awaited_.resize(used_.size());
        reached_.resize(used_.size());
    }

    void run() {
        for (place_ = 0; place_ < draft_.order.size(); ++place_) {
            const StepId id = draft_.order[place_];
            Operation& step = draft_.steps[id];
            queue_ = step.queue;
            after_ = {};
            for_each_use(draft_, id, [this](ValueId value, Use how) { use(value, how); });
            if (const auto* await = std::get_if<AwaitOp>(&step.what)) {
                awaited_[region(await->publish)] = place_;
            } else if (const auto* release = std::get_if<ReleaseOp>(&step.what)) {
                come_after(Queue::work, reached_[region(release->publish)]);
            }
            add_to(step);
        }
    }

  private:
    [[nodiscard]] std::size_t buffer(ValueId value) const {
        return usize(buffer_of_[usize(value)]);
    }
    /// After the step at that place, which is one of that queue.
    void come_after(Queue queue, const Found& place) {
        if (queue != queue_) after_[queue] = std::max(after_[queue], place);
    }
    void add_to(Operation& step) {
        std::vector<std::size_t> places;
        for (const Queue other : all_queues) {
            const Found& after = after_[other];
            // Where a step before it on its queue came after that, it does as well.
            if (!after || after <= known_[queue_][other]) continue;
            known_[queue_][other] = after;
            places.push_back(*after);
        }
        std::sort(places.begin(), places.end());
        step.after.clear();
        for (const std::size_t place : places) step.after.push_back(draft_.order[place]);
    }

    /// The buffer that a step has published.
    [[nodiscard]] std::size_t region(StepId publish) const {
        return buffer(std::get<PublishOp>(draft_.steps[publish].what).region);
    }

    void use(ValueId value, Use how) {
        switch (how) {
            case Use::read:
                return read(value);
            case Use::update:
                read(value);
                return write(value, value);
            case Use::write:
                return write(value, value);
            case Use::clear:
            case Use::offer:
                return write(value, {});
            case Use::reach:
                come_after(Queue::exchange, awaited_[buffer(value)]);
                reached_[buffer(value)] = place_;
        }
    }
    void read(ValueId value) {
        for (const Queue other : all_queues) {
            come_after(other, written_[usize(value)][other]);
        }
        used_[buffer(value)][queue_].add(value, place_);
    }
    /// By `user`: the value itself; or other ranks or what clears it, after which it is written.
    void write(ValueId value, const User& user) {
        for (const Queue other : all_queues) {
            come_after(other, used_[buffer(value)][other].but_for(user));
        }
        used_[buffer(value)][queue_].add(user, place_);
        written_[usize(value)][queue_] = place_;
    }

    Draft& draft_;
    const std::vector<int>& buffer_of_;
    std::vector<ByQueue<Found>> written_;  ///< by value
    std::vector<ByQueue<Uses>> used_;      ///< by buffer
    std::vector<Found> awaited_;           ///< by buffer: of other ranks
    std::vector<Found> reached_;           ///< by buffer: of other ranks
    ByQueue<ByQueue<Found>> known_;        ///< what its steps came after, by the other's queue
    std::size_t place_ = 0;                ///< of the step in the order
    Queue queue_ = Queue::work;            ///< of that step
    ByQueue<Found> after_;                 ///< the places that it comes after
};

}  // namespace

void add_predecessors(Draft& draft, const std::vector<int>& buffer_of) {
    Predecessors(draft, buffer_of).run();
}

}  // namespace weft::core
