// What plans on devices take, against sums written out by hand.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "model/default_plan.hpp"
#include "model/machine_file.hpp"
#include "model/price.hpp"
#include "model/space_choice.hpp"
#include "plan/fuse.hpp"
#include "program/lower.hpp"
#include "unit/easy_machine.hpp"
#include "unit/refusal.hpp"
#include "verify/random_case.hpp"

namespace weft::core {

namespace {

using test::BadText;
using test::device_plan;
using test::easy_machine;
using test::expect_refused;
using test::pipeline_machine;
using test::rates_of;

TEST(DevicePrice, IsAHopEachWayAndAPassForEachAxis) {
    const Machine machine = easy_machine();
    const Plan plan = device_plan("c2c:f64:64x32; engine=reference; space=fake(staged)", 1);
    const double bytes = 16 * 64 * 32;
    const double passes = 2 * (1e-6 + 2 * bytes / 1e9);
    const PlanPrice on_host_arrays = price(plan, machine);
    EXPECT_NEAR(on_host_arrays.work(), passes, 1e-12);
    EXPECT_NEAR(on_host_arrays.hop(), 2e-5 + bytes / 5e8 + bytes / 2.5e8, 1e-12);
    const PlanPrice on_device_arrays = price(plan, machine, Arrays::device);
    EXPECT_NEAR(on_device_arrays.seconds(), passes, 1e-12);
}

TEST(DevicePrice, HasSlowerHopsOfTheCallersPages) {
    Machine machine = easy_machine();
    machine.devices->host_link.pageable = 1e8;
    const Plan plan = device_plan("c2c:f64:64x32; engine=reference; space=fake(staged)", 1);
    EXPECT_NEAR(price(plan, machine).hop(), 2e-5 + 2 * 16 * 64 * 32 / 1e8, 1e-12);
}

TEST(DevicePrice, SharesDevicesAndLinks) {
    Machine machine = easy_machine();
    machine.ranks_per_node = 4;
    machine.devices->launch = machine.devices->host_link.latency = 0;
    const Plan alone =
        device_plan("c2c:f64:64x32*4 axes=1 in=single out=single; space=fake(staged)", 1);
    const Plan four = device_plan(
        "c2c:f64:4x64x32*4 axes=2 in=slab(0) out=slab(0); decomposition=slab; space=fake(staged)",
        4);
    const double work = price(alone, machine).work();
    const double hop = price(alone, machine).hop();
    // One device for the four, two, and one for each behind one link.
    for (const auto& [devices, shared_by, slower_work, slower_hops] :
         {std::array{1, 1, 4, 4}, std::array{2, 1, 2, 2}, std::array{4, 4, 1, 4}}) {
        machine.devices->per_node = devices;
        machine.devices->host_link.shared_by = shared_by;
        EXPECT_NEAR(price(four, machine).work(), slower_work * work, 1e-9 * work);
        EXPECT_NEAR(price(four, machine).hop(), slower_hops * hop, 1e-9 * hop);
    }
}

TEST(DevicePrice, TakesTheLongerOfMemoryAndArithmetic) {
    const DeviceEngine engine{4e9, 2e9, 1e9, 1e9, 64, 0.5, 2};
    const auto seconds = [&](LinesLie lie, Index length, double flops) {
        return pass_seconds(engine, {lie, length, 8000, flops}, false);
    };
    EXPECT_DOUBLE_EQ(seconds(LinesLie::lines, 64, 0), 2e-6);
    EXPECT_DOUBLE_EQ(seconds(LinesLie::lanes, 64, 0), 4e-6);
    EXPECT_DOUBLE_EQ(seconds(LinesLie::permuting, 64, 0), 8e-6);
    EXPECT_DOUBLE_EQ(seconds(LinesLie::lines, 64, 5000), 5e-6);
    EXPECT_DOUBLE_EQ(pass_seconds(engine, {LinesLie::lines, 64, 8000, 5000}, true), 2.5e-6);
    EXPECT_DOUBLE_EQ(seconds(LinesLie::lines, 22, 0), 4e-6);        // a prime factor of 11
    EXPECT_DOUBLE_EQ(seconds(LinesLie::lines, 4096, 0), 2 * 2e-6);  // 64 times 64
    EXPECT_DOUBLE_EQ(seconds(LinesLie::lines, 8192, 0), 3 * 2e-6);
}

// Of 8 pieces one comes while the one before goes, so that the last one's way back is not hidden.
TEST(DevicePrice, HidesHopsBackBehindThoseOfTheNextPiece) {
    const Plan plan =
        device_plan("c2c:f64:64x32 axes=1; engine=reference; space=fake(memory:16384)", 1);
    const double bytes = 16 * 64 * 32;
    const PlanPrice found = price(plan, pipeline_machine(1e9, 1e9));
    EXPECT_NEAR(found.seconds(), bytes / 1e9 * (1 + 1.0 / 8), 1e-9);
}

// [gholami] section 2: a piece travels while the next one hops. Two ranks on two nodes exchange
// blocks of 1 MiB in 16 pieces.
TEST(DevicePrice, HidesHopsBehindMessagesPieceByPiece) {
    const double bytes = 1 << 20;
    const std::string slab =
        "c2c:f64:64x64x64; decomposition=slab; via=isend-waitall; pack=sender; engine=reference";
    for (const auto& [hops, messages] : {std::array{8e9, 1e9}, std::array{1e9, 8e9}}) {
        const Machine machine = pipeline_machine(hops, messages);
        const double hop = bytes / hops;
        const double message = bytes / messages;
        const PlanPrice whole =
            price(device_plan(slab + "; space=fake(staged)", 2), machine, Arrays::device);
        EXPECT_NEAR(whole.seconds(), hop + message + hop, 1e-8);
        const PlanPrice pieces =
            price(device_plan(slab + "; space=fake(staged:131072)", 2), machine, Arrays::device);
        // Where messages are slower, the first piece's hop and the last one's are not hidden. Where
        // hops are, all of them are in one queue.
        const double expected = hops > messages ? message + 2 * hop / 16 : 2 * hop;
        EXPECT_NEAR(pieces.seconds(), expected, 1e-8) << hops;
    }
}

// Staged, a message takes its latency, two hops, and its bytes three times; directly it takes
// longer for each byte here.
TEST(DevicePrice, CrossesFromDirectToStagedWhereTheSumsDo) {
    Machine machine = pipeline_machine(1e10, 1e10);
    machine.between.latency = 1e-6;
    machine.devices->host_link.latency = 1e-5;
    machine.devices->direct = DirectLinks{{1e-5, 1e9}, {1e-5, 1e9}};
    const std::string how =
        "; decomposition=slab; via=isend-waitall; engine=reference; pack=sender";
    int direct = 0;
    int staged = 0;
    for (const Index n : {8, 16, 32, 40, 64, 128}) {
        const std::string text = fmt::format("c2c:f64:{0}x{0}", n) + how;
        const double bytes = 16.0 * static_cast<double>(n * n) / 4;
        const double by_device = 1e-5 + bytes / 1e9;
        const double by_host = 1e-6 + bytes / 1e10 + 2 * (1e-5 + bytes / 1e10);
        const auto seconds = [&](const std::string& space) {
            return price(device_plan(fmt::format("{}; space={}", text, space), 2), machine,
                         Arrays::device)
                .seconds();
        };
        EXPECT_NEAR(seconds("fake(direct)"), by_device, 1e-10) << n;
        EXPECT_NEAR(seconds("fake(staged)"), by_host, 1e-10) << n;
        const Space chosen =
            in_fastest_space(device_plan(text + "; space=fake", 2), machine, Arrays::device)
                .choice.space;
        EXPECT_EQ(chosen.device, "fake");
        EXPECT_EQ(chosen.travel == Travel::staged, by_host < by_device) << n;
        ++(by_host < by_device ? staged : direct);
    }
    EXPECT_GT(direct, 0);
    EXPECT_GT(staged, 0);
}

TEST(DevicePrice, RefusesDirectMessagesWhereMpiDoesNotReach) {
    const Machine machine = easy_machine();
    const Plan plan = device_plan("c2c:f64:8x8x8; space=fake(direct)", 2);
    expect_refused("fake(direct)", "on easy MPI does not reach", [&] { price(plan, machine); });
    Machine undescribed = machine;
    undescribed.devices.reset();
    EXPECT_GT(price(plan, undescribed).seconds(), 0);
}

// The host's figures stand for devices that are not described: nothing becomes faster by going to
// one.
TEST(DevicePrice, IsTheHostsWithoutADescription) {
    Machine machine = easy_machine();
    machine.devices.reset();
    const PlanPrice host = price(device_plan("c2c:f64:16x16x16; via=alltoallv", 4), machine);
    const PlanPrice device =
        price(device_plan("c2c:f64:16x16x16; via=alltoallv; space=fake(staged)", 4), machine);
    EXPECT_GT(device.hop(), 0);
    EXPECT_GE(device.seconds(), host.seconds());
}

TEST(DevicePrice, IsPositiveAndNoLongerWithAnyFasterRate) {
    Random random(21);
    int plans = 0;
    int faster = 0;
    while (plans < 60) {
        const int ranks = static_cast<int>(random.between(1, 6));
        const Problem problem = random_problem(random, ranks, 3000);
        Choice choice;
        choice.via = random.once_in(2)   ? "isend-waitall"
                     : random.once_in(2) ? "alltoallv"
                                         : "shared";
        choice.space = {"fake", random.once_in(3) ? Travel::direct : Travel::staged};
        if (choice.space.travel == Travel::staged && random.once_in(2)) choice.space.piece = 512;
        Plan plan = make_plan(problem, choice, ranks);
        if (plan.stages.empty()) continue;
        ++plans;
        Machine machine = easy_machine();
        machine.ranks_per_node = static_cast<int>(random.between(1, 3));
        machine.devices->direct = DirectLinks{{1e-6, 1e9}, {2e-6, 5e8}};
        machine.devices->per_node = static_cast<int>(random.between(1, 3));
        if (random.once_in(2)) machine.devices->peer_link = PeerLink{1e-6, 2e8};
        const Arrays arrays = random.once_in(2) ? Arrays::host : Arrays::device;
        const double seconds = price(plan, machine, arrays).seconds();
        EXPECT_GT(seconds, 0) << to_string(plan);
        for (double* rate : rates_of(machine)) {
            const double before = *rate;
            *rate *= 2;
            const double with_faster = price(plan, machine, arrays).seconds();
            EXPECT_LE(with_faster, seconds * (1 + 1e-12)) << to_string(plan);
            if (with_faster < 0.999 * seconds) ++faster;
            *rate = before;
        }
    }
    EXPECT_GT(faster, plans);
}

TEST(SpaceChoice, LeavesTheHostOnlyForADeviceThatIsFaster) {
    const Problem problem = parse_problem("c2c:f64:64x64x64");
    Choice choice;
    choice.space = parse_space("auto");
    Machine machine = easy_machine();
    machine.devices->host_link = {1e-6, 1e12, 1e12};
    machine.devices->engines["cufft"] = {1e12, 1e12, 1e12, 1e15};
    EXPECT_EQ(default_plan(problem, choice, 2, machine).choice.space.device, "fake");
    machine.devices->host_link = {1e-6, 1e6, 1e6};
    EXPECT_EQ(default_plan(problem, choice, 2, machine).choice.space, Space{});
    machine.devices.reset();
    EXPECT_EQ(default_plan(problem, choice, 2, machine).choice.space, Space{});
    EXPECT_EQ(default_plan(problem, {}, 2, easy_machine()).choice.space, Space{});
    expect_refused("auto(staged)", "auto(staged)", [] { parse_space("auto(staged)"); });
    EXPECT_EQ(weft::to_string(parse_space("auto")), "auto");
    EXPECT_EQ(open_space_text(choice, easy_machine()), "");
    EXPECT_NE(open_space_text(choice, machine).find("easy has no devices"), std::string::npos);
    Machine unknown = easy_machine();
    unknown.devices->kind = "abacus";
    EXPECT_EQ(default_plan(problem, choice, 2, unknown).choice.space, Space{});
    EXPECT_NE(open_space_text(choice, unknown).find("no abacus"), std::string::npos);
    // Without a model nothing is chosen.
    expect_refused("auto", "space=auto", [&] { lower(make_plan(problem, choice, 2), 0); });
}

// What a text says stays; what it leaves open is chosen on a machine with devices only.
TEST(SpaceChoice, CompletesTravelsThatAreOpen) {
    const Problem problem = parse_problem("c2c:f64:64x64x64");
    Machine machine = pipeline_machine(1e9, 1e9);
    const auto chosen = [&](const std::string& text) {
        Choice choice = parse_choice(text + "; via=isend-waitall");
        return weft::to_string(default_plan(problem, choice, 2, machine).choice.space);
    };
    const std::string open = chosen("space=fake");
    EXPECT_TRUE(open.starts_with("fake(staged:")) << open;
    EXPECT_EQ(chosen("space=fake(staged)"), "fake(staged)");
    EXPECT_EQ(chosen("space=fake(staged:512)"), "fake(staged:512)");
    // Direct messages are faster: left open, so that MPI without them stages.
    machine.devices->direct = DirectLinks{{0, 1e9}, {0, 1e9}};
    EXPECT_EQ(chosen("space=fake"), "fake");
    machine.devices.reset();
    EXPECT_EQ(chosen("space=fake"), "fake");
}

TEST(MachineFile, ReadsDevicesThatItWrites) {
    Machine machine = easy_machine();
    EXPECT_EQ(parse_machine(to_json(machine), "test"), machine);
    machine.devices->host_link.pageable = 1e8;
    machine.devices->host_link.shared_by = 2;
    machine.devices->per_node = 4;
    machine.devices->engines["hipfft"] = {1e9, 2e9, 3e9, 4e9, 512, 0.5, 2};
    machine.devices->direct = DirectLinks{{1e-6, 1e9}, {2e-6, 5e8}};
    machine.devices->direct->between.by_size = {{8, 1e-5}, {1e6, 0.1}};
    machine.devices->peer_link = PeerLink{2e-6, 4e8};
    machine.sources = {{"devices.launch", "a page"},
                       {"devices.host_link.to_device", "another"},
                       {"devices.peer_link.bandwidth", "a fourth"},
                       {"devices.direct.between.latency", "a third"}};
    EXPECT_EQ(parse_machine(to_json(machine), "test"), machine);
}

TEST(MachineFile, RefusesDevicesThatAreWrong) {
    Machine machine = easy_machine();
    machine.devices->direct = DirectLinks{{1e-6, 1e9}, {2e-6, 5e8}};
    machine.devices->peer_link = PeerLink{3e-6, 4e8};
    const std::string whole = to_json(machine);
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string text = whole;
        const std::size_t at = text.find(from, text.find("\"devices\""));
        EXPECT_NE(at, std::string::npos) << from;
        return text.replace(at, from.size(), to);
    };
    const std::vector<BadText> bad = {
        {with(R"("kind": "fake",)", ""), "the key devices.kind is missing"},
        {with(R"("kind")", R"("sort": 1, "kind")"), "devices.sort is unknown; there are "},
        {with(R"("per_node": 1)", R"("per_node": 0)"), "devices.per_node is 0: give devices"},
        {with(R"("launch": 1e-06)", R"("launch": 5)"), "devices.launch is 5: give seconds"},
        {with(R"("launch": 1e-06)", R"("launch": "fast")"), R"(devices.launch is "fast")"},
        {with(R"("to_device": 500000000.0)", R"("to_device": 5)"),
         "devices.host_link.to_device is 5: give bytes a second"},
        {with(R"("to_device")", R"("pageable": 6e9, "to_device")"),
         "devices.host_link.pageable is 6e+09: give bytes a second, no more than pinned"},
        {with(R"("to_device")", R"("width": 16, "to_device")"),
         "devices.host_link.width is unknown"},
        {with(R"("latency": 3e-06)", R"("latency": 3)"), "devices.peer_link.latency is 3"},
        {with(R"("bandwidth": 400000000.0)", R"("bandwidth": 0)"),
         "devices.peer_link.bandwidth is 0: give bytes a second"},
        {with(R"("latency": 3e-06)", R"("delay": 3, "latency": 3e-06)"),
         "devices.peer_link.delay is unknown"},
        {with(R"("copy_rate": 1000000000.0)", R"("copy_rate": 0)"),
         "devices.memory.copy_rate is 0"},
        {with(R"("pack_rate")", R"("cache": 1, "pack_rate")"), "devices.memory.cache is unknown"},
        {with(R"("lanes")", R"("columns")"), "devices.engines.cufft.lanes is missing"},
        {with(R"("longest")", R"("longer")"), "devices.engines.cufft.longer is unknown"},
        {with(R"("longest": 1e+15)", R"("longest": 1)"), "devices.engines.cufft.longest is 1"},
        {with(R"("rough": 1.0)", R"("rough": 2)"), "devices.engines.cufft.rough is 2"},
        {with(R"("other_engines": "cufft")", R"("other_engines": "native")"),
         "devices.engines has no 'native'"},
        {with(R"("between")", R"("beyond")"), "devices.direct.between is missing"},
        {with(R"("latency": 2e-06)", R"("latency": 2)"), "devices.direct.between.latency is 2"},
    };
    for (const auto& [text, quoted] : bad) {
        expect_refused(text, quoted, [&, &text = text] { parse_machine(text, "f.json"); });
    }
}

}  // namespace

}  // namespace weft::core
