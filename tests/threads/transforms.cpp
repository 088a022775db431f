// Transforms whose ranks are threads, against the DFT by its definition; built with
// ThreadSanitizer, it sees what one rank reads while another writes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <string>
#include <thread>
#include <tuple>

#include "plan/plan.hpp"
#include "plan/problem.hpp"
#include "property/whole_array.hpp"
#include "run/executor.hpp"
#include "run/programs.hpp"
#include "testing/run/plain.hpp"
#include "threads/run_ranks.hpp"
#include "threads/thread_net.hpp"

namespace weft::core::test {

namespace {

constexpr int most_ranks = 4;
constexpr std::size_t executions = 4;

const std::vector<std::string> problems = {
    "c2c:f64:8x6x12; decomposition=slab",
    "c2c:f64:7x5x6; decomposition=slab",
    "c2c:f64:7x5x6; decomposition=pencil",
    "c2c:f32:6x9x4; decomposition=pencil; pack=fft",
    "c2c:f64:7x4x6 in=brick out=brick; decomposition=cuts(3)",
    "c2c:f64:7x4x6; decomposition=row-wise",
    "c2c:f64:5x4x3*3",
    "c2c:f64:2x1x1",
    "c2c:f64:3x1x2 in=slab(0) out=slab(2)",
    "c2c:f64:40x34",
    "c2c:f32:12x9 in=slab(0) out=slab(0)",
    "c2c:f64:6x8x5 in=slab(0) out=slab(0)",
    "c2c:f64:6x8x5 in=slab(0) out=slab(0) in_place",
    "c2c:f64:6x8x5 may_destroy_input; decomposition=pencil",
    "c2c:f64:6x8 axes=1 in=slab(1) out=slab(1) scale=symmetric/symmetric",
    "r2c:f64:7x4x6; decomposition=slab",
    "r2c:f32:7x4x6; decomposition=pencil",
    "r2c:f64:6x4x8 in=slab(0) in_place",
    "c2r:f64:6x5x8",
    "c2c:f64:9x6x8; decomposition=slab; threads=2",
    "c2c:f64:6x9x8; decomposition=pencil; threads=2; engine=reference",
    "r2c:f64:9x7x12 out=slab(0); threads=3",
};

const std::vector<std::string> vias = {"shared", "alltoallv", "isend-waitall", "isend-waitsome",
                                       "shared; via[0]=isend-waitsome"};

/// One rank's arrays and what it does with them.
class Rank {
  public:
    Rank(const Plan& plan, int rank, ThreadWorld& world)
        : plan_(plan),
          rank_(rank),
          world_(world),
          random_(static_cast<std::uint64_t>(rank)),
          in_(std::max(plan.at.front().bytes(rank), plan.at.back().bytes(rank))),
          out_(plan.at.back().bytes(rank)) {}

    /// Transforms its parts of the inputs there and back, and puts the results where they belong.
    void transform(const std::vector<Pair>& inputs, std::vector<Pair>& results) {
        const auto net = world_.net(rank_);
        std::byte* out = plan_.problem.in_place ? in_.data() : out_.data();
        // Arrays are read and written by other ranks where the plan allows it.
        Bound bound{in_.data(), out};
        bound.out_region = net->expose(out, plan_.at.back().bytes(rank_));
        bound.in_region = net->expose(in_.data(), in_.bytes());
        const Programs programs(plan_, rank_, Environment{{}, true, true, true});
        programs.join(*net);
        programs.share(*net);
        Team team(plan_.choice.threads);
        const Buffer workspace(programs.memory.workspace_bytes);
        bound.workspace = workspace.data();
        // However little there is to be shared.
        const Workers workers{team, 0, 0};
        EnginePlans plans(engine(plan_.choice.engine), plan_.choice.effort, workers);
        Executor forward(programs.forward, bound, plans, workers, *net);
        Executor backward(programs.backward, bound.reversed(), plans, workers, *net);
        forward.connect();
        backward.connect();
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            scatter(inputs[i].in, plan_.at.front(), rank_, in_.data());
            run(forward);
            gather(out, plan_.at.back(), rank_, results[i].out);
            run(backward);
            gather(in_.data(), plan_.at.front(), rank_, results[i].in);
        }
    }

    /// Transforms them there and back without a program.
    void transform_plainly(const std::vector<Pair>& inputs, std::vector<Pair>& results) {
        const auto net = world_.net(rank_);
        const FftEngine& serial = engine(plan_.choice.engine);
        const Plan back = reverse(plan_);
        std::byte* out = plan_.problem.in_place ? in_.data() : out_.data();
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            scatter(inputs[i].in, plan_.at.front(), rank_, in_.data());
            run_plain(plan_, *net, serial, in_.data(), out);
            gather(out, plan_.at.back(), rank_, results[i].out);
            run_plain(back, *net, serial, out, in_.data());
            gather(in_.data(), plan_.at.front(), rank_, results[i].in);
        }
    }

    /// Transforms them on two pairs of arrays in turn, which nobody else reaches.
    void transform_in_turn(const std::vector<Pair>& inputs, std::vector<Pair>& results) {
        const auto net = world_.net(rank_);
        const Programs programs(plan_, rank_);
        programs.join(*net);
        programs.share(*net);
        Team team(plan_.choice.threads);
        const Buffer workspace(programs.memory.workspace_bytes);
        const Bound bound{.workspace = workspace.data()};
        const Workers workers{team, 0, 0};
        EnginePlans plans(engine(plan_.choice.engine), plan_.choice.effort, workers);
        Executor forward(programs.forward, bound, plans, workers, *net);
        Executor backward(programs.backward, bound.reversed(), plans, workers, *net);
        forward.connect();
        backward.connect();
        const Buffer other_in(in_.bytes());
        const Buffer other_out(out_.bytes());
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            std::byte* in = i % 2 == 0 ? in_.data() : other_in.data();
            std::byte* out = i % 2 == 0 ? out_.data() : other_out.data();
            if (plan_.problem.in_place) out = in;
            scatter(inputs[i].in, plan_.at.front(), rank_, in);
            run(forward, in, out);
            gather(out, plan_.at.back(), rank_, results[i].out);
            run(backward, out, in);
            gather(in, plan_.at.front(), rank_, results[i].in);
        }
    }

  private:
    void run(Executor& executor) {
        for (executor.start(); !executor.done(); executor.advance(true)) dawdle();
    }
    void run(Executor& executor, std::byte* input, std::byte* output) {
        executor.start(input, output);
        for (; !executor.done(); executor.advance(true)) dawdle();
    }
    /// So that ranks get ahead of each other.
    void dawdle() {
        if (random_.between(0, 3) > 0) return;
        std::this_thread::sleep_for(std::chrono::microseconds(random_.between(0, 200)));
    }

    const Plan& plan_;
    int rank_;
    ThreadWorld& world_;
    Random random_;
    Buffer in_;
    Buffer out_;
};

/// Arrays of the same shapes, without numbers.
Pair blank(Pair pair) {
    for (Whole* whole : {&pair.in, &pair.out}) {
        std::fill(whole->values.begin(), whole->values.end(), Exact(0));
    }
    return pair;
}

long double tolerance(Precision precision) { return precision == Precision::f64 ? 5e-15L : 3e-6L; }

using Parameters = std::tuple<std::string, std::string>;  ///< problem, via

class Transforms : public ::testing::TestWithParam<Parameters> {};

/// Holds what ranks as threads make of random arrays to the oracle. `transform(rank, inputs,
/// results)` is what each rank does.
template <class Transform>
void expect_right(const Plan& plan, const Transform& transform) {
    SCOPED_TRACE(to_string(plan));
    std::vector<Pair> inputs;
    std::vector<Pair> results;
    for (std::size_t i = 0; i < executions; ++i) {
        inputs.push_back(random_pair(plan.problem, i));
        results.push_back(blank(inputs.back()));
    }
    ThreadWorld world(plan.ranks);
    run_ranks(plan.ranks, [&](int number) {
        Rank rank(plan, number, world);
        transform(rank, inputs, results);
    });
    const auto forward = static_cast<long double>(scale_factor(plan.problem, false));
    const auto backward = static_cast<long double>(scale_factor(plan.problem, true));
    const long double error = tolerance(plan.problem.precision);
    for (std::size_t i = 0; i < executions; ++i) {
        const Pair& pair = inputs[i];
        EXPECT_LT(relative_error(results[i].out, scaled(pair.out, forward)), error) << i;
        const long double there_and_back = forward * backward * pair.round_trip;
        EXPECT_LT(relative_error(results[i].in, scaled(pair.in, there_and_back)), 2 * error) << i;
    }
}

/// On 2 to 4 ranks, each of which does `transform(rank, inputs, results)`.
template <class Transform>
void expect_right_on_some_ranks(const Parameters& parameters, const Transform& transform) {
    const auto& [problem, via] = parameters;
    const PlanRequest request = parse_plan_request(problem + "; via=" + via);
    for (int ranks = 2; ranks <= most_ranks; ++ranks) {
        expect_right(make_plan(request, ranks), transform);
    }
}

TEST_P(Transforms, OfRanksThatAreThreads) {
    expect_right_on_some_ranks(GetParam(), [](Rank& rank, const auto& inputs, auto& results) {
        rank.transform(inputs, results);
    });
}

TEST_P(Transforms, OnArraysInTurn) {
    expect_right_on_some_ranks(GetParam(), [](Rank& rank, const auto& inputs, auto& results) {
        rank.transform_in_turn(inputs, results);
    });
}

class PlainTransforms : public ::testing::TestWithParam<std::string> {};

TEST_P(PlainTransforms, AreRightStraightFromThePlan) {
    const PlanRequest request = parse_plan_request(GetParam());
    for (int ranks = 1; ranks <= most_ranks; ++ranks) {
        expect_right(make_plan(request, ranks), [](Rank& rank, const auto& inputs, auto& results) {
            rank.transform_plainly(inputs, results);
        });
    }
}

std::string test_name(const ::testing::TestParamInfo<Parameters>& info) {
    std::string name = std::get<0>(info.param) + "_" + std::get<1>(info.param);
    for (char& c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    }
    return name;
}

INSTANTIATE_TEST_SUITE_P(Problems, Transforms,
                         ::testing::Combine(::testing::ValuesIn(problems),
                                            ::testing::ValuesIn(vias)),
                         test_name);

INSTANTIATE_TEST_SUITE_P(Problems, PlainTransforms, ::testing::ValuesIn(problems));

}  // namespace

}  // namespace weft::core::test
