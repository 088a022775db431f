// What the programs of all ranks take on the event clock, where that can be told by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "clock/simulated.hpp"
#include "exchange/transfers.hpp"
#include "unit/easy_machine.hpp"

namespace weft::core::test {

namespace {

Machine hosts(int ranks_per_node = 1) {
    Machine machine = easy_machine();
    machine.devices.reset();
    machine.ranks_per_node = ranks_per_node;
    return machine;
}

Plan plan_of(const std::string& text) { return parse_plan(text); }

ClockedRun run(const std::string& text, const Machine& machine, bool fold = true) {
    return simulated(plan_of(text), machine, {CallsOf::machine, Arrays::host, fold});
}

/// One exchange of all ranks, of which each sends so many KiB to each other one.
std::string transpose(int ranks, int kib, const std::string& choice) {
    return fmt::format(
        "redistribute:{}:{}x{} in=slab(0) out=slab(1); ranks={}; pack=sender; via={}", 1024 * kib,
        ranks, ranks, ranks, choice);
}

/// Without copies.
Machine wires(double latency, double bandwidth, std::optional<double> overhead = {}) {
    Machine machine = hosts();
    machine.between = {latency, bandwidth, overhead};
    machine.memory = {0, 1e15, 1e15};
    return machine;
}

TEST(Clock, MessagesFollowEachOther) {
    // 3 messages of 4096 bytes at 1 us and 1 GB/s, one after the other ([ayala] eq. 2).
    const double serial = 3 * (1e-6 + 4096e-9);
    EXPECT_NEAR(run(transpose(4, 4, "isend-waitall"), wires(1e-6, 1e9)).seconds, serial,
                0.02 * serial);
    // With a known overhead of 0.25 us they wait for the latency once.
    const double together = 1e-6 + 3 * 4096e-9;
    EXPECT_NEAR(run(transpose(4, 4, "isend-waitall"), wires(1e-6, 1e9, 0.25e-6)).seconds, together,
                0.03 * together);
}

TEST(Clock, RoundsWaitForTheirMessages) {
    const double rounds = 3 * (1e-6 + 4096e-9);
    EXPECT_NEAR(run(transpose(4, 4, "sendrecv"), wires(1e-6, 1e9, 0.25e-6)).seconds, rounds,
                0.02 * rounds);
}

TEST(Clock, RanksOfANodeShareItsLink) {
    Machine machine = wires(1e-6, 1e9, 0.25e-6);
    machine.ranks_per_node = 2;
    machine.inside = {0, 1e15};
    const double alone = run(transpose(4, 64, "isend-waitall"), machine).seconds;
    machine.injection = 1e9;
    // Each of two ranks sends two messages of 64 KiB to the other node.
    EXPECT_NEAR(alone, 2 * 65536e-9, 0.05 * alone);
    EXPECT_NEAR(run(transpose(4, 64, "isend-waitall"), machine).seconds, 2 * alone, 0.05 * alone);
}

TEST(Clock, TheMiddleOfATaperedTreeIsShared) {
    Machine machine = wires(1e-6, 1e9, 0.25e-6);
    machine.injection = 1e9;
    machine.network.shape = Network::Shape::tree;
    machine.network.taper = 0.25;
    // 4 nodes on either side send 4 messages of 64 KiB each across at 1 GB/s together.
    const double across = 16 * 65536e-9;
    for (const int leaf : {0, 4}) {
        machine.network.leaf = leaf;
        for (const bool fold : {true, false}) {
            EXPECT_NEAR(run(transpose(8, 64, "isend-waitall"), machine, fold).seconds, across,
                        0.1 * across)
                << leaf << fold;
        }
    }
}

TEST(Clock, ATorusAndADragonflyShareLinks) {
    Machine machine = wires(1e-6, 1e9, 0.25e-6);
    machine.injection = 1e9;
    machine.network.shape = Network::Shape::torus;
    machine.network.dimensions = 1;
    machine.network.link = 1e8;
    machine.network.extents = {4};
    // A ring of 4: to both neighbours and, upwards, to the node opposite: 2 links of 3 messages
    // upwards for each node, so each link upwards carries 3.
    const double ring = 3 * 65536e-8;
    EXPECT_NEAR(run(transpose(4, 64, "isend-waitall"), machine).seconds, ring, 0.05 * ring);
    machine.network = {};
    machine.network.shape = Network::Shape::dragonfly;
    machine.network.blocks = {{2, 1e8}};
    const double blocks = 4 * 65536e-8;
    EXPECT_NEAR(run(transpose(4, 64, "isend-waitall"), machine).seconds, blocks, 0.05 * blocks);
}

TEST(Clock, LargeMessagesWaitUntilTheirReceiverLooks) {
    // Two fields, of which one is computed while the other one travels.
    const auto tiles = [](const std::string& polls) {
        return "c2c:f64:64x64x64; ranks=2; decomposition=slab; via=isend-waitall; pack=sender; "
               "tile=(axis:2,T:16,W:1," +
               polls + ")";
    };
    const Machine machine = wires(1e-6, 2e8);
    const double unseen = run(tiles("Fy:0,Fp:0,Fu:0,Fx:0"), machine).seconds;
    const double polled = run(tiles("Fy:8,Fp:8,Fu:8,Fx:8"), machine).seconds;
    const double assisted = run(tiles("Fy:0,Fp:0,Fu:0,Fx:0,progress:thread"), machine).seconds;
    EXPECT_LT(polled, 0.9 * unseen);
    EXPECT_LE(assisted, polled * 1.001);
}

TEST(Clock, RanksThatAreAlikeAreRunOnce) {
    Machine machine = hosts(4);
    machine.injection = 1.5e9;
    for (const char* choice :
         {"slab; via=alltoallv", "pencil(4x8); via=isend-waitall", "pencil(8x4); via=shared",
          "pencil(4x8); via=kway(4)", "slab; via=pairwise", "pencil(4x8); via=isend-waitsome"}) {
        const std::string text = std::string("c2c:f64:32x32x32; ranks=32; decomposition=") + choice;
        SCOPED_TRACE(text);
        const ClockedRun folded = run(text, machine);
        const ClockedRun all = run(text, machine, false);
        EXPECT_EQ(folded.classes, 4);
        EXPECT_EQ(all.classes, 32);
        EXPECT_NEAR(folded.seconds, all.seconds, 1e-3 * all.seconds);
        EXPECT_NEAR(folded.messages, all.messages, 1e-6 * all.messages);
        EXPECT_NEAR(folded.bytes, all.bytes, 1e-6 * all.bytes);
    }
}

TEST(Clock, SendsWhatTheTheorySays) {
    for (const char* choice : {"slab", "pencil(2x4)", "pencil(4x2)", "row-wise"}) {
        const Plan plan = plan_of(
            fmt::format("c2c:f64:17x9x13; ranks=8; decomposition={}; via=alltoallv", choice));
        const ClockedRun all = simulated(plan, hosts(), {});
        double bytes = 0;
        for (std::size_t i = 0; i < plan.stages.size(); ++i) {
            if (redistribution_at(plan, i) == nullptr) continue;
            bytes += 16.0 * static_cast<double>(volume(plan.at[i].where, plan.at[i + 1].where));
        }
        EXPECT_NEAR(all.bytes, bytes, 1e-6 * bytes) << choice;
    }
}

TEST(Clock, OfEvenPlansItIsWhatTheModelSays) {
    for (const char* choice : {"slab; via=alltoallv", "pencil(4x4); via=isend-waitall",
                               "pencil(2x8); via=pairwise", "slab; via=kway(4)"}) {
        const Plan plan = plan_of(
            std::string("c2c:f64:32x32x32; ranks=16; pack=sender; decomposition=") + choice);
        const double predicted = price(plan, hosts()).seconds();
        EXPECT_NEAR(simulated(plan, hosts(), {}).seconds, predicted, 0.05 * predicted) << choice;
    }
}

TEST(Clock, MessagesFromDevicesMeetTheirLinks) {
    Machine machine = easy_machine();
    machine.devices->direct = DirectLinks{{1e-6, 1e10}, {1e-6, 1e10}};
    const Plan plan = device_plan(
        "c2c:f64:32x32x32; decomposition=slab; via=alltoallv; pack=sender; "
        "space=fake(direct)",
        4);
    const double predicted = price(plan, machine, Arrays::device).seconds();
    SimulationOptions options;
    options.arrays = Arrays::device;
    EXPECT_NEAR(simulated(plan, machine, options).seconds, predicted, 0.1 * predicted);
}

TEST(Clock, TracesTellWhatRanksDoWhen) {
    const Plan plan = plan_of("c2c:f64:16x16x16; ranks=4; decomposition=slab; via=alltoallv");
    SimulationOptions options;
    options.fold = false;
    options.traced = 2;
    const ClockedRun two = simulated(plan, hosts(), options);
    std::map<int, double> ends;
    for (const TracedOperation& span : two.spans) {
        EXPECT_GE(span.begin, ends[span.rank]);
        ends[span.rank] = span.end;
    }
    EXPECT_EQ(ends.size(), 2);
    for (const auto& [rank, end] : ends) EXPECT_LE(end, two.seconds);
    EXPECT_NE(chrome_trace(plan, two).find("\"traceEvents\":[{"), std::string::npos);
}

}  // namespace

}  // namespace weft::core::test
