// A device that is lost at any moment, of one rank or of all: while memory is shared and opened,
// while a transform computes, between its messages, at its end. All ranks are told the same, none
// waits for ever, nothing stays behind, and once there is a device again the next plan runs.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "device_ends.hpp"
#include "testing/fake/fake.hpp"

namespace weft::test {
namespace {

constexpr Way lost_ways[] = {
    {"regions", "space=fake(direct); via=shared"},
    {"regions_twice", "space=fake(direct); via=shared", false,
     "c2c:f64:6x5x8 in=slab(0) out=slab(0)"},
    {"staged", "space=fake(staged); via=isend-waitall"},
    {"collective", "space=fake(staged); via=alltoallv"},
    {"arrivals", "space=fake(staged); via=isend-waitsome; pack=receiver"},
    {"pieces", "space=fake(staged:256); via=isend-waitall"},
    {"pieces_arrive", "space=fake(staged:256); via=isend-waitsome"},
    {"tiles", "space=fake(staged); via=ialltoallv; tile=(axis:2,T:4,W:2)"},
    {"bounded", "space=fake(memory:2048)"},
    {"share", "space=fake(staged,share:1of2); via=isend-waitall"},
    {"direct", "space=fake(direct); via=isend-waitall", true},
    {"direct_arrivals", "space=fake(direct); via=isend-waitsome", true},
    {"persistent", "space=fake(direct); via=persistent", true},
    {"one_sided", "space=fake(direct); via=one-sided", true},
};

class LostDevice : public ::testing::TestWithParam<Way> {
  protected:
    void SetUp() override {
        if (const std::string why = why_left_out(GetParam()); !why.empty()) GTEST_SKIP() << why;
        expected_ = spectrum();
    }
    void TearDown() override { core::set_lost_after(fake(), {}); }

    [[nodiscard]] static Plan plan_on(MPI_Comm comm) {
        return Plan::parse(std::string(GetParam().problem) + "; " + GetParam().choice, comm);
    }
    [[nodiscard]] static std::vector<Complex> spectrum() {
        return spectrum_of(plan_on(MPI_COMM_WORLD), GetParam().problem);
    }
    /// Binds, transforms there and back, twice in flight. The last one's results are looked at.
    void run(MPI_Comm comm, bool check) {
        const Plan plan = plan_on(comm);
        std::vector<Complex> in = signal_of(plan);
        std::vector<Complex> out(static_cast<std::size_t>(plan.out_size()));
        std::vector<Complex> other_in = in;
        std::vector<Complex> other_out = out;
        Transform transform = plan.bind(in.data(), out.data());
        transform.forward();
        if (check) expect_near(out, expected_);
        transform.backward();
        Transform other = plan.bind(other_in.data(), other_out.data());
        std::copy(other_in.begin(), other_in.end(), in.begin());
        transform.start_forward();
        other.start_forward();
        const Outcome first = outcome_of([&] { other.wait(); });
        expect_same(first, "the one that was started second");
        const Outcome second = outcome_of([&] { transform.wait(); });
        expect_same(second, "the one that was started first");
        for (const Outcome& one : {first, second}) {
            if (!one.fine()) throw Error(static_cast<ErrorCode>(one.code), one.text);
        }
        if (!check) return;
        expect_near(out, expected_);
        expect_near(other_out, expected_);
    }
    /// How many launches and copies that takes here.
    int launches() {
        const Comm comm;
        const int before = core::launches_of(fake());
        run(comm.get(), true);
        return core::launches_of(fake()) - before;
    }
    /// Loses the device of that rank, or of all (-1), after so many. Whether all were told.
    bool lose(int after, int victim) {
        const bool here = victim == -1 || victim == world_rank();
        bool told = false;
        const std::string when = "lost after " + std::to_string(after) + ", " +
                                 (victim < 0 ? "all ranks" : "rank " + std::to_string(victim));
        const Comm comm;
        if (here) core::set_lost_after(fake(), after);
        const Outcome outcome = outcome_of([&] { run(comm.get(), false); });
        core::set_lost_after(fake(), {});
        expect_same(outcome, when);
        if (!outcome.fine()) {
            told = true;
            EXPECT_EQ(outcome.code, static_cast<int>(ErrorCode::system)) << when;
            EXPECT_NE(outcome.text.find("the fake device is lost"), std::string::npos)
                << when << ": " << outcome.text;
            const std::string name = "rank " + std::to_string(victim) + ": ";
            EXPECT_EQ(outcome.text.rfind(name, 0) == 0, victim >= 0) << when << outcome.text;
        }
        run(comm.get(), true);
        return told;
    }

  private:
    std::vector<Complex> expected_;
};

TEST_P(LostDevice, IsToldToAllRanksWheneverItIsLost) {
    int most = launches();
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    // Other moments for each victim, so that together they miss few; the ends are among them.
    const int samples = world_size() > 2 ? 5 : 9;
    std::optional<Held> before;
    for (int i = 0; i < samples; ++i) {
        for (const int victim : {0, world_size() - 1, -1}) {
            const int shift = victim == 0 || i + 1 == samples ? 0 : 1 + i % 2;
            const int after = std::min((most - 1) * i / (samples - 1) + shift, most - 1);
            const bool told = lose(after, victim);
            // The rank that launches most is among these.
            EXPECT_TRUE(told || victim != -1) << after;
        }
        // The first round makes what stays with the process.
        if (!before) before.emplace();
    }
    before->expect_no_more();
    EXPECT_LE(blocks_kept([&] { (void)lose(most / 2, world_size() - 1); }), 0);
}

INSTANTIATE_TEST_SUITE_P(Of, LostDevice, ::testing::ValuesIn(lost_ways),
                         [](const auto& about) { return std::string(about.param.name); });

// What was opened is closed, and what was shared is freed, of a device that is lost meanwhile.
TEST(LostDevices, AreLeftBehindByRegionsThatLargerOnesReplace) {
    if (last_device() != nullptr || world_size() == 1) GTEST_SKIP() << "for equal devices";
    const int before = core::buffers_of(fake());
    {
        const Comm comm;
        const std::string choice = "; space=fake(direct); via=shared";
        const auto bind = [&](const char* problem) {
            const Plan plan = Plan::parse(problem + choice, comm.get());
            (void)plan.bind();
        };
        bind("c2c:f64:4x6x5 in=slab(0) out=slab(1)");
        for (const int victim : {world_size() - 1, -1}) {
            if (victim < 0 || is_last()) core::set_lost_after(fake(), 0);
            const Outcome outcome = outcome_of([&] { bind(shape); });
            core::set_lost_after(fake(), {});
            expect_same(outcome, "a larger region on a lost device");
            EXPECT_NE(outcome.text.find("the fake device is lost"), std::string::npos)
                << outcome.text;
        }
        bind(shape);
    }
    EXPECT_EQ(core::buffers_of(fake()), before);
}

}  // namespace
}  // namespace weft::test
