// What fuse() records in a plan, and that a plan's text says it.
#include "plan/fuse.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "unit/refusal.hpp"
#include "weft/error.hpp"

namespace weft::core {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<Carrier> carriers(const Plan& plan) {
    std::vector<Carrier> result;
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
        if (const auto* one = redistribution_at(plan, i)) result.push_back(one->carrier);
    }
    return result;
}

std::vector<Carrier> carriers(const std::string& text, const Environment& environment = {}) {
    return carriers(fuse(parse_plan(text), environment));
}

Environment exposed(bool input, bool output) { return {{}, true, input, output}; }

TEST(Fuse, TakesTheBestCarrierThatTheEnvironmentAllows) {
    // FFT, redistribution, FFT, redistribution: the output returns to the input's slabs.
    const std::string slab = "c2c:f64:8x6x4 in=slab(0) out=slab(0); ranks=2; via=shared";
    constexpr Carrier region = Carrier::region;
    constexpr Carrier direct = Carrier::direct;
    constexpr Carrier messages = Carrier::messages;
    EXPECT_THAT(carriers(slab), ElementsAre(region, region));
    EXPECT_THAT(carriers(slab, exposed(true, false)), ElementsAre(region, region));
    EXPECT_THAT(carriers(slab, exposed(false, true)), ElementsAre(region, direct));
    EXPECT_THAT(carriers(slab + "; backward", exposed(true, false)), ElementsAre(direct, region));
    EXPECT_THAT(carriers(slab, {{}, false, true, true}), ElementsAre(messages, messages));
    EXPECT_THAT(carriers(slab, {Topology(2, 1), true, true, true}), ElementsAre(region, region));
    EXPECT_THAT(carriers(slab + "; via[1]=alltoallv", exposed(true, true)),
                ElementsAre(region, messages));
    EXPECT_THAT(carriers("c2c:f64:8x6x4; ranks=2; via=shared", exposed(true, true)),
                ElementsAre(region));
}

TEST(Fuse, RecordsWhatTransformsReadAndWrite) {
    const auto accesses = [](const std::string& text, const Environment& environment) {
        std::vector<Access> result;
        const Plan plan = fuse(parse_plan(text), environment);
        for (std::size_t i = 0; i < plan.stages.size(); ++i) {
            const TransformStage* transform = transform_at(plan, i);
            if (transform == nullptr) continue;
            result.push_back(transform->reads);
            result.push_back(transform->writes);
        }
        return result;
    };
    const std::string slab = "c2c:f64:8x6x4; ranks=2; via=";
    EXPECT_THAT(accesses(slab + "shared", {}),
                ElementsAre(Access::layout, Access::region, Access::region, Access::layout));
    EXPECT_THAT(accesses(slab + "alltoallv", {}),
                ElementsAre(Access::layout, Access::messages, Access::messages, Access::layout));
    EXPECT_THAT(accesses(slab + "alltoallv; pack=sender", {}),
                ElementsAre(Access::layout, Access::layout, Access::layout, Access::layout));
    // The first transform makes whole arrays, of which tiles are cut later.
    EXPECT_THAT(
        accesses("c2c:f64:8x6x4; ranks=2; via=alltoallv; pack=fused; tile=(axis:1,T:1)", {}),
        ElementsAre(Access::layout, Access::layout, Access::messages, Access::layout));
}

// The text of a plan that runs is a plan: read elsewhere, it is fused to the same one.
TEST(Fuse, IsSaidByThePlansText) {
    const Environment environment = exposed(true, true);
    for (const char* direction : {"", "; backward"}) {
        const Plan plan = parse_plan(std::string("c2c:f64:8x6x4 in=slab(0) out=slab(0); ranks=2; "
                                                 "via=shared; via[0]=alltoallv") +
                                     direction);
        const Plan fused = fuse(plan, environment);
        const std::string text = to_string(fused);
        EXPECT_THAT(text, HasSubstr("; carrier[0]=messages; carrier[1]=")) << text;
        EXPECT_EQ(fuse(parse_plan(text), environment), fused) << text;
        EXPECT_EQ(fuse(fused, environment), fused) << text;
    }
}

TEST(Fuse, RefusesWhatTheEnvironmentDoesNotAllow) {
    const auto expect = [](const std::string& text, const std::string& reason,
                           const Environment& environment) {
        test::expect_refused(text, reason, [&] { fuse(parse_plan(text), environment); });
    };
    const std::string slab = "c2c:f64:8x6x4 in=slab(0) out=slab(0); ranks=2; ";
    const auto last = [](const char* problem) {
        return std::string(problem) + "; ranks=2; via=shared; carrier[0]=region; carrier[1]=direct";
    };
    expect(last("c2c:f64:8x6x4 in=slab(0) out=slab(0)"), "not exposed", {});
    expect(last("c2c:f64:8x6x4 in=slab(0) out=slab(0)"), "on several nodes",
           {Topology(2, 1), true, true, true});
    expect(slab + "via=shared; carrier=region", "no room", {{}, false});
    expect(slab + "via=alltoallv; carrier=region", "via=alltoallv sends messages", {});
    expect(
        "c2c:f64:8x6 axes=1 in=slab(0) out=slab(1) in_place; ranks=2; via=shared; carrier=direct",
        "would overwrite its own input", exposed(true, true));
    expect("redistribute:8:8x6x4 in=slab(0) out=slab(1); ranks=2; via=shared; carrier=direct",
           "only the first and the last stage", exposed(true, true));
    expect(slab + "carrier[2]=region", "carrier[2]: the plan has 2 redistributions", {});
    expect(slab + "carrier=wire", "there are auto, messages, region, direct", {});
}

TEST(Fuse, LetsWhatIsSentFromADeviceTravelDirectly) {
    const std::string text = "c2c:f64:8x6x4 in=slab(0) out=slab(0); ranks=2; ";
    Environment reached;
    reached.mpi_reaches_device = true;
    const auto travel = [&](const std::string& choice, const Environment& environment) {
        return fuse(parse_plan(text + choice), environment).choice.space.travel;
    };
    EXPECT_EQ(travel("space=cuda; via=isend-waitall", {}), Travel::staged);
    for (const Environment& environment : {Environment{}, reached}) {
        EXPECT_EQ(travel("space=cuda; via=nccl", environment), Travel::direct);
        EXPECT_EQ(travel("space=cuda(direct); via=nccl", environment), Travel::direct);
        EXPECT_EQ(travel("space=cuda; via=nccl(kway(2))", environment), Travel::direct);
    }
    // One redistribution by MPI beside it.
    const std::string both = "space=cuda; via=nccl; via[1]=isend-waitall";
    EXPECT_EQ(travel(both, reached), Travel::direct);
    test::expect_refused(both, "does not reach the memory of cuda", [&] { travel(both, {}); });
    for (const auto& [choice, reason] : std::vector<std::pair<std::string, std::string>>{
             {"via=nccl", "computed on the host"},
             {"space=cuda(staged); via=nccl", "sends messages from the host's memory"},
             {"space=cuda(memory:65536); via=nccl", "sends messages from the host's memory"},
             {"space=fake(memory:65536); via=shared", "the host packs"},
             {"space=cuda; via=shared(nccl)", "cannot carry the messages of shared"}}) {
        test::expect_refused(choice, reason, [&] { parse_plan(text + choice); });
    }
}

TEST(Fuse, SaysWhyNothingBetterCarries) {
    const std::string text =
        why_text(parse_plan("c2c:f64:8x6x4 in=slab(0) out=slab(0); ranks=2; via=shared"), {});
    EXPECT_THAT(text, HasSubstr("stage 3: carrier region\n"));
    EXPECT_THAT(text, HasSubstr("not direct: the output arrays are not exposed"));
}

}  // namespace

}  // namespace weft::core
