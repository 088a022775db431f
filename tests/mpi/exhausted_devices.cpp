// A device whose memory ends at any allocation of a bind, of one rank or of all: memory of the
// device, pinned memory, and the opening of another rank's. All ranks are told the same, nothing of
// what was had before is kept, and the next plan is bound and right.
#include <memory>
#include <string>
#include <vector>

#include "device_ends.hpp"
#include "testing/fake/fake.hpp"

namespace weft::test {
namespace {

constexpr Way exhausted_ways[] = {
    {"regions", "space=fake(direct); via=shared; carrier=region"},
    {"staged", "space=fake(staged); via=isend-waitall"},
    {"pieces", "space=fake(staged:256); via=isend-waitall"},
    {"bounded", "space=fake(memory:2048)"},
    {"share", "space=fake(staged,share:1of2); via=isend-waitall"},
    {"direct", "space=fake(direct); via=isend-waitall", true},
};

class ExhaustedDevice : public ::testing::TestWithParam<Way> {
  protected:
    void SetUp() override {
        if (const std::string why = why_left_out(GetParam()); !why.empty()) GTEST_SKIP() << why;
    }
    void TearDown() override { core::set_failing_allocation(fake(), {}); }

    /// On a communicator of its own, with which all goes that is kept with it.
    static void run() {
        const Comm comm;
        const Plan plan = Plan::parse(std::string(shape) + "; " + GetParam().choice, comm.get());
        std::vector<Complex> in = signal_of(plan);
        std::vector<Complex> out(static_cast<std::size_t>(plan.out_size()));
        plan.bind(in.data(), out.data()).forward();
        expect_near(out, spectrum_of(plan));
    }
    /// How many allocations that takes here.
    static int allocations_here() {
        const int before = core::allocations_of(fake());
        run();
        return core::allocations_of(fake()) - before;
    }
    /// The n-th one fails here, or none (0). What all ranks are told.
    static void fail(int number, const std::string& whose) {
        if (number > 0) core::set_failing_allocation(fake(), number);
        const Outcome outcome = outcome_of([] { run(); });
        core::set_failing_allocation(fake(), {});
        const std::string when = whose + "allocation " + std::to_string(number);
        expect_same(outcome, when);
        EXPECT_EQ(outcome.code, static_cast<int>(ErrorCode::system)) << when;
        EXPECT_NE(outcome.text.find("not enough device memory"), std::string::npos)
            << when << ": " << outcome.text;
        EXPECT_NE(outcome.text.find(whose), std::string::npos) << when << ": " << outcome.text;
    }
};

TEST_P(ExhaustedDevice, IsToldToAllRanksAndNothingIsKept) {
    const int here = allocations_here();
    for (const int victim : {0, world_size() - 1}) {
        int most = here;
        MPI_Bcast(&most, 1, MPI_INT, victim, MPI_COMM_WORLD);
        const std::string whose = "rank " + std::to_string(victim) + ": ";
        for (int number = 1; number <= most; ++number) {
            const bool is_victim = world_rank() == victim;
            const Held before;
            EXPECT_LE(blocks_kept([&] { fail(is_victim ? number : 0, whose); }), 0)
                << whose << number;
            before.expect_no_more();
        }
    }
    run();
}

INSTANTIATE_TEST_SUITE_P(Of, ExhaustedDevice, ::testing::ValuesIn(exhausted_ways),
                         [](const auto& about) { return std::string(about.param.name); });

// The checks above see a block and a buffer that stay each time.
TEST(Held, SeesWhatIsKept) {
    if (last_device() != nullptr) GTEST_SKIP() << "for equal devices";
    std::vector<std::unique_ptr<int>> blocks;
    blocks.reserve(8);
    EXPECT_EQ(blocks_kept([&] { blocks.push_back(std::make_unique<int>(1)); }), 1);
    EXPECT_EQ(blocks_kept([] { (void)std::make_unique<int>(1); }), 0);
    const Held before;
    const auto memory = on_device(1, "kept");
    EXPECT_EQ(buffers_held(), before.buffers + 1);
}

}  // namespace
}  // namespace weft::test
