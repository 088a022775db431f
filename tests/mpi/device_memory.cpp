// Plans whose bound of device memory is what is free on the ranks' fake devices (`memory:auto`).
#include "device_ends.hpp"
#include "net/agree.hpp"
#include "set_variable.hpp"
#include "testing/fake/fake.hpp"

namespace weft::test {
namespace {

class FreeDeviceMemory : public ::testing::Test {
  protected:
    void SetUp() override {
        if (last_device() != nullptr) GTEST_SKIP() << "for equal devices";
    }
    void TearDown() override {
        if (last_device() == nullptr) set_free({Index{1} << 30, own()});
    }
    /// As of a device of its own.
    static std::uint64_t own() { return 100 + static_cast<std::uint64_t>(world_rank()); }
    static void set_free(core::FreeMemory free) { core::set_free_memory(fake(), free); }
};

/// Of so many free bytes a rank takes all but a sixteenth.
std::string bound_text(Index bytes) {
    return "space=fake(memory:" + std::to_string(bytes - bytes / 16) + ")";
}

TEST_F(FreeDeviceMemory, IsThatOfTheRankThatHasTheLeast) {
    for (const bool last_has_least : {true, false}) {
        set_free({is_last() == last_has_least ? Index{4096} : Index{65536}, own()});
        const bool any_has_least = last_has_least || world_size() > 1;
        const Plan plan = plan_of("space=fake(memory:auto)");
        EXPECT_NE(plan.text().find(bound_text(any_has_least ? 4096 : 65536)), std::string::npos)
            << plan.text();
        EXPECT_LE(plan.workspace_bytes(world_rank()), 65536);
        const std::vector<Complex> expected = spectrum_of(plan);
        Ends ends(plan);
        plan.bind(ends.input(false), ends.output(false)).forward();
        expect_near(ends.out, expected);
        // What the plan says is read again, whatever is free then.
        set_free({1, own()});
        EXPECT_EQ(Plan::parse(plan.text(), MPI_COMM_WORLD).text(), plan.text());
    }
}

TEST_F(FreeDeviceMemory, IsDividedAmongRanksThatShareADevice) {
    const Index alone = 40000;
    // All ranks but the last share one.
    set_free({is_last() ? alone : Index{48000}, is_last() ? own() : 7});
    const int sharers = std::max(world_size() - 1, 1);
    const Index least = world_size() == 1 ? alone : std::min<Index>(alone, 48000 / sharers);
    EXPECT_NE(plan_of("space=fake(memory:auto)").text().find(bound_text(least)), std::string::npos);
    // Nodes that are made of one machine's ranks still share its devices.
    SetVariable nodes("WEFT_RANKS_PER_NODE", "1");
    EXPECT_NE(plan_of("space=fake(memory:auto)").text().find(bound_text(least)), std::string::npos);
}

TEST_F(FreeDeviceMemory, IsAskedOfRanksOfTheDeviceOnly) {
    if (world_size() < 2) GTEST_SKIP() << "for several ranks";
    set_free({world_rank() % 2 == 0 ? Index{20000} : Index{16}, own()});
    const Plan plan = plan_of("space=fake(memory:auto,share:1of2,weight:2)");
    EXPECT_NE(plan.text().find("space=fake(memory:18750,share:1of2,weight:2)"), std::string::npos)
        << plan.text();
    Ends ends(plan);
    plan.bind(ends.in.data(), ends.out.data()).forward();
    expect_near(ends.out, spectrum_of(plan));
}

TEST_F(FreeDeviceMemory, ThatIsTooLittleIsRefusedWithWhatIsNeeded) {
    for (const Index free : {0, 500}) {
        set_free({free, own()});
        const Plan plan = plan_of("space=fake(memory:auto)");
        Ends ends(plan);
        expect_refused([&] { plan.bind(ends.in.data(), ends.out.data()); }, ErrorCode::bad_request,
                       {"one line of 192 bytes", "fake(memory:768)"});
    }
    set_free({65536, own()});
    expect_binds("space=fake(memory:auto)");
}

TEST_F(FreeDeviceMemory, IsAskedWhereAllRanksWantIt) {
    SetVariable space("WEFT_SPACE", "fake(memory:auto)");
    set_free({65536, own()});
    expect_binds("");
    if (world_size() < 2) return;
    for (const char* other : {"fake(memory:2048)", "host", "fake(staged)"}) {
        for (const bool last_wants : {true, false}) {
            space.set(is_last() == last_wants ? "fake(memory:auto)" : other);
            expect_refused([] { (void)plan_of(""); }, ErrorCode::bad_request,
                           {"the ranks disagree on the plan", "space=fake(memory:auto)"});
        }
    }
    const SetVariable machine("WEFT_MACHINE", "h100");
    expect_refused([] { (void)plan_of(""); }, ErrorCode::bad_request,
                   {"the ranks disagree on the space", "space=fake(memory:auto)"});
    space.set("fake(memory:auto)");
    expect_binds("");
}

TEST_F(FreeDeviceMemory, IsUnknownWithoutRanks) {
    const std::string text = std::string(shape) + "; space=fake(memory:auto)";
    EXPECT_EQ(outcome_of([&] { (void)Plan::for_ranks(2, text); }).text,
              "space=fake(memory:auto): the ranks' devices say how much memory is free: "
              "make the plan with their communicator, or write the bytes, as in memory:1073741824");
}

}  // namespace
}  // namespace weft::test
