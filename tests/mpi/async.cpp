// Transforms that are started and waited for: several at a time, by all methods, in different
// orders on different ranks.
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <thread>
#include <utility>

#include "allocations.hpp"
#include "flight.hpp"

namespace weft::test {
namespace {

using Flights = std::vector<std::unique_ptr<Flight>>;

Flights flights(const std::vector<std::string>& texts, MPI_Comm comm = MPI_COMM_WORLD) {
    Flights all;
    all.reserve(texts.size());
    for (const std::string& text : texts) all.push_back(std::make_unique<Flight>(text, comm));
    return all;
}

std::vector<Flight*> pointers(const Flights& all) {
    std::vector<Flight*> result;
    result.reserve(all.size());
    for (const auto& one : all) result.push_back(one.get());
    return result;
}

/// The same on all ranks.
core::Random common(int seed) { return core::Random(static_cast<std::uint64_t>(seed)); }
/// Another on each.
core::Random of_rank(int seed) {
    return core::Random(static_cast<std::uint64_t>(1000 * seed + world_rank() + 1));
}

/// Starts all in an order and in directions that are the same on all ranks.
void start_all(std::vector<Flight*> all, int seed) {
    core::Random random = common(seed);
    random.shuffle(all);
    for (Flight* one : all) one->start(random.once_in(2));
}

/// Waits for all in an order of this rank's own, with some tests of any of them in between.
void wait_for_all(std::vector<Flight*> all, int seed) {
    core::Random random = of_rank(seed);
    const std::vector<Flight*> any = all;
    random.shuffle(all);
    for (Flight* one : all) {
        for (Index tests = random.between(0, 3); tests > 0; --tests) random.pick(any)->test();
        one->wait();
        one->expect_right();
        EXPECT_TRUE(one->test()) << "what has been waited for is complete";
    }
}

TEST(Async, AllMethodsInFlightAreWaitedForInAnyOrder) {
    const Flights all = flights(flights_of_all_methods());
    for (int seed = 0; seed < 6; ++seed) {
        OwnMessages own(MPI_COMM_WORLD);
        start_all(pointers(all), seed);
        if (seed % 2 == 0) own.expect_right();
        wait_for_all(pointers(all), seed);
        if (seed % 2 != 0) own.expect_right();
    }
}

TEST(Async, TestsAloneCompleteAllMethods) {
    const Flights all = flights(flights_of_all_methods());
    for (int seed = 0; seed < 3; ++seed) {
        start_all(pointers(all), seed);
        core::Random random = of_rank(seed);
        std::vector<Flight*> left = pointers(all);
        while (!left.empty()) {
            Flight* one = random.pick(left);
            if (!one->test()) continue;
            one->expect_right();
            std::erase(left, one);
        }
    }
}

// Whoever starts does not wait for others, by whatever method: a message of the caller's own comes
// first on some ranks, and afterwards on others.
TEST(Async, StartsDoNotWaitForOtherRanks) {
    for (const auto& one : flights(flights_of_all_methods())) {
        for (const bool backward : {false, true}) {
            int word = 0;
            if (world_rank() > 0) {
                MPI_Recv(&word, 1, MPI_INT, world_rank() - 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            }
            one->start(backward);
            if (world_rank() + 1 < world_size()) {
                MPI_Send(&word, 1, MPI_INT, world_rank() + 1, 5, MPI_COMM_WORLD);
            }
            one->wait();
            one->expect_right();
        }
    }
}

/// Methods that block and methods that do not.
std::vector<std::string> few_methods() {
    std::vector<std::string> texts;
    for (const char* via : {"shared", "alltoallv", "p2p", "one-sided", "ialltoallv", "send"}) {
        if (!expected_here(via)) continue;
        texts.push_back("c2c:f64:8x9x6; decomposition=pencil; via=" + std::string(via));
    }
    return texts;
}

/// So that ranks get ahead of each other.
void dawdle(core::Random& random) {
    if (random.once_in(2)) return;
    std::this_thread::sleep_for(std::chrono::microseconds(random.between(0, 400)));
}

// Ranks that meet between two waits, and ranks that wait in opposite orders.
TEST(Async, PairsOfMethodsCompleteInEveryOrder) {
    const Flights first = flights(few_methods());
    const Flights second = flights(few_methods());
    core::Random random = of_rank(1);
    for (const auto& a : first) {
        for (const auto& b : second) {
            for (int order = 0; order < 4; ++order) {
                a->start(false);
                b->start(order == 1);
                const bool turned = order < 2 ? order == 0 : (world_rank() + order) % 2 == 0;
                Flight& one = turned ? *b : *a;
                Flight& other = turned ? *a : *b;
                dawdle(random);
                one.wait();
                one.expect_right();
                if (order < 2) MPI_Barrier(MPI_COMM_WORLD);
                other.wait();
                other.expect_right();
            }
        }
    }
}

TEST(Async, SomeRanksTestWhereOthersWait) {
    for (const auto& one : flights(flights_of_all_methods())) {
        one->start(false);
        if (world_rank() % 2 == 0) one->wait();
        while (!one->test()) {
        }
        one->expect_right();
    }
}

TEST(Async, ForwardRunsWhileOthersAreStarted) {
    const Flights all = flights(few_methods());
    const Flights more = flights(few_methods());
    start_all(pointers(all), 3);
    for (const auto& one : more) {
        one->transform().forward();
        one->start(true);
    }
    wait_for_all(pointers(more), 3);
    wait_for_all(pointers(all), 4);
}

TEST(Async, CommunicatorsOfTheirOwnGoOnTogether) {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm half = MPI_COMM_NULL;
    MPI_Comm turned = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_split(MPI_COMM_WORLD, world_rank() % 2, world_rank(), &half);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank(), &turned);
    {
        Flights all;
        for (const MPI_Comm comm : {MPI_COMM_WORLD, copy, half, turned, MPI_COMM_SELF}) {
            std::vector<std::string> texts = few_methods();
            // Open MPI 4.1 confuses the windows of groups side by side on one node.
            if (comm == half)
                std::erase_if(texts, [](const auto& text) {
                    return text.find("one-sided") != std::string::npos;
                });
            for (auto& one : flights(texts, comm)) all.push_back(std::move(one));
        }
        for (int seed = 0; seed < 4; ++seed) {
            start_all(pointers(all), seed);
            wait_for_all(pointers(all), seed);
        }
    }
    for (MPI_Comm* comm : {&copy, &half, &turned}) MPI_Comm_free(comm);
}

// Without methods that block, communicators need no common order either.
TEST(Async, CommunicatorsMayStartInDifferentOrders) {
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    {
        Flight a("c2c:f64:12x10x8; decomposition=pencil; via=p2p", MPI_COMM_WORLD);
        Flight b("r2c:f64:12x10x8; decomposition=pencil", copy);
        const bool turned = world_rank() % 2 != 0;
        (turned ? b : a).start(false);
        (turned ? a : b).start(false);
        a.wait();
        b.wait();
        a.expect_right();
        b.expect_right();
    }
    MPI_Comm_free(&copy);
}

TEST(Async, FieldsFollowEachOther) {
    Flights all;
    for (const char* via : {"shared", "alltoallv", "isend-waitsome"}) {
        all.push_back(std::make_unique<Flight>(
            "r2c:f64:9x8x10 in=slab(0) out=slab(0); via=" + std::string(via), MPI_COMM_WORLD, 3));
        all.push_back(
            std::make_unique<Flight>("c2c:f64:6x8x5; via=" + std::string(via), MPI_COMM_WORLD, 0));
    }
    for (int seed = 0; seed < 4; ++seed) {
        start_all(pointers(all), seed);
        wait_for_all(pointers(all), seed);
    }
}

void expect_refused(const std::function<void()>& call, const std::string& text) {
    try {
        call();
        ADD_FAILURE() << "no error was thrown";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::bad_request);
        EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
}

TEST(Async, WhatIsStartedIsNotStartedAgain) {
    Flight one("c2c:f64:8x9x6", MPI_COMM_WORLD);
    Flight other("c2c:f64:8x9x6", MPI_COMM_WORLD);
    one.start(false);
    other.start(true);
    other.wait();
    // Complete or not, only wait and a test that was true end it.
    expect_refused([&] { one.transform().start_forward(); }, "started already");
    expect_refused([&] { one.transform().start_backward(); }, "started already");
    expect_refused([&] { one.transform().forward(); }, "started already");
    one.wait();
    one.expect_right();
    one.transform().backward();
}

TEST(Async, WhatIsNotStartedIsComplete) {
    Flight one("c2c:f64:8x9x6", MPI_COMM_WORLD);
    EXPECT_TRUE(one.test());
    one.wait();
    one.start(false);
    one.wait();
    one.wait();
    EXPECT_TRUE(one.test());
    one.expect_right();
}

TEST(Async, StartedTransformsMove) {
    Flight one("c2c:f64:8x9x6; decomposition=pencil", MPI_COMM_WORLD);
    Flight other("c2c:f64:8x9x6; decomposition=pencil; via=p2p", MPI_COMM_WORLD);
    one.start(false);
    other.start(false);
    Transform moved = std::move(one.transform());
    // NOLINTBEGIN(bugprone-use-after-move)
    for (const auto& call : std::vector<std::function<void()>>{
             [&] { one.transform().start_forward(); }, [&] { one.transform().start_backward(); },
             [&] { one.wait(); }, [&] { one.test(); }}) {
        expect_refused(call, "moved from");
    }
    // NOLINTEND(bugprone-use-after-move)
    other.wait();
    other.expect_right();
    moved.wait();
    one.expect_right();
    one.transform() = std::move(moved);
    one.start(true);
    one.wait();
    one.expect_right();
}

// Some ranks destroy what others wait for, or for which others wait later.
TEST(Async, DestroyedTransformsAreCompletedFirst) {
    for (const char* via : {"shared", "p2p", "alltoallv"}) {
        const std::string text = "c2c:f64:8x9x6; decomposition=pencil; via=" + std::string(via);
        for (int who = 0; who < 3; ++who) {
            Flight one(text, MPI_COMM_WORLD);
            Flight other(text, MPI_COMM_WORLD);
            one.start(false);
            other.start(false);
            const bool destroys = who == 2 || world_rank() % 2 == who;
            if (destroys) one.destroy();
            other.wait();
            if (!destroys) one.wait();
            one.expect_right();
            other.expect_right();
        }
    }
}

TEST(Async, ExecutionsAllocateNothing) {
    const Flights all = flights(flights_of_all_methods());
    for (int round = 0; round < 2; ++round) {
        for (const auto& one : all) one->start(false);
        for (const auto& one : all) one->wait();
        for (const auto& one : all) one->expect_right();
        count_allocations(true);
        for (const auto& one : all) one->transform().start_forward();
        for (const auto& one : all) one->test();
        for (const auto& one : all) one->wait();
        for (const auto& one : all) one->transform().backward();
        count_allocations(false);
        EXPECT_EQ(allocations(), 0);
    }
}

std::vector<std::string> flights_with_helpers() {
    std::vector<std::string> texts;
    for (const char* via :
         {"ialltoall", "ialltoallv", "p2p", "send(some)", "persistent", "alltoallv"}) {
        for (const char* tile : {"axis:0,T:1,W:3", "T:2,W:1,strict", "W:100,late"}) {
            texts.push_back("c2c:f64:8x9x10; via=" + std::string(via) + "; tile=(" + tile +
                            ",progress:thread)");
        }
    }
    texts.emplace_back("r2c:f32:12x9x10; decomposition=pencil; tile=(progress:thread)");
    return texts;
}

TEST(Async, AnotherThreadLooksAfterMessages) {
    if (world_size() == 1) GTEST_SKIP() << "nothing travels";
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    if (level != MPI_THREAD_MULTIPLE) {
        expect_collective_error(
            [] { Plan::parse("c2c:f64:8x9x10; tile=(progress:thread)", MPI_COMM_WORLD); },
            ErrorCode::not_available, {"MPI_THREAD_MULTIPLE", "progress:poll"});
        return;
    }
    const Flights all = flights(flights_with_helpers());
    for (int seed = 0; seed < 4; ++seed) {
        start_all(pointers(all), seed);
        wait_for_all(pointers(all), seed);
    }
    count_allocations(true);
    for (const auto& one : all) {
        one->transform().forward();
        one->transform().backward();
    }
    count_allocations(false);
    EXPECT_EQ(allocations(), 0);
    // Destroyed after MPI_Finalize, which ends its thread.
    static std::optional<Flight> kept;
    kept.emplace("c2c:f64:8x9x10; tile=(progress:thread)", MPI_COMM_WORLD);
    kept->start(false);
    kept->wait();
}

/// Destroyed after main has finalised MPI: there is nobody left to wait for.
TEST(Async, AbandonedWhenMpiIsFinalised) {
    if (std::getenv("WEFT_RANKS_PER_NODE") != nullptr) GTEST_SKIP() << "leaves messages to MPI";
    static std::optional<Flight> late;
    late.emplace("c2c:f64:8x9x6; via=shared", MPI_COMM_WORLD);
    if (world_rank() == 0) late->start(false);
}

}  // namespace
}  // namespace weft::test
