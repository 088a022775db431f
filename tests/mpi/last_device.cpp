// Ranks of which the last one has another fake device than the others: none, one that fails or is
// lost, one whose MPI lies. What can be told when a plan is bound is told to all ranks alike.
#include <algorithm>
#include <cstdlib>

#include "api/state.hpp"
#include "device_ends.hpp"
#include "net/device_reach.hpp"
#include "net/node_ranks.hpp"
#include "program/lower.hpp"
#include "testing/fake/fake.hpp"

namespace weft::test {
namespace {

class LastDevice : public ::testing::Test {
  protected:
    static void set_up_as(const std::string& text) {
        if (is_last()) setenv("WEFT_FAKE_DEVICE", text.c_str(), 1);
    }
    static bool asked_for(const std::string& text) {
        return last_device() != nullptr && text == last_device();
    }
};

// WEFT_FAKE_DEVICE is read when the device is first used, by binding here.
TEST_F(LastDevice, WithAnUnreadableVariableIsToldToAll) {
    if (!asked_for("nonsense")) GTEST_SKIP() << "for WEFT_TEST_LAST_DEVICE=nonsense";
    set_up_as("nonsense");
    const Plan plan = plan_of("space=fake");
    std::vector<Complex> in = signal_of(plan);
    std::vector<Complex> out(static_cast<std::size_t>(plan.out_size()));
    expect_collective_error([&] { plan.bind(in.data(), out.data()); }, ErrorCode::bad_request,
                            {"WEFT_FAKE_DEVICE", "nonsense"});
    const Plan host = plan_of("space=host");
    host.bind(in.data(), out.data()).forward();
}

// Allocations of a bind: 1 is the workspace, 2 what is staged.
TEST_F(LastDevice, WithoutMemoryIsToldToAll) {
    if (!asked_for("fail:1") && !asked_for("fail:2")) {
        GTEST_SKIP() << "for WEFT_TEST_LAST_DEVICE=fail:1 and fail:2";
    }
    set_up_as(last_device());
    const Plan plan = plan_of("space=fake(staged)");
    std::vector<Complex> in = signal_of(plan);
    std::vector<Complex> out(static_cast<std::size_t>(plan.out_size()));
    const std::size_t threads_before = threads();
    const auto files_before = shared_memory_files();
    const std::string rank = world_size() > 1 ? "rank " + std::to_string(world_size() - 1) : "";
    expect_collective_error(
        [&] { plan.bind(in.data(), out.data()); }, ErrorCode::system,
        {rank, "not enough device memory", asked_for("fail:1") ? "workspace" : "pinned"});
    expect_threads(threads_before);
    EXPECT_EQ(shared_memory_files(), files_before);
    expect_binds("space=fake(staged)");
}

// The second bind of a process: what it cannot have is told to all, and takes nothing from the
// first one's transform.
TEST_F(LastDevice, WithoutMemoryForASecondTransformIsToldToAll) {
    if (!asked_for("fail:3") && !asked_for("fail:4")) {
        GTEST_SKIP() << "for WEFT_TEST_LAST_DEVICE=fail:3 and fail:4";
    }
    set_up_as(last_device());
    const Plan plan = plan_of("space=fake(staged)");
    std::vector<Complex> in = signal_of(plan);
    std::vector<Complex> out(static_cast<std::size_t>(plan.out_size()));
    Transform first = plan.bind(in.data(), out.data());
    const int buffers = core::buffers_of(core::device("fake"));
    const auto bind = [&] { (void)plan.bind(Memory::device); };
    expect_refused_once(bind, ErrorCode::system,
                        {"not enough device memory", asked_for("fail:3") ? "workspace" : "pinned"});
    EXPECT_EQ(core::buffers_of(core::device("fake")), buffers);
    first.forward();
    expect_near(out, spectrum_of(plan));
    bind();
}

// Where MPI says that it reaches the device, messages try that. Each of the two needs memory of the
// host and of the device, then comes that of the transform.
TEST_F(LastDevice, WithoutMemoryToTryMpiIsToldToAll) {
    const std::vector<std::string> asked = {"mpi,fail:1", "mpi,fail:2", "mpi,fail:3",
                                            "mpi,fail:4", "mpi,fail:5", "mpi,fail:6"};
    if (std::none_of(asked.begin(), asked.end(), asked_for)) {
        GTEST_SKIP() << "for WEFT_TEST_LAST_DEVICE=mpi,fail:1 to mpi,fail:6";
    }
    set_up_as(last_device());
    const Plan plan = plan_of("space=fake; via=isend-waitall");
    const auto bind = [&] { return plan.bind(); };
    expect_refused_once([&] { (void)bind(); }, ErrorCode::system, {"not enough device memory"});
    EXPECT_EQ(core::buffers_of(core::device("fake")), 0);
    expect_binds("space=fake");
}

TEST_F(LastDevice, ThatIsAbsentIsToldToAll) {
    if (!asked_for("none")) GTEST_SKIP() << "for WEFT_TEST_LAST_DEVICE=none";
    set_up_as("none");
    for (const char* space : {"space=fake", "space=fake(staged)"}) {
        const Plan plan = plan_of(space);
        std::vector<Complex> in = signal_of(plan);
        std::vector<Complex> out(static_cast<std::size_t>(plan.out_size()));
        const std::vector<std::string> texts = {"there is no device fake here"};
        expect_refused([&] { plan.bind(in.data(), out.data()); }, ErrorCode::not_available, texts);
        expect_refused([&] { (void)plan.bind(Memory::device); }, ErrorCode::not_available, texts);
        const Plan host = plan_of("space=host");
        host.bind(in.data(), out.data()).forward();
        expect_near(out, spectrum_of(plan));
    }
    expect_refused([] { (void)plan_of("space=fake(memory:auto)"); }, ErrorCode::not_available,
                   {"there is no device fake here"});
}

// It is no error where the plan asks other ranks for one only.
TEST_F(LastDevice, ThatIsNotThereIsNotMissedOnARankOfTheHost) {
    if (!asked_for("none") || world_size() < 2) {
        GTEST_SKIP() << "for WEFT_TEST_LAST_DEVICE=none";
    }
    set_up_as("none");
    const int ranks = world_size();
    const auto shared = [&](int devices) {
        return "space=fake(share:" + std::to_string(devices) + "of" + std::to_string(ranks) + ")";
    };
    const Plan plan = plan_of(shared(ranks - 1));
    std::vector<Complex> in = signal_of(plan);
    std::vector<Complex> out(static_cast<std::size_t>(plan.out_size()));
    const auto expect_right = [&] {
        std::fill(out.begin(), out.end(), 0);
        plan.bind(in.data(), out.data()).forward();
        expect_near(out, spectrum_of(plan));
    };
    expect_right();
    // The last of three ranks is the first of the second two.
    if (ranks % 2 == 0) return;
    const Plan missing = plan_of("space=fake(share:1of2)");
    expect_refused([&] { missing.bind(in.data(), out.data()); }, ErrorCode::not_available,
                   {"there is no device fake here"});
    expect_right();
}

// One rank's MPI says that it reaches the device and brings other bytes: all ranks stage.
TEST_F(LastDevice, WhoseMpiLiesIsStagedOnAll) {
    if (!asked_for("lies")) GTEST_SKIP() << "for WEFT_TEST_LAST_DEVICE=lies";
    set_up_as("lies");
    EXPECT_EQ(core::device_reach(core::device("fake")).lies, is_last());
    const Plan plan = plan_of("space=fake");
    std::vector<Complex> in = signal_of(plan);
    std::vector<Complex> out(static_cast<std::size_t>(plan.out_size()));
    Transform transform = plan.bind(in.data(), out.data());
    EXPECT_NE(transform.plan().text().find("space=fake(staged)"), std::string::npos);
    transform.forward();
    expect_near(out, spectrum_of(plan));
    const Plan direct = plan_of("space=fake(direct); via=isend-waitall");
    expect_refused(
        [&] { direct.bind(in.data(), out.data()); }, ErrorCode::bad_request,
        {"space=fake(direct)", "does not reach the memory of fake", "other bytes", "fake(staged)"});
}

// The fake device is lost after so many launches and copies: those of binding, then those of the
// forward transform, which are counted here.
struct Given {
    int binding = 0;
    int before_messages = 0;  ///< of forward, before the first message is sent
    int forward = 0;
};
Given given_by(const Plan& plan) {
    const core::Plan& value = Internals::plan(plan);
    const core::NodeRanks nodes(MPI_COMM_WORLD);
    const core::Environment here{nodes.topology(MPI_COMM_WORLD)};
    Given given;
    for (const bool backward : {false, true}) {
        const core::Program program =
            core::lower(backward ? core::reverse(value) : value, world_rank(), here);
        bool sent = false;
        for (const core::Operation& operation : program.operations) {
            const auto* fused = std::get_if<core::FusedOp>(&operation.what);
            if (fused != nullptr && fused->scratch) ++given.binding;
            sent = sent || std::holds_alternative<core::StartOp>(operation.what);
            if (backward || operation.queue == core::Queue::exchange) continue;
            ++given.forward;
            if (!sent) ++given.before_messages;
        }
    }
    return given;
}

/// What forward() says on all ranks if the device of some is lost. Nothing of a lost device can be
/// used afterwards; the host can.
void expect_lost(const Plan& plan, const std::string& whose) {
    const std::vector<Complex> expected = spectrum_of(plan);
    std::vector<Complex> in = signal_of(plan);
    std::vector<Complex> out(static_cast<std::size_t>(plan.out_size()));
    {
        Transform transform = plan.bind(in.data(), out.data());
        // Started again it is still lost.
        for (int time = 0; time < 2; ++time) {
            expect_collective_error([&] { transform.forward(); }, ErrorCode::system,
                                    {whose + "queue ", "the fake device is lost"});
        }
    }
    const Plan host = plan_of("space=host");
    host.bind(in.data(), out.data()).forward();
    expect_near(out, expected);
}

// Ranks that need nothing of it any more, and those that wait for its messages, are told as well.
TEST_F(LastDevice, ThatIsLostIsToldToAll) {
    if (!asked_for("lost:late") && !asked_for("lost:early")) {
        GTEST_SKIP() << "for WEFT_TEST_LAST_DEVICE=lost:early and lost:late";
    }
    const Plan plan = plan_of("space=fake(staged)");
    const Given given = given_by(plan);
    const int forward = asked_for("lost:late") ? given.forward : given.before_messages;
    set_up_as("lost:" + std::to_string(given.binding + forward - 1));
    expect_lost(plan, "rank " + std::to_string(world_size() - 1) + ": ");
}

TEST_F(LastDevice, ThatIsLostAsAllAreNamesNoRank) {
    if (!asked_for("lost:all")) GTEST_SKIP() << "for WEFT_TEST_LAST_DEVICE=lost:all";
    const Plan plan = plan_of("space=fake(staged)");
    const Given given = given_by(plan);
    const std::string text = "lost:" + std::to_string(given.binding + given.before_messages - 1);
    setenv("WEFT_FAKE_DEVICE", text.c_str(), 1);
    expect_lost(plan, "");
}

}  // namespace
}  // namespace weft::test
