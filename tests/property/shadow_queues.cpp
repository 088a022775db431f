// How the shadow machine goes through programs: by the product's executor, of which it is a backend.
#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <numeric>
#include <utility>

#include "base/random.hpp"
#include "property/shadow_machine.hpp"
#include "run/executor.hpp"

namespace weft::core::test {

/// A rank as a backend of the executor: what that issues is done on names.
class ShadowMachine::Backend final : public QueueBackend {
  public:
    Backend(ShadowMachine& machine, int rank, Queues queues)
        : machine_(machine), rank_(rank), queues_(queues), node_(machine.nodes_[at(rank)]) {}

    bool start() override {
        machine_.start(rank_);
        done_.assign(node_.program.operations.size(), false);
        return false;
    }
    bool issue(std::size_t number, bool /*block*/) override {
        const Queue queue = node_.program.operations[number].queue;
        if (is_at_once(queue)) return perform(number);
        waiting_[at(queue)].push_back(number);
        return true;
    }
    [[nodiscard]] bool keeps_order(Queue queue) const override {
        return queues_ != Queues::late || !is_at_once(queue);
    }
    [[nodiscard]] bool done(std::size_t number) override { return done_[number]; }
    bool finish(bool /*block*/) override {
        return std::all_of(waiting_.begin(), waiting_.end(),
                           [](const auto& queue) { return queue.empty(); });
    }
    /// Does the first operation of any queue, if one may go.
    bool go_on(Random& random) {
        std::vector<std::size_t> order(queues);
        std::iota(order.begin(), order.end(), 0);
        random.shuffle(order);
        return std::any_of(order.begin(), order.end(), [&](std::size_t queue) {
            if (waiting_[queue].empty() || !may_go(waiting_[queue].front())) return false;
            if (!perform(waiting_[queue].front())) return false;
            waiting_[queue].pop_front();
            return true;
        });
    }

  private:
    template <class Number>
    static std::size_t at(Number number) {
        return static_cast<std::size_t>(number);
    }
    [[nodiscard]] bool is_at_once(Queue queue) const {
        return queues_ == Queues::none || (queues_ == Queues::late && queue == Queue::exchange);
    }
    [[nodiscard]] bool may_go(std::size_t number) const {
        const auto& after = node_.program.operations[number].after;
        return std::all_of(after.begin(), after.end(),
                           [&](std::size_t before) { return done_[before]; });
    }
    bool perform(std::size_t number) {
        node_.next = number;
        return done_[number] = machine_.step(rank_);
    }

    ShadowMachine& machine_;
    int rank_;
    Queues queues_;
    Node& node_;
    std::array<std::deque<std::size_t>, queues> waiting_;
    std::vector<bool> done_;
};

void ShadowMachine::run(std::uint64_t seed, Queues queues) {
    Random random(seed);
    mail_.clear();
    started_.clear();
    published_.clear();
    struct Rank {
        Backend* backend;
        Executor executor;
    };
    std::vector<std::unique_ptr<Rank>> ranks;
    for (Node& node : nodes_) {
        node.executions = node.ordinal = 0;
        auto backend = std::make_unique<Backend>(*this, node.program.rank, queues);
        Backend* const here = backend.get();
        ranks.push_back(std::make_unique<Rank>(here, Executor(node.program, std::move(backend))));
        ranks.back()->executor.start();
    }
    // Nobody waits for the others before the next execution.
    constexpr int executions = 3;
    const auto is_done = [&](Node& node, Rank& rank) {
        if (!rank.executor.done()) return false;
        check_end(node);
        if (node.executions < executions) rank.executor.start();
        return rank.executor.done();
    };
    /// Whether the rank has got on. Sometimes its queues run far behind the counter.
    const auto go_on = [&](Rank& rank) {
        const Index eagerness = random.between(0, 3);
        bool moved = false;
        while (!rank.executor.done()) {
            const bool counter_first = random.between(1, 3) <= eagerness;
            if (!(counter_first && rank.executor.advance()) && !rank.backend->go_on(random) &&
                !rank.executor.advance()) {
                break;
            }
            moved = true;
        }
        return moved;
    };
    std::vector<std::size_t> running(nodes_.size());
    std::iota(running.begin(), running.end(), 0);
    while (!running.empty()) {
        random.shuffle(running);
        bool progress = false;
        for (const std::size_t rank : running) progress = go_on(*ranks[rank]) || progress;
        if (!progress) fail(nodes_[running.front()], "a deadlock");
        std::erase_if(running,
                      [&](std::size_t rank) { return is_done(nodes_[rank], *ranks[rank]); });
    }
    if (!mail_.empty()) fail(nodes_.front(), "a message is never received");
}

}  // namespace weft::core::test
