// Several transforms in flight on ranks that are threads, which share one list of what is started
// and wait in different orders.
#include "run/in_flight.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "plan/plan.hpp"
#include "plan/problem.hpp"
#include "property/whole_array.hpp"
#include "run/executor.hpp"
#include "run/programs.hpp"
#include "threads/run_ranks.hpp"
#include "threads/thread_net.hpp"

namespace weft::core::test {

namespace {

class InFlightOfThreads : public InFlight {
    void let_others_work(int /*looks*/) const override { std::this_thread::yield(); }
};

/// A collective that blocks: its start returns when all messages have come.
class BlockingChannel : public Channel {
  public:
    explicit BlockingChannel(std::unique_ptr<Channel> channel) : channel_(std::move(channel)) {}

    void connect() override { channel_->connect(); }
    void start(const ExchangeBuffers& buffers) override {
        channel_->start(buffers);
        channel_->wait();
    }
    [[nodiscard]] bool start_waits() const override { return true; }
    bool test() override { return true; }
    void wait() override {}

  private:
    std::unique_ptr<Channel> channel_;
};

/// Threads' ranks, whose alltoallv blocks.
class BlockingNet : public Net {
  public:
    explicit BlockingNet(std::unique_ptr<Net> net) : net_(std::move(net)) {}

    [[nodiscard]] int rank() const override { return net_->rank(); }
    [[nodiscard]] int ranks() const override { return net_->ranks(); }
    void join(const Group& group) override { net_->join(group); }
    void share(const std::vector<Index>& bytes) override { net_->share(bytes); }
    SharedRegion& region(int number) override { return net_->region(number); }
    SharedRegion* expose(std::byte* array, Index bytes) override {
        return net_->expose(array, bytes);
    }
    std::unique_ptr<Channel> open(const ExchangeTask& task,
                                  const std::optional<ExchangeBuffers>& fixed) override {
        auto channel = net_->open(task, fixed);
        if (task.transport != TransportId::alltoallv) return channel;
        return std::make_unique<BlockingChannel>(std::move(channel));
    }

  private:
    std::unique_ptr<Net> net_;
};

/// One plan on all ranks: what goes in, and what the ranks put where it belongs.
struct Flight {
    Flight(const std::string& text, int ranks, std::uint64_t seed) : world(ranks) {
        const PlanRequest request = parse_plan_request(text);
        plan = make_plan(request.problem, request.choice, ranks);
        input = random_pair(plan.problem, seed);
        result = input;
        for (Whole* whole : {&result.in, &result.out}) {
            std::fill(whole->values.begin(), whole->values.end(), Exact(0));
        }
    }
    void expect_right(long double error) const {
        const long double n = input.round_trip;
        EXPECT_LT(relative_error(result.out, input.out), error) << to_string(plan);
        EXPECT_LT(relative_error(result.in, scaled(input.in, n)), error) << to_string(plan);
    }

    ThreadWorld world;
    Plan plan;
    Pair input;
    Pair result;
};

/// One rank's part of it.
class Part {
  public:
    Part(Flight& flight, int rank, std::shared_ptr<InFlight> started)
        : flight_(flight),
          rank_(rank),
          net_(flight.world.net(rank)),
          programs_(flight.plan, rank),
          in_(flight.plan.at.front().bytes(rank)),
          out_(flight.plan.at.back().bytes(rank)),
          workspace_(programs_.memory.workspace_bytes),
          team_(flight.plan.choice.threads) {
        programs_.join(net_);
        programs_.share(net_);
        const Bound bound{in_.data(), out_.data(), workspace_.data()};
        const Workers workers{team_, 0, 0};
        const Choice& choice = flight.plan.choice;
        EnginePlans plans(engine(choice.engine), choice.effort, workers);
        forward_.emplace(programs_.forward, bound, plans, workers, net_);
        backward_.emplace(programs_.backward, bound.reversed(), plans, workers, net_);
        forward_->connect();
        backward_->connect();
        forward_turns_ = {{&*forward_, in_.data(), out_.data()}};
        backward_turns_ = {{&*backward_, out_.data(), in_.data()}};
        execution_.emplace(std::move(started), forward_->any_waits(), nullptr);
    }

    void start(bool backward) {
        goes_back_ = backward;
        if (!backward) scatter(flight_.input.in, flight_.plan.at.front(), rank_, in_.data());
        execution_->start(backward ? backward_turns_ : forward_turns_);
    }
    bool test() { return execution_->test(); }
    void wait() {
        execution_->wait();
        const Plan& plan = flight_.plan;
        if (goes_back_) gather(in_.data(), plan.at.front(), rank_, flight_.result.in);
        if (!goes_back_) gather(out_.data(), plan.at.back(), rank_, flight_.result.out);
    }

  private:
    Flight& flight_;
    int rank_;
    BlockingNet net_;
    Programs programs_;
    Buffer in_;
    Buffer out_;
    Buffer workspace_;
    Team team_;
    std::optional<Executor> forward_;
    std::optional<Executor> backward_;
    std::vector<Turn> forward_turns_;
    std::vector<Turn> backward_turns_;
    std::optional<Execution> execution_;
    bool goes_back_ = false;
};

/// Both directions of all, started in one order and waited for in an order of this rank's own.
void fly(std::vector<std::unique_ptr<Part>>& parts, int rank, std::uint64_t seed) {
    Random common(seed);
    Random own(97 * seed + static_cast<std::uint64_t>(rank));
    std::vector<Part*> all;
    all.reserve(parts.size());
    for (const auto& part : parts) all.push_back(part.get());
    for (const bool backward : {false, true}) {
        common.shuffle(all);
        for (Part* part : all) part->start(backward);
        std::vector<Part*> waited = all;
        own.shuffle(waited);
        for (Part* part : waited) {
            for (Index tests = own.between(0, 3); tests > 0; --tests) own.pick(all)->test();
            part->wait();
        }
    }
}

class StartedTransforms : public ::testing::TestWithParam<int> {};

TEST_P(StartedTransforms, OfRanksThatAreThreads) {
    const int ranks = GetParam();
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        std::vector<std::unique_ptr<Flight>> flights;
        for (const char* text :
             {"c2c:f64:8x6x12; decomposition=slab; via=shared",
              "c2c:f64:7x5x6; decomposition=pencil; via=alltoallv",
              "r2c:f64:7x4x6; decomposition=pencil; via=isend-waitsome",
              "c2c:f64:6x8x5 in=slab(0) out=slab(0); via=isend-waitall",
              "c2r:f64:6x5x8; via=alltoallv", "c2c:f64:9x4x6; decomposition=pencil; threads=2"}) {
            flights.push_back(std::make_unique<Flight>(text, ranks, seed));
        }
        const auto started = std::make_shared<InFlightOfThreads>();
        run_ranks(ranks, [&](int rank) {
            std::vector<std::unique_ptr<Part>> parts;
            parts.reserve(flights.size());
            for (const auto& flight : flights) {
                parts.push_back(std::make_unique<Part>(*flight, rank, started));
            }
            fly(parts, rank, seed);
        });
        for (const auto& flight : flights) flight->expect_right(1e-14L);
    }
}

INSTANTIATE_TEST_SUITE_P(Ranks, StartedTransforms, ::testing::Values(1, 2, 3, 4));

}  // namespace

}  // namespace weft::core::test
