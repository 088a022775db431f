// via=nccl over MPI, on emulated devices: right results, what is refused, and its errors, on every
// rank alike.
#include <algorithm>
#include <cstdlib>
#include <memory>

#include "allocations.hpp"
#include "device/devices.hpp"
#include "expect.hpp"
#include "flight.hpp"
#include "net/agree.hpp"
#include "plan/plan.hpp"
#include "plan/problem.hpp"
#include "verify/checks.hpp"
#include "verify/random_case.hpp"

namespace weft::test {
namespace {

/// Whether a word is in the options of this launch's devices.
bool has_option(const std::string& word) {
    const char* text = std::getenv("WEFT_EMULATED_DEVICE");
    return text != nullptr && std::string(text).find(word) != std::string::npos;
}

/// Tests of devices on which it works.
class Nccl : public ::testing::Test {
  protected:
    void SetUp() override {
        if (has_option("nccl:")) GTEST_SKIP() << "ranks cannot share the device";
    }
};

bool plans(const core::RandomCase& one) {
    try {
        (void)Plan::for_ranks(world_size(), one.problem, one.choice);
        return true;
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::bad_request) << error.what();
        return false;
    }
}

/// A random problem, all redistributions of which go by NCCL, with tiles if the problem has some.
core::RandomCase random_case(core::Random& random) {
    core::RandomCase one = core::random_case(random, world_size());
    core::move_to({"emulated"}, random, one, world_size());
    Choice& choice = one.choice;
    choice.via = random.pick(std::vector<std::string>{"nccl", "nccl(pairwise)", "nccl(rounds=2)",
                                                      "nccl(kway(2))", "nccl(pairwise,rounds=1)"});
    choice.via_of_redistribution.clear();
    choice.carrier = Carrier::automatic;
    choice.carrier_of_redistribution.clear();
    if (!core::go_together(choice.via, choice.pack)) choice.pack = Pack::automatic;
    if (!plans(one)) choice.tile.reset();
    return one;
}

TEST_F(Nccl, RandomProblemsAreRight) {
    core::Random random(17);
    int tiled = 0;
    for (int i = 0; i < 40; ++i) {
        core::Random own(random.next());
        const core::RandomCase one = random_case(own);
        const auto rig = core::mpi_rig(one.problem, one.choice, MPI_COMM_WORLD);
        if (rig->plan().choice.tile) ++tiled;
        for (const core::Finding& finding : core::verify(*rig, 11)) {
            EXPECT_TRUE(finding.right())
                << core::to_string(rig->plan()) << ": " << finding.check << " " << finding.error;
        }
    }
    if (world_size() > 1) {
        EXPECT_GT(tiled, 0);
    }
}

using Flights = std::vector<std::unique_ptr<Flight>>;
Flights flights(const std::vector<std::string>& texts) {
    Flights result;
    for (const std::string& text : texts) {
        result.push_back(std::make_unique<Flight>(text, MPI_COMM_WORLD));
    }
    return result;
}

/// Several groups, tiles of which several are under way, one method a redistribution.
std::vector<std::string> flight_texts() {
    std::vector<std::string> texts = {
        "c2c:f64:12x10x8; decomposition=slab; via=nccl",
        "r2c:f32:9x8x10; decomposition=pencil; via=nccl",
        "c2c:f64:8x9x10 in=slab(0) out=slab(0); via=nccl; tile=(T:2,W:3)",
        "c2c:f64:10x9x8; decomposition=pencil; via=nccl; pack=fft",
        "c2r:f64:8x12x10 in=brick out=brick; decomposition=cuts(2); via=nccl; pack=receiver",
        "redistribute:12:9x8x7 in=slab(0) out=slab(2)@210; via=nccl",
        "r2c:f64:10x9x12; decomposition=pencil; via=nccl; engine=native",
        "c2c:f32:10x11x12; decomposition=slab; via=nccl(kway(2))",
        "c2c:f64:8x9x6; decomposition=slab; via=nccl(pairwise,rounds=2)"};
    for (std::string& text : texts) text += "; space=emulated";
    return texts;
}

TEST_F(Nccl, TransformsInFlightShareTheDevice) {
    const Flights all = flights(flight_texts());
    for (int round = 0; round < 3; ++round) {
        for (const auto& one : all) one->start(round == 1);
        // In another order on each rank.
        const auto first = static_cast<std::size_t>(world_rank()) + static_cast<std::size_t>(round);
        for (std::size_t i = 0; i < all.size(); ++i) all[(first + i) % all.size()]->wait();
        for (const auto& one : all) one->expect_right();
    }
}

TEST_F(Nccl, RepeatedRunsAllocateNothing) {
    const Flights all = flights(flight_texts());
    long least = 0;
    // Queues allocate when they are longer than ever, which threads make them now and then.
    for (int i = 0; i < 12; ++i) {
        count_allocations(true);
        for (const auto& one : all) one->transform().forward();
        for (const auto& one : all) one->transform().backward();
        count_allocations(false);
        least = i == 0 ? allocations() : std::min(least, allocations());
    }
    EXPECT_EQ(least, 0);
}

std::string text_of(const std::string& choice) { return "c2c:f64:12x10x8; " + choice; }

Plan plan_of(const std::string& choice) { return Plan::parse(text_of(choice), MPI_COMM_WORLD); }

void expect_text_right(const std::string& text) {
    const core::PlanRequest request = core::parse_plan_request(text);
    const auto rig = core::mpi_rig(request.problem, request.choice, MPI_COMM_WORLD);
    for (const core::Finding& finding : core::verify(*rig, 3)) {
        EXPECT_TRUE(finding.right()) << text << ": " << finding.check << " " << finding.error;
    }
}
void expect_right(const std::string& choice) { expect_text_right(text_of(choice)); }

// MPI is not asked whether it reaches the device.
TEST_F(Nccl, MessagesAreDirect) {
    const Flights one = flights({text_of("space=emulated; via=nccl")});
    const std::string text = one.front()->transform().plan().text();
    if (world_size() == 1) GTEST_SKIP() << "nothing travels";
    EXPECT_NE(text.find("space=emulated(direct)"), std::string::npos) << text;
    expect_right("space=emulated(direct); via=nccl");
}

TEST_F(Nccl, IsRefusedWhereMessagesAreNotOnTheDevice) {
    if (world_size() == 1) GTEST_SKIP() << "nothing travels";
    expect_collective_error([] { plan_of("via=nccl"); }, ErrorCode::bad_request,
                            {"via=nccl", "computed on the host", "space="});
    expect_collective_error([] { plan_of("space=auto; via=nccl"); }, ErrorCode::bad_request,
                            {"via=nccl", "space="});
    expect_collective_error([] { plan_of("space=emulated(staged); via=nccl"); },
                            ErrorCode::bad_request,
                            {"via=nccl", "space=emulated(staged)", "say space=emulated"});
    expect_collective_error(
        [] { plan_of("space=fake; via=nccl"); }, ErrorCode::not_available,
        {"via=nccl cannot run here", "space=fake has neither NCCL nor RCCL", "emulated"});
    expect_collective_error([] { plan_of("space=emulated; via=shared(nccl)"); },
                            ErrorCode::bad_request, {"nccl cannot carry the messages of shared"});
    expect_collective_error([] { plan_of("space=emulated; via=nccl(some)"); },
                            ErrorCode::bad_request, {"via=nccl(some)"});
    expect_right("space=emulated; via=nccl");
}

// A redistribution by MPI beside one by NCCL needs an MPI that reaches the device.
TEST_F(Nccl, MovesByMpiBesideItNeedItsReach) {
    if (world_size() == 1) GTEST_SKIP() << "nothing travels";
    const std::string text =
        "c2c:f64:12x10x8 in=slab(0) out=slab(0); space=emulated; via=nccl; via[0]=isend-waitall";
    if (has_option("mpi")) {
        expect_text_right(text);
        return;
    }
    const Plan plan = Plan::parse(text, MPI_COMM_WORLD);
    expect_collective_error([&] { (void)plan.bind(); }, ErrorCode::bad_request,
                            {"does not reach the memory of emulated", "via=nccl"});
}

TEST_F(Nccl, IsAmongTheMethodsThatAreMeasured) { expect_right("space=emulated; via=auto"); }

/// Of devices that ranks cannot share.
class OldNccl : public ::testing::Test {
  protected:
    void SetUp() override {
        if (!has_option("nccl:22803")) GTEST_SKIP() << "for an old NCCL";
    }
};

TEST_F(OldNccl, RefusesRanksThatShareADevice) {
    if (world_size() == 1) {
        expect_right("space=emulated; via=nccl");
        return;
    }
    const Plan plan = plan_of("space=emulated; via=nccl");
    for (int i = 0; i < 2; ++i) {
        expect_collective_error([&] { (void)plan.bind(); }, ErrorCode::system,
                                {"NCCL 2.28.3", "ncclCommInitRank", "Duplicate GPU", "2.30"});
    }
    expect_right("space=emulated; via=isend-waitall");
}

/// What the last rank's device is in this launch, if it is another one; null: it is not.
const char* last_device() { return std::getenv("WEFT_TEST_LAST_EMULATED"); }

/// Of devices of which the last one cannot be used.
class LastNccl : public ::testing::Test {
  protected:
    void SetUp() override {
        if (last_device() == nullptr) GTEST_SKIP() << "for devices that differ";
        // Read when the device is first used.
        const bool is_last = world_rank() == world_size() - 1;
        if (is_last) setenv("WEFT_EMULATED_DEVICE", last_device(), 1);
    }
};

TEST_F(LastNccl, IsMissedOnEveryRank) {
    const std::string last = last_device();
    const Plan plan = plan_of("space=emulated; via=nccl");
    std::string why = "ncclCommInitRank";
    if (last == "none") why = "no such GPU";
    if (last.find("driver") != std::string::npos) why = "cudaErrorInsufficientDriver";
    const bool absent = why != "ncclCommInitRank";
    for (int i = 0; i < 2; ++i) {
        expect_collective_error([&] { (void)plan.bind(); },
                                absent ? ErrorCode::not_available : ErrorCode::system,
                                {"device emulated", why});
    }
    expect_right(absent ? "space=host" : "space=emulated; via=isend-waitall");
}

}  // namespace
}  // namespace weft::test
