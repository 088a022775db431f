// Plans that are computed on the fake device, over MPI: right results, and what is refused, on
// every rank alike. Each refusal is followed by a bind that works.

#include "device_ends.hpp"
#include "net/agree.hpp"
#include "net/device_reach.hpp"
#include "set_variable.hpp"

namespace weft::test {
namespace {

class Devices : public ::testing::Test {
  protected:
    void SetUp() override {
        if (last_device() != nullptr) GTEST_SKIP() << "for equal devices";
    }
};
bool reaches() { return core::device_reach(core::device("fake")).reaches; }
std::string reached_text() { return reaches() ? "space=fake(direct)" : "space=fake(staged:512)"; }

TEST_F(Devices, ArraysOfTheDeviceAndOfTheHostGiveTheSame) {
    for (const char* problem : {shape, "c2c:f64:12x10x8 in=slab(0) out=slab(0)"}) {
        for (const std::string& choice : {std::string("space=fake"), reached_text()}) {
            for (const Index shift : {0, 16, 8}) {
                const Plan plan = plan_of(choice, problem);
                const std::vector<Complex> expected = spectrum_of(plan, problem);
                Ends ends(plan, shift);
                plan.bind(ends.input(true), ends.output(true)).forward();
                ends.fetch(plan);
                expect_near(ends.out, expected);
            }
        }
    }
}

TEST_F(Devices, APartOfTheMemoryIsEnough) {
    constexpr Index bound = 2048;
    for (const char* problem : {shape, "c2c:f64:12x10x8 in=slab(0) out=slab(0)"}) {
        const Plan plan = plan_of("space=fake(memory:2048)", problem);
        const std::vector<Complex> expected = spectrum_of(plan, problem);
        EXPECT_LE(plan.workspace_bytes(world_rank()), bound);
        // Fields take turns in the same memory.
        Ends ends(plan);
        Ends others(plan);
        const std::vector<Complex*> in = {ends.input(false), others.input(false)};
        const std::vector<Complex*> out = {ends.output(false), others.output(false)};
        plan.bind(in, out).forward();
        expect_near(ends.out, expected);
        expect_near(others.out, expected);
    }
}

TEST_F(Devices, APartOfTheMemoryIsOfArraysOfTheHostAndForALineAtLeast) {
    const Plan plan = plan_of("space=fake(memory:2048)");
    Ends ends(plan);
    expect_refused([&] { plan.bind(ends.input(true), ends.output(true)); }, ErrorCode::bad_request,
                   {"space=fake(memory:2048)", "leave out memory"});
    const Plan small = plan_of("space=fake(memory:767)");
    expect_refused([&] { small.bind(ends.input(false), ends.output(false)); },
                   ErrorCode::bad_request, {"one line of 192 bytes", "fake(memory:768)"});
    expect_binds("space=fake(memory:768)");
}

TEST_F(Devices, ArraysOfTheDeviceNeedAPlanForIt) {
    const Plan plan = plan_of("space=host");
    Ends ends(plan);
    const std::vector<std::string> texts = {
        "memory of a device, but the plan is computed on the host", "space="};
    const auto bind = [&](bool device) { plan.bind(ends.input(device), ends.output(device)); };
    expect_refused([&] { bind(true); }, ErrorCode::bad_request, texts);
    expect_refused([&] { bind(is_last()); }, ErrorCode::bad_request, texts);
    expect_binds("space=host");
}

TEST_F(Devices, ArraysOfBothKindsAreRefused) {
    const Plan plan = plan_of("space=fake");
    Ends ends(plan);
    const std::vector<std::string> texts = {
        "some arrays are in the host's memory, others in the memory of fake"};
    expect_refused([&] { plan.bind(ends.input(true), ends.output(false)); }, ErrorCode::bad_request,
                   texts);
    expect_refused([&] { plan.bind(ends.input(false), ends.output(true)); }, ErrorCode::bad_request,
                   texts);
    if (world_size() > 1) {
        const bool device = world_rank() == 0;
        expect_refused([&] { plan.bind(ends.input(device), ends.output(device)); },
                       ErrorCode::bad_request, texts);
    }
    // Of two fields.
    Ends other(plan);
    const std::vector<Complex*> in = {ends.input(true), other.input(false)};
    const std::vector<Complex*> out = {ends.output(true), other.output(false)};
    expect_refused([&] { plan.bind(in, out); }, ErrorCode::bad_request, texts);
    expect_binds("space=fake");
}

TEST_F(Devices, AWorkspaceLiesWhereThePlanIsComputed) {
    const Plan plan = plan_of("space=fake");
    const Plan host = plan_of("space=host; via=alltoallv; pack=sender");
    Ends ends(plan);
    const Index bytes = plan.workspace_bytes(world_rank());
    const Index host_bytes = host.workspace_bytes(world_rank());
    auto of_host = allocate<std::byte>(std::max(bytes, host_bytes));
    const auto of_device = core::device("fake").allocate(std::max(bytes, host_bytes), "mine");
    ASSERT_GT(bytes, 0);
    expect_refused(
        [&] {
            plan.bind(ends.input(false), ends.output(false), {of_host.data(), bytes});
        },
        ErrorCode::bad_request, {"the workspace is memory of the host", "fake"});
    expect_refused(
        [&] {
            plan.bind(ends.input(true), ends.output(true), {of_host.data(), bytes});
        },
        ErrorCode::bad_request, {"the workspace is memory of the host", "fake"});
    expect_refused(
        [&] {
            plan.bind(ends.input(false), ends.output(false), {of_device->data(), 1});
        },
        ErrorCode::bad_request, {"the workspace has 1 bytes"});
    if (core::highest(MPI_COMM_WORLD, host_bytes > 0 ? 1 : 0) > 0) {
        expect_refused(
            [&] {
                host.bind(ends.input(false), ends.output(false), {of_device->data(), host_bytes});
            },
            ErrorCode::bad_request,
            {"the workspace is memory of fake, but the plan is computed on the host"});
    }
    for (const bool device : {false, true}) {
        std::fill(ends.out.begin(), ends.out.end(), 0);
        plan.bind(ends.input(device), ends.output(device), {of_device->data(), bytes}).forward();
        if (device) ends.fetch(plan);
        expect_near(ends.out, spectrum_of(plan));
    }
}

TEST_F(Devices, DirectMessagesNeedAnMpiThatReachesTheDevice) {
    if (reaches()) {
        expect_binds("space=fake(direct)");
        return;
    }
    // Between ranks of a node via=shared sends no messages.
    const Plan plan = plan_of("space=fake(direct); via=isend-waitall");
    Ends ends(plan);
    for (const bool device : {false, true}) {
        expect_refused([&] { plan.bind(ends.input(device), ends.output(device)); },
                       ErrorCode::bad_request,
                       {"space=fake(direct)", "does not reach the memory of fake", "fake(staged)"});
    }
    expect_refused([&] { (void)plan.bind(); }, ErrorCode::bad_request, {"does not reach"});
    expect_binds("space=fake(staged)");
}

/// The fake device by another name, as MPI is asked for it.
class Renamed : public core::Device {
  public:
    explicit Renamed(std::string name) : name_(std::move(name)) {}
    [[nodiscard]] std::string_view name() const override { return name_; }
    std::unique_ptr<DeviceMemory> allocate(Index bytes, std::string name) override {
        return core::device("fake").allocate(bytes, std::move(name));
    }
    core::FreeMemory free_memory() override { return {}; }
    std::unique_ptr<DeviceMemory> allocate_pinned(Index bytes) override {
        return core::device("fake").allocate_pinned(bytes);
    }
    std::unique_ptr<core::DeviceQueue> queue(std::string name) override {
        return core::device("fake").queue(std::move(name));
    }
    std::shared_ptr<core::DeviceQueue> adopt(void* stream) override {
        return core::device("fake").adopt(stream);
    }
    [[nodiscard]] bool owns(const void* address) const override {
        return core::device("fake").owns(address);
    }
    std::string why_not_shared() override { return "it has no memory"; }
    core::DeviceHandle handle_of(const DeviceMemory& /*memory*/) override { return {}; }
    std::unique_ptr<DeviceMemory> open(const core::DeviceHandle& /*handle*/,
                                       Index /*bytes*/) override {
        return nullptr;
    }
    [[nodiscard]] bool mpi_reaches() const override { return true; }
    [[nodiscard]] std::byte* for_mpi(std::byte* address) const override { return address; }

  private:
    std::string name_;
};

// An MPI that says no, or has no such question, is not tried: that would end the process here.
TEST_F(Devices, WhoseReachIsUnclearAreNotTried) {
    static Renamed unheard("unheard");
    const core::DeviceReach& reach = core::device_reach(unheard);
    EXPECT_FALSE(reach.reaches || reach.lies);
    EXPECT_NE(reach.why.find("WEFT_DEVICE_MPI=yes"), std::string::npos) << reach.why;
    for (const char* name : {"cuda", "hip"}) {
        const core::DeviceReach claimed = core::claimed_reach(Renamed(name));
        EXPECT_EQ(claimed.reaches, claimed.why.empty());
        EXPECT_FALSE(claimed.lies);
    }
    SetVariable mpi("WEFT_DEVICE_MPI", "yes");
    EXPECT_TRUE(core::claimed_reach(unheard).reaches);
    mpi.set("no");
    EXPECT_NE(core::claimed_reach(core::device("fake")).why.find("WEFT_DEVICE_MPI=no"),
              std::string::npos);
    mpi.set("maybe");
    const Outcome outcome = outcome_of([&] { (void)core::claimed_reach(unheard); });
    EXPECT_EQ(outcome.code, static_cast<int>(ErrorCode::bad_request));
    EXPECT_NE(outcome.text.find("'maybe'"), std::string::npos) << outcome.text;
}

TEST_F(Devices, ThatAreUnknownAreRefused) {
    expect_refused([&] { plan_of("space=gpu"); }, ErrorCode::bad_request,
                   {"space=gpu", "there are host, "});
    expect_refused([&] { plan_of(is_last() ? "space=gpu" : "space=fake"); }, ErrorCode::bad_request,
                   {"space=gpu"});
    expect_binds("space=fake");
}

TEST_F(Devices, TheVariableForPlansThatSayNoneIsAgreedOn) {
    {
        SetVariable space("WEFT_SPACE", is_last() ? "fake(quick)" : "fake");
        expect_refused([&] { plan_of(""); }, ErrorCode::bad_request,
                       {"WEFT_SPACE is 'fake(quick)': ", "quick"});
        space.set(is_last() ? "fake(staged:64)" : "fake(staged:32)");
        if (world_size() > 1) {
            expect_refused([&] { plan_of(""); }, ErrorCode::bad_request,
                           {"fake(staged:64)", "fake(staged:32)"});
        }
        EXPECT_NE(plan_of("space=fake").text().find("space=fake"), std::string::npos);
        // The device of a described machine is asked for together.
        const SetVariable machine("WEFT_MACHINE", "h100");
        space.set(is_last() ? "auto" : "host");
        if (world_size() > 1) {
            expect_refused([&] { plan_of(""); }, ErrorCode::bad_request,
                           {"the ranks disagree on the space", "space=auto", "space=host"});
        }
    }
    expect_binds("");
}

// A build for GPUs where there is no driver, or no GPU: as WEFT_EMULATED_DEVICE says, on all ranks.
TEST(NoDriver, IsToldToAllRanksAndTheHostComputes) {
    const Plan plan = plan_of("space=emulated");
    std::vector<Complex> in = signal_of(plan);
    std::vector<Complex> out(static_cast<std::size_t>(plan.out_size()));
    const std::vector<std::string> texts = {"device emulated: ", "leave out space="};
    expect_refused([&] { plan.bind(in.data(), out.data()); }, ErrorCode::not_available, texts);
    expect_refused([&] { (void)plan.bind(Memory::device); }, ErrorCode::not_available, texts);
    const Plan host = plan_of("space=host");
    host.bind(in.data(), out.data()).forward();
    expect_near(out, spectrum_of(plan));
}

}  // namespace
}  // namespace weft::test
