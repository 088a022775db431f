// Which rule lowers which stage, and why.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "plan/fuse.hpp"
#include "program/lower.hpp"
#include "program/rules/rule.hpp"

namespace weft::core {

namespace {

/// The names of the rules that hold, by stage.
std::vector<std::string> rules_of(const std::string& text, const Environment& environment = {}) {
    const std::string rules = rules_text(parse_plan(text), 0, environment);
    std::vector<std::string> result;
    const std::string begin = "rule       stage";
    for (std::size_t at = rules.find(begin); at != std::string::npos; at = rules.find(begin, at)) {
        const std::size_t first = rules.find(": ", at) + 2;
        at = rules.find(": ", first);
        result.push_back(rules.substr(first, at - first));
    }
    return result;
}

using Names = std::vector<std::string>;

TEST(Rules, FollowWhatStagesReadAndWrite) {
    EXPECT_EQ(rules_of("c2c:f64:8x6x4; ranks=2; via=shared"),
              (Names{"one pass", "fused", "one pass"}));
    EXPECT_EQ(rules_of("c2c:f64:8x6x4; ranks=2; via=alltoallv; pack=sender"),
              (Names{"engine", "packed", "engine"}));
    EXPECT_EQ(rules_of("c2c:f64:8x6x4; ranks=2; via=alltoallv; pack=fused"),
              (Names{"one pass", "fused", "one pass"}));
    EXPECT_EQ(rules_of("c2c:f64:8x6x4 in=slab(0) out=slab(0); ranks=2; via=shared",
                       {{}, true, true, true}),
              (Names{"one pass", "fused", "one pass", "direct"}));
}

TEST(Rules, HaveAxesOfPartsInOnePassWhereMovesAre) {
    const std::string problem = "c2c:f64:8x6x4 modes=6x4x4; ranks=";
    EXPECT_EQ(rules_of(problem + "2; via=shared"), (Names{"one pass", "fused", "one pass"}));
    EXPECT_EQ(rules_of(problem + "1"), (Names{"axis by axis"}));
    EXPECT_EQ(rules_of(problem + "2; via=alltoallv; pack=sender"),
              (Names{"axis by axis", "packed", "engine"}));
}

TEST(Rules, OfTilesAreOthers) {
    const char* plan =
        "c2c:f64:16x16x16; ranks=2; via=alltoallv; pack=sender; engine=reference; "
        "tile=(axis:2,T:4,W:2)";
    EXPECT_EQ(rules_of(plan), (Names{"transposition", "sub-tiles"}));
    const std::string text = rules_text(parse_plan(plan), 0, {});
    EXPECT_NE(text.find("rule       stages 1 to 3: sub-tiles: "), std::string::npos) << text;
}

TEST(Rules, KeepWhatTheyRead) {
    EXPECT_EQ(rules_of("c2r:f64:8x6x4; ranks=1"), (Names{"complex axes first"}));
    EXPECT_EQ(rules_of("c2r:f64:8x6x4 may_destroy_input; ranks=1"), (Names{"engine"}));
    EXPECT_EQ(rules_of("c2c:f64:8x6x4 in_place; ranks=1"), (Names{"engine"}));
    EXPECT_EQ(rules_of("c2c:f64:8x6x4 in=single out=single@210 in_place; ranks=1"),
              (Names{"copy first"}));
}

// Each reason is one of a rule that would be preferred.
TEST(Rules, SayWhyNot) {
    const std::string text =
        rules_text(parse_plan("c2c:f64:8x6x4; ranks=2; via=alltoallv; pack=sender"), 0, {});
    EXPECT_NE(text.find("rule       stage 1: packed: "), std::string::npos) << text;
    EXPECT_NE(text.find("           not direct: carrier=messages\n"), std::string::npos) << text;
    EXPECT_NE(text.find("           not fused: pack=sender\n"), std::string::npos) << text;
    EXPECT_NE(text.find("           not one pass: it reads and writes layouts\n"),
              std::string::npos)
        << text;
}

// Whatever the stage, some rule holds, and none after it is asked.
TEST(Rules, LastOnesHoldAlways) {
    const Plan plan = fuse(parse_plan("c2c:f64:8x6x4; ranks=2; via=shared"), {});
    Draft draft{0, {}, {}, {}};
    const Environment environment;
    const Lowering lowering{plan, environment, draft};
    for (int stage = 0; stage < static_cast<int>(plan.stages.size()); ++stage) {
        const Rule& last = rules_for(plan.stages[static_cast<std::size_t>(stage)]).back();
        EXPECT_FALSE(last.why_not(lowering, stage)) << last.name;
    }
}

/// By stage, whether passes write past the caches what they leave in arrays and regions.
std::vector<bool> streams_of(const std::string& text, Index shared_cache) {
    Environment environment;
    environment.shared_cache = shared_cache;
    const Plan plan = parse_plan(text);
    const Program program = lower(plan, 0, environment);
    std::vector<bool> result;
    for (const Operation& operation : program.operations) {
        const auto* pass = std::get_if<FusedOp>(&operation.what);
        if (pass == nullptr) continue;
        const auto& last = std::get<FusedLines>(pass->work.back());
        result.push_back(last.caches.stream);
    }
    return result;
}

// 64x64x32 complex numbers are 2 MiB, 96x96x48 are 6.75.
TEST(Rules, LeaveResultsInTheCacheThatRanksShare) {
    constexpr Index share = Index{16} << 20;
    using Streams = std::vector<bool>;
    const char* middle = "c2c:f64:64x64x64; ranks=2; via=shared";
    EXPECT_EQ(streams_of(middle, 0), (Streams{true, true}));
    EXPECT_EQ(streams_of(middle, share), (Streams{false, false}));
    EXPECT_EQ(streams_of(middle, share / 4), (Streams{true, true}));
    EXPECT_EQ(streams_of("c2c:f64:96x96x96; ranks=2; via=shared", share), (Streams{true, true}));
    const char* small = "c2c:f64:16x16x16; ranks=2; via=shared";
    EXPECT_EQ(streams_of(small, 0), (Streams{false, false}));
    EXPECT_EQ(streams_of(small, 1), (Streams{false, false}));
}

}  // namespace

}  // namespace weft::core
