// via=shared on the fake device: ranks of a node reach each other's memory of the device. What a
// rank cannot do is told to all, or messages carry it instead.
#include "api/state.hpp"
#include "device_ends.hpp"
#include "testing/fake/fake.hpp"

namespace weft::test {
namespace {

class DeviceRegions : public ::testing::Test {
  protected:
    static bool asked_for(const std::string& text) {
        return last_device() != nullptr && text == last_device();
    }
    static void set_up_last() {
        if (is_last()) setenv("WEFT_FAKE_DEVICE", last_device(), 1);
    }
    void SetUp() override {
        if (world_size() == 1) GTEST_SKIP() << "one rank shares with nobody";
    }
};

/// What runs where all ranks are of one node.
std::string text_with(const std::string& choice) {
    const Plan plan = plan_of(choice);
    return plan.bind().plan().text();
}

TEST_F(DeviceRegions, CarryWhatRanksOfANodeExchange) {
    if (last_device() != nullptr) GTEST_SKIP() << "for equal devices";
    for (const char* problem :
         {shape, "c2c:f64:12x10x8 in=slab(0) out=slab(0)", "c2c:f64:9x7x8 in=slab(0) out=slab(2)",
          "c2c:f64:3x1x5 in=slab(0) out=slab(2)"}) {
        const Plan plan = plan_of("space=fake(direct); via=shared", problem);
        for (const bool device : {false, true}) {
            Ends ends(plan);
            Transform transform = plan.bind(ends.input(device), ends.output(device));
            EXPECT_NE(transform.plan().text().find("space=fake(direct)"), std::string::npos);
            EXPECT_NE(transform.plan().text().find("carrier=region"), std::string::npos)
                << transform.plan().text();
            // A second execution meets what the first has left in the regions.
            for (int time = 0; time < 2; ++time) {
                transform.forward();
                if (device) ends.fetch(plan);
                expect_near(ends.out, spectrum_of(plan, problem));
            }
        }
    }
}

TEST_F(DeviceRegions, OfLargerPlansReplaceThoseThatAreKept) {
    if (last_device() != nullptr) GTEST_SKIP() << "for equal devices";
    for (const char* problem : {"c2c:f64:4x6x5 in=slab(0) out=slab(1)", shape,
                                "c2c:f64:24x20x8 in=slab(0) out=slab(1)", shape}) {
        const Plan plan = plan_of("space=fake(direct); via=shared", problem);
        Ends ends(plan);
        plan.bind(ends.input(true), ends.output(true)).forward();
        ends.fetch(plan);
        expect_near(ends.out, spectrum_of(plan, problem));
    }
}

TEST_F(DeviceRegions, AreRefusedToStagedPlans) {
    if (last_device() != nullptr) GTEST_SKIP() << "for equal devices";
    EXPECT_EQ(text_with("space=fake(staged); via=shared").find("carrier=region"),
              std::string::npos);
    const Plan plan = plan_of("space=fake(staged); via=shared; carrier=region");
    expect_refused([&] { (void)plan.bind(); }, ErrorCode::bad_request,
                   {"carrier=region", "messages go directly"});
    expect_binds("space=fake(staged); via=shared");
}

// Other ranks open regions only, and never arrays of the caller's on a device, nor store in those
// of the host, which hop.
TEST_F(DeviceRegions, NeverExposeTheCallersArrays) {
    if (last_device() != nullptr) GTEST_SKIP() << "for equal devices";
    const char* problem = "c2c:f64:12x10x8 in=slab(0) out=slab(0)";
    for (const bool device : {true, false}) {
        const Plan plan = plan_of("space=fake(direct); via=shared; carrier=direct", problem);
        Ends ends(plan);
        expect_refused([&] { plan.bind(ends.input(device), ends.output(device)); },
                       ErrorCode::bad_request,
                       {"carrier=direct", "arrays on devices are not exposed to others"});
    }
    const Plan plan = plan_of("space=fake(direct); via=shared", problem);
    Ends ends(plan);
    const Transform transform = plan.bind(ends.input(true), ends.output(true));
    EXPECT_EQ(transform.plan().text().find("carrier=direct"), std::string::npos)
        << transform.plan().text();
    // Nor those of a device for a plan on the host.
    const Plan host = plan_of("space=host; via=shared; carrier=direct", problem);
    expect_refused([&] { host.bind(ends.input(true), ends.output(true)); }, ErrorCode::bad_request,
                   {"memory of a device, but the plan is computed on the host"});
}

// The last rank's memory cannot be opened by others: messages carry all of it.
TEST_F(DeviceRegions, WithoutAccessToPeersMessagesAreSent) {
    if (!asked_for("mpi,nopeers")) GTEST_SKIP() << "for WEFT_TEST_LAST_DEVICE=mpi,nopeers";
    set_up_last();
    const std::string text = text_with("space=fake(direct); via=shared");
    EXPECT_EQ(text.find("carrier=region"), std::string::npos) << text;
    EXPECT_NE(text.find("space=fake(direct)"), std::string::npos) << text;
    const Plan plan = plan_of("space=fake(direct); via=shared; carrier=region");
    expect_refused([&] { (void)plan.bind(); }, ErrorCode::bad_request, {"carrier=region"});
    expect_binds("space=fake(direct); via=shared");
}

// Allocations of the bind: the region, then the memory of other ranks.
TEST_F(DeviceRegions, ThatCannotBeHadAreToldToAll) {
    if (!asked_for("delay:9,fail:1") && !asked_for("delay:9,fail:2")) {
        GTEST_SKIP() << "for WEFT_TEST_LAST_DEVICE=delay:9,fail:1 and delay:9,fail:2";
    }
    set_up_last();
    const Plan plan = plan_of("space=fake(direct); via=shared; carrier=region");
    const auto bind = [&] { (void)plan.bind(Memory::device); };
    expect_collective_error(bind, ErrorCode::system,
                            {asked_for("delay:9,fail:1") ? "buffer region" : "of another process",
                             "not enough device memory"});
    // Of the communicator's regions those stay that the next plan uses.
    EXPECT_LE(core::buffers_of(core::device("fake")),
              asked_for("delay:9,fail:1") ? 0 : world_size());
    expect_binds("space=fake(direct); via=shared");
}

}  // namespace
}  // namespace weft::test
