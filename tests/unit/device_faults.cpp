// Faults planted in programs on a device: each shows, so the tests of transforms on devices see
// what they are there to see.
#include <gtest/gtest.h>

#include <array>
#include <csignal>

#include "base/random.hpp"
#include "unit/on_fake.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

using test::OnFake;
using test::Pair;
using test::Plant;
using test::Wrong;

/// How far off the result of a forward transform is. Not a number if anything is not a number.
long double error_with(const Plan& plan, std::uint64_t seed, const Plant& plant,
                       const Wrong& wrong = {}) {
    LocalWorld world(plan.ranks, {});
    std::vector<std::unique_ptr<OnFake>> ranks;
    const Pair pair = test::random_pair(plan.problem, 7);
    for (int rank = 0; rank < plan.ranks; ++rank) {
        ranks.push_back(std::make_unique<OnFake>(plan, world, rank, seed, plant, wrong));
        test::scatter(pair.in, plan.at.front(), rank, ranks.back()->in());
    }
    for (auto& rank : ranks) rank->executor().connect();
    for (auto& rank : ranks) rank->executor().start();
    test::run_to_end(ranks);
    return test::error_of(plan, ranks, pair);
}

/// Whether the result is right with every order of the queues that the device makes.
bool is_right(const Plan& plan, const Plant& plant) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
        if (!(error_with(plan, seed, plant) < 1e-14L)) return false;
    }
    return true;
}

Plan plan_of(const std::string& text, int ranks = 2) {
    return make_plan(parse_plan_request(text), ranks);
}

/// Rank 0's forward program.
Program program_of(const Plan& plan) {
    Program result;
    (void)error_with(plan, 0, [&](Program& program) { result = program; });
    return result;
}

/// The operations that come after one of another queue of the device, which the host has not waited
/// for already when it gets to them.
std::vector<std::size_t> waits_of(const Program& program) {
    const std::vector<Operation>& all = program.operations;
    std::vector<std::size_t> result;
    std::array<std::size_t, queues> waited{};  // By queue: past the last one.
    for (std::size_t i = 0; i < all.size(); ++i) {
        bool waits = false;
        for (const std::size_t before : all[i].after) {
            const Queue other = all[before].queue;
            std::size_t& known = waited[static_cast<std::size_t>(other)];
            if (other == Queue::exchange || before < known) continue;
            if (all[i].queue == Queue::exchange) known = before + 1;
            waits = true;
        }
        if (waits) result.push_back(i);
    }
    return result;
}

/// Fails unless each wait of rank 0's program is missed where it is missing.
void expect_waits_are_needed(const Plan& plan) {
    const Program program = program_of(plan);
    SCOPED_TRACE(to_string(program));
    EXPECT_TRUE(is_right(plan, [](Program&) {}));
    const std::vector<std::size_t> waits = waits_of(program);
    EXPECT_GE(waits.size(), 3U);
    for (const std::size_t i : waits) {
        EXPECT_FALSE(is_right(plan, [&](Program& planted) { planted.operations[i].after.clear(); }))
            << "operation " << i << " waits for nothing, and nobody sees it";
    }
}

// Planted: one operation of rank 0 comes after nothing, so its queue (or the host, which starts the
// messages) does not wait for what it reads.
TEST(DeviceFaults, AnOperationThatWaitsForNothingGivesWrongResults) {
    for (const char* text :
         {"c2c:f64:4x6x8; space=fake(staged)", "c2c:f64:4x6x8; space=fake(direct)",
          "c2c:f64:4x6x8; pack=sender; space=fake(staged)",
          "c2c:f64:4x6x5 in=slab(0) out=slab(0); space=fake(staged)",
          "c2c:f64:4x6x5 in=slab(0) out=slab(0); pack=receiver; space=fake(direct)"}) {
        SCOPED_TRACE(text);
        expect_waits_are_needed(plan_of(text));
    }
    // Each message hops and is unpacked as it arrives.
    for (const char* text : {"c2c:f64:3x6x8; via=isend-waitsome; pack=receiver; space=fake(staged)",
                             "c2c:f64:3x6x8; via=isend-waitsome; pack=sender; space=fake(direct)",
                             "c2c:f64:3x6x8; via=p2p(kway(2),some); space=fake(staged)"}) {
        SCOPED_TRACE(text);
        expect_waits_are_needed(plan_of(text, 3));
    }
}

// Planted: what a hop brings from other ranks may overwrite what this rank still copies from there.
// With pack=sender the buffer of packed messages also takes those that come.
TEST(DeviceFaults, ABufferThatIsOverwrittenEarlyGivesWrongResults) {
    const Plan plan = plan_of("c2c:f64:4x6x8; pack=sender; space=fake(staged)");
    const Program program = program_of(plan);
    SCOPED_TRACE(to_string(program));
    const auto is_work = [&](std::size_t i) { return program.operations[i].queue == Queue::work; };
    int found = 0;
    for (std::size_t i = 0; i < program.operations.size(); ++i) {
        const Operation& operation = program.operations[i];
        const auto* hop = std::get_if<HopOp>(&operation.what);
        if (hop == nullptr) continue;
        const auto space = program.buffers[static_cast<std::size_t>(hop->to)].space;
        if (space != MemorySpace::device) continue;
        // A hop from the host reads nothing that the device's work has made.
        for (const std::size_t before : operation.after) {
            if (!is_work(before)) continue;
            ++found;
            const auto* read = std::get_if<CopyOp>(&program.operations[before].what);
            ASSERT_NE(read, nullptr);
            EXPECT_EQ(read->from.buffer, hop->to);
            EXPECT_FALSE(is_right(plan, [&](Program& planted) {
                std::erase_if(planted.operations[i].after, is_work);
            }));
        }
    }
    EXPECT_EQ(found, 1);
}

// A rank without elements takes part in exchanges whose messages lie in slots of equal size.
TEST(DeviceFaults, ARankWithoutElementsHasMemoryToStageIn) {
    // Rank 0 has all of the array, whose axis of length 1 is cut in 3.
    const char* text =
        "c2c:f64:9x9x1x17 out=cut(2:3,1:1,3:1) cut=block; decomposition=slab(1,0); shrink=1; "
        "via=alltoall; pack=sender; space=fake(staged)";
    const Plan plan = make_plan(parse_plan_request(text), 3);
    const Programs programs(plan, 1, {LocalWorld(3, {}).topology()});
    EXPECT_EQ(programs.forward.workspace_bytes(), 0);
    Index host = 0;
    for (const BufferSpec& buffer : programs.forward.buffers) {
        if (buffer.role == Role::work) host += buffer.room();
    }
    EXPECT_GT(host, 0);
    EXPECT_EQ(programs.forward.staging_bytes(), host);
    EXPECT_GE(programs.memory.staging_bytes, host);
}

/// Accesses of the host to the device's memory, which end the process.
class DeviceFaultsDeath : public ::testing::Test {
  protected:
    void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

// Planted: an executor without its device, so the host does the program on the device's memory.
TEST_F(DeviceFaultsDeath, AnExecutorWithoutItsDeviceTouchesTheWorkspace) {
    const Plan plan = make_plan(parse_plan_request("c2c:f64:4x6x8; space=fake(staged)"), 1);
    const auto run = [&] {
        const auto device = make_fake_device({});
        LocalWorld world(1, {});
        const auto net = world.net(0);
        const Programs programs(plan, 0, {world.topology()});
        const auto workspace = device->allocate(programs.memory.workspace_bytes, "workspace");
        const Buffer in(plan.at.front().bytes(0));
        const Buffer out(plan.at.back().bytes(0));
        Team team(1);
        const Workers workers{team};
        EnginePlans plans(engine(plan.choice.engine), plan.choice.effort, workers);
        const Bound bound{in.data(), out.data(), workspace->data()};
        Executor executor(programs.forward, bound, plans, workers, *net);
        executor.start();
        while (!executor.done()) (void)executor.advance();
    };
    EXPECT_EXIT(run(), ::testing::KilledBySignal(SIGABRT),
                "weft: the host touched device memory: byte [0-9]+ of buffer workspace .*, after "
                "step none");
}

// Planted: messages are staged in the device's memory, from where the host sends them.
TEST_F(DeviceFaultsDeath, MessagesThatTheHostReadsFromDeviceMemory) {
    const Plan plan = plan_of("c2c:f64:4x6x8; space=fake(staged)");
    const auto run = [&] {
        (void)error_with(plan, 0, [](Program&) {}, {.staging_on_device = true});
    };
    EXPECT_EXIT(run(), ::testing::KilledBySignal(SIGABRT),
                "weft: the host touched device memory: byte [0-9]+ of buffer staging .*, after "
                "step hop");
}

// A plan that says direct, on a device whose memory MPI does not reach.
TEST(DeviceFaults, DirectMessagesThatMpiDoesNotReachAreRefused) {
    Plan plan = plan_of("c2c:f64:4x6x8; space=fake(direct)");
    try {
        (void)error_with(plan, 0, [](Program&) {}, {.unreached = true});
        ADD_FAILURE() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::not_available);
        EXPECT_NE(std::string(error.what()).find("cannot be handed device memory"),
                  std::string::npos)
            << error.what();
    }
}

}  // namespace

}  // namespace weft::core
