// What regions on devices take, against sums written out by hand; and that plans choose by it.
#include <gtest/gtest.h>

#include <string>

#include "model/machine_file.hpp"
#include "model/price.hpp"
#include "plan/choice.hpp"
#include "tune/estimate.hpp"
#include "unit/easy_machine.hpp"
#include "unit/refusal.hpp"

namespace weft::core {

namespace {

using test::device_plan;
using test::easy_machine;
using test::expect_refused;

/// Two ranks of one node; each has half of 32x32 and reads half of that of the other rank.
constexpr double own = 16.0 * 32 * 32 / 2;
constexpr const char* slab = "c2c:f64:32x32; decomposition=slab; engine=native; via=shared";

Machine node_of_two(int devices) {
    Machine machine = easy_machine();
    machine.ranks_per_node = 2;
    machine.inside.latency = 3e-6;
    machine.devices->per_node = devices;
    return machine;
}

double seconds(const Machine& machine, const std::string& text) {
    return price(device_plan(text, 2), machine, Arrays::device).seconds();
}

const std::string direct = std::string(slab) + "; space=fake(direct)";

TEST(RegionPrice, IsThatOfThePassesOrOfTheLinkBetweenDevices) {
    // A launch and a pass for each axis; the other rank's counter, and two waits for the device,
    // which take as long as launches.
    const double pass = 2 * own / 1e9;
    const double around = 2 * 1e-6 + 3e-6 + 2 * 1e-6;
    Machine machine = node_of_two(2);
    machine.devices->peer_link = PeerLink{5e-6, 1e9};
    EXPECT_NEAR(seconds(machine, direct), 2 * pass + around, 1e-10);
    machine.devices->peer_link = PeerLink{5e-6, 1e8};
    const double slow = 5e-6 + own / 2 / 1e8;
    ASSERT_GT(slow, pass);
    EXPECT_NEAR(seconds(machine, direct), pass + slow + around, 1e-10);
    // Messages between devices, and their latency, are not in it.
    machine.devices->direct = DirectLinks{{1, 1e3}, {1, 1e3}};
    EXPECT_NEAR(seconds(machine, direct), pass + slow + around, 1e-10);
    // cuFFT reads no regions: what others have is copied first.
    const double copied = seconds(machine,
                                  "c2c:f64:32x32; decomposition=slab; engine=cufft; "
                                  "via=shared; space=fake(direct)");
    EXPECT_GT(copied, pass + slow + around);
}

TEST(RegionPrice, IsThatOfMemoryWhereRanksShareADevice) {
    const double pass = 2 * own / 1e9;
    Machine machine = node_of_two(1);
    const double shared = 2 * (2 * pass) + 2 * 1e-6 + 3e-6 + 2 * 1e-6;
    EXPECT_NEAR(seconds(machine, direct), shared, 1e-10);
    machine.devices->peer_link = PeerLink{1, 1e3};
    EXPECT_NEAR(seconds(machine, direct), shared, 1e-10);
}

// Four ranks on two devices, whose ranks have half of the memory's rate and of the link's.
TEST(RegionPrice, SharesTheLinkOfADevice) {
    Machine machine = node_of_two(2);
    machine.ranks_per_node = 4;
    machine.devices->launch = 0;
    machine.devices->peer_link = PeerLink{0, 1e8};
    const double pass = 2 * (2 * own / 2) / 1e9;
    const double link = 2 * (own / 2 / 2) / 1e8;
    EXPECT_NEAR(price(device_plan(direct, 4), machine, Arrays::device).seconds(),
                pass + link + 3e-6, 1e-10);
}

TEST(RegionPrice, IsThatOfMessagesWhereNoLinkIsDescribed) {
    Machine machine = node_of_two(2);
    machine.devices->direct = DirectLinks{{1e-6, 1e9}, {2e-6, 5e8}};
    EXPECT_EQ(seconds(machine, direct), seconds(machine, direct + "; carrier=messages"));
    machine.devices->peer_link = PeerLink{0, 1e9};
    EXPECT_LT(seconds(machine, direct), seconds(machine, direct + "; carrier=messages"));
    // Staged plans have no regions.
    const std::string staged = std::string(slab) + "; space=fake(staged)";
    EXPECT_EQ(seconds(machine, staged), seconds(machine, staged + "; carrier=messages"));
}

TEST(RegionPrice, NeedsNoMpiThatReachesDevicesOfOneNode) {
    Machine machine = node_of_two(2);
    machine.devices->peer_link = PeerLink{0, 1e9};
    EXPECT_GT(seconds(machine, direct), 0);
    expect_refused("fake(direct)", "on easy MPI does not reach",
                   [&] { price(device_plan(direct, 4), machine); });
    machine.devices->peer_link.reset();
    expect_refused("fake(direct)", "on easy MPI does not reach",
                   [&] { price(device_plan(direct, 2), machine); });
}

/// The method that is predicted to be fastest on eight devices of a node.
std::string best_via(double bandwidth) {
    Machine machine = named_machine("h100");
    machine.devices->kind = "fake";
    machine.devices->peer_link->bandwidth = bandwidth;
    Means means;
    means.nodes = Topology(8, 8);
    means.vias = {"shared", "alltoallv", "isend-waitall"};
    means.engines = {"native"};
    means.described = machine;
    const Choice choice = estimated_choice(parse_problem("c2c:f64:128x128x128"),
                                           parse_choice("space=fake(direct)"), 8, means, machine);
    return choice.carrier == Carrier::messages ? "messages of " + choice.via : choice.via;
}

TEST(RegionPrice, DecidesAboutMethods) {
    EXPECT_EQ(best_via(3.6e11), "shared");
    EXPECT_NE(best_via(1e9), "shared");
}

}  // namespace

}  // namespace weft::core
