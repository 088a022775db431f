// Ranks that compute on the fake device beside others that compute on the host, over MPI: results,
// whose arrays are whose, and what is refused.
#include "device_ends.hpp"
#include "net/device_reach.hpp"
#include "plan/placement.hpp"

namespace weft::test {
namespace {

class Shares : public ::testing::Test {
  protected:
    void SetUp() override {
        if (last_device() != nullptr) GTEST_SKIP() << "for equal devices";
        if (world_size() < 2) GTEST_SKIP() << "for several ranks";
    }
};

/// The last rank computes on the host, the others on the device.
std::string all_but_the_last(const std::string& more = "") {
    const int ranks = world_size();
    return "space=fake(" + more + "share:" + std::to_string(ranks - 1) + "of" +
           std::to_string(ranks) + ",weight:3)";
}
bool is_of_device(const Plan& plan) {
    return core::Placements(plan.choice()).of(world_rank()).on_device();
}

TEST_F(Shares, GiveWhatTheHostGivesByEveryMethod) {
    for (const char* via :
         {"alltoall", "alltoallv", "alltoallw", "ialltoall", "ialltoallv", "send", "sendrecv",
          "pairwise", "isend-waitall", "isend-waitall-block(2)", "isend-waitsome", "kway(2)",
          "persistent", "persistent(some)", "one-sided", "shared"}) {
        for (const char* travel : {"", "staged,", "staged:512,"}) {
            SCOPED_TRACE(std::string(via) + " " + travel);
            const Plan plan = plan_of(all_but_the_last(travel) + "; via=" + via);
            const std::vector<Complex> expected = spectrum_of(plan);
            Ends ends(plan);
            Ends others(plan);
            const std::vector<Complex*> in = {ends.input(false), others.input(false)};
            const std::vector<Complex*> out = {ends.output(false), others.output(false)};
            Transform transform = plan.bind(in, out);
            transform.forward();
            expect_near(ends.out, expected);
            expect_near(others.out, expected);
        }
    }
}

TEST_F(Shares, TakeArraysOfTheDeviceOnItsRanksOnly) {
    const Plan plan = plan_of(all_but_the_last());
    const bool device = is_of_device(plan);
    EXPECT_EQ(device, !is_last());
    const std::vector<Complex> expected = spectrum_of(plan);
    Ends ends(plan);
    plan.bind(ends.input(device), ends.output(device)).forward();
    if (device) ends.fetch(plan);
    expect_near(ends.out, expected);
    Ends called(plan);
    Transform any = plan.bind(Memory::device);
    any.forward(called.input(device), called.output(device));
    if (device) called.fetch(plan);
    expect_near(called.out, expected);
    expect_refused([&] { plan.bind(ends.input(true), ends.output(true)); }, ErrorCode::bad_request,
                   {"rank " + std::to_string(world_size() - 1) + " computes on the host",
                    "give it memory of the host"});
    if (world_size() > 2) {
        const bool first = world_rank() == 0;
        expect_refused([&] { plan.bind(ends.input(first), ends.output(first)); },
                       ErrorCode::bad_request, {"all ranks of the device", "the same kind"});
    }
    expect_binds(all_but_the_last());
}

TEST_F(Shares, HaveWorkspacesWhereTheirRanksCompute) {
    const Plan plan = plan_of(all_but_the_last("staged,"));
    const Index bytes = plan.workspace_bytes(world_rank());
    auto of_host = allocate<std::byte>(bytes);
    const auto of_device = core::device("fake").allocate(bytes, "mine");
    Ends ends(plan);
    std::byte* own = is_of_device(plan) ? of_device->data() : of_host.data();
    plan.bind(ends.input(false), ends.output(false), {own, bytes}).forward();
    expect_near(ends.out, spectrum_of(plan));
    const Transform bound = plan.bind(ends.input(false), ends.output(false));
    EXPECT_EQ(bound.plan().workspace_bytes(world_rank()), bytes);
}

TEST_F(Shares, HaveStreamsOnRanksOfTheDeviceOnly) {
    const Plan plan = plan_of(all_but_the_last());
    Ends ends(plan);
    Transform transform = plan.bind(ends.input(false), ends.output(false));
    if (is_of_device(plan)) {
        transform.unset_stream();
    } else {
        int stream = 0;
        const Outcome outcome = outcome_of([&] { transform.set_stream(&stream); });
        EXPECT_EQ(outcome.code, static_cast<int>(ErrorCode::bad_request)) << outcome.text;
        EXPECT_NE(outcome.text.find("this rank computes on the host"), std::string::npos)
            << outcome.text;
    }
    transform.forward();
    expect_near(ends.out, spectrum_of(plan));
}

/// Reals of the host that calls bring, 8 bytes past a multiple of 16.
void expect_any_alignment(const std::string& kind, const std::string& choice) {
    const std::string problem = kind + ":f64:6x10x9";
    const Plan plan = plan_of(choice, problem);
    const bool reals_in = kind == "r2c";
    const auto room = [](Index elements) { return static_cast<std::size_t>(elements) + 4; };
    std::vector<double> reals(room(reals_in ? plan.in_size() : plan.out_size()));
    std::vector<Complex> half(room(reals_in ? plan.out_size() : plan.in_size()));
    const bool aligned = reinterpret_cast<std::uintptr_t>(reals.data()) % 16 == 0;
    double* const apart = reals.data() + (aligned ? 1 : 2);
    Transform transform = plan.bind();
    std::fill(reals.begin(), reals.end(), 1.0);
    std::fill(half.begin(), half.end(), Complex(1, 0));
    const auto there = [&] {
        reals_in ? transform.forward(apart, half.data()) : transform.backward(half.data(), apart);
    };
    const auto back = [&] {
        reals_in ? transform.backward(apart, half.data()) : transform.forward(half.data(), apart);
    };
    there();
    back();
    for (Index i = 0; i < (reals_in ? plan.in_size() : plan.out_size()); ++i) {
        EXPECT_NEAR(apart[i], 540, 1e-9);
    }
}

TEST_F(Shares, TakeArraysOfTheHostAtAnyAddress) {
    if (!core::is_built_in("emulated")) GTEST_SKIP() << "for an emulated GPU";
    const int ranks = world_size();
    const std::string shared = "share:1of" + std::to_string(ranks);
    for (const std::string& space : {std::string("emulated"), "emulated(" + shared + ")",
                                     "emulated(memory:100000," + shared + ")"}) {
        SCOPED_TRACE(space);
        for (const char* kind : {"r2c", "c2r"}) expect_any_alignment(kind, "space=" + space);
    }
}

TEST_F(Shares, AreRefusedOnAllRanksAlike) {
    const std::string ranks = std::to_string(world_size());
    for (const auto& [space, text] : std::vector<std::pair<std::string, std::string>>{
             {"fake(share:1of2,weight:0)", "weights are 1 to"},
             {"fake(share:5of4)", "no 5 of 4 ranks"},
             {"fake(share:4of4)", "leave out share"},
             {"host(share:1of2)", "all ranks compute on the host"},
             {"fake(share:" + ranks + "of64)", "and none on the host"}}) {
        expect_refused([&, asked = space] { (void)plan_of("space=" + asked); },
                       ErrorCode::bad_request, {text});
    }
    expect_binds(all_but_the_last());
}

}  // namespace
}  // namespace weft::test
