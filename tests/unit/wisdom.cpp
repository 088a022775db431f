// What is remembered of tuning: which of two entries counts, which one answers a question.
#include "tune/wisdom.hpp"

#include <gtest/gtest.h>

#include "unit/wisdom_entries.hpp"

namespace weft::core::test {

namespace {

const std::string cube = "c2c:f64:64x64x64";

TEST(TuningSite, SaysHowRanksAreNumberedOnNodes) {
    EXPECT_EQ(placement_of(Topology(), 5), "block");
    EXPECT_EQ(placement_of(Topology({7, 7, 3, 3}), 4), "block");
    EXPECT_EQ(placement_of(Topology({7, 7, 3}), 3), "block");
    EXPECT_EQ(placement_of(Topology({7, 3, 7, 3}), 4), "cyclic");
    EXPECT_EQ(placement_of(Topology({7, 3, 7}), 3), "cyclic");
    const std::string mixed = placement_of(Topology({7, 3, 3, 7}), 4);
    EXPECT_TRUE(mixed.starts_with("mixed-")) << mixed;
    EXPECT_EQ(placement_of(Topology({1, 2, 2, 1}), 4), mixed);
    EXPECT_NE(placement_of(Topology({1, 2, 2, 2}), 4), mixed);
    EXPECT_EQ(placement_of(Topology({1, 2, 2}), 3).substr(0, 6), "mixed-");
}

TEST(TuningSite, CountsNodes) {
    TuningSite site;
    place(site, Topology({4, 4, 4, 9, 9}), 5);
    EXPECT_EQ(site.nodes, 2);
    EXPECT_EQ(site.ranks_per_node, 3);
    EXPECT_EQ(site.placement, "block");
    place(site, Topology(), 5);
    EXPECT_EQ(site.nodes, 1);
    EXPECT_EQ(site.ranks_per_node, 5);
}

TEST(TuningSite, SaysWhatDiffers) {
    const TuningSite here = entry_of(cube).key.site;
    TuningSite there = here;
    EXPECT_EQ(difference(there, here), "");
    there.nodes = 2;
    there.weft = "0.0.9";
    EXPECT_EQ(difference(there, here), "nodes 2 instead of 1, weft 0.0.9 instead of 1.2.3");
}

TEST(Wisdom, KeepsTheNewerThenTheMoreMeasured) {
    WisdomEntry old = entry_of(cube, 10);
    WisdomEntry fresh = entry_of(cube, 11);
    fresh.choice = "decomposition=pencil";
    for (const auto& both : {std::vector{old, fresh}, std::vector{fresh, old}}) {
        EXPECT_EQ(wisdom_of(both).entries.begin()->second.choice, fresh.choice);
    }
    old.evidence.date = fresh.evidence.date;
    old.evidence.winner.rounds = fresh.evidence.winner.rounds + 1;
    for (const auto& both : {std::vector{old, fresh}, std::vector{fresh, old}}) {
        EXPECT_EQ(wisdom_of(both).entries.begin()->second.choice, old.choice);
    }
}

TEST(Wisdom, CountsWhatAMergeBrings) {
    Wisdom known = wisdom_of({entry_of(cube, 11)});
    const Wisdom other = wisdom_of({entry_of(cube, 10), entry_of("c2c:f64:8x8", 10)});
    EXPECT_EQ(merge(known, other), 1);
    EXPECT_EQ(merge(known, other), 0);
    EXPECT_EQ(known.entries.size(), 2U);
}

TEST(Wisdom, TakesAnEnginesWisdomFromTheOtherEntryOfTheSameChoice) {
    WisdomEntry with = entry_of(cube, 10);
    with.engines["fftw"] = "(fftw-3 ..)";
    const WisdomEntry without = entry_of(cube, 11);
    for (const auto& both : {std::vector{with, without}, std::vector{without, with}}) {
        const WisdomEntry kept = wisdom_of(both).entries.begin()->second;
        EXPECT_EQ(kept.evidence.date, without.evidence.date);
        EXPECT_EQ(kept.engines, with.engines);
    }
    WisdomEntry other = without;
    other.choice = "decomposition=pencil";
    EXPECT_TRUE(wisdom_of({with, other}).entries.begin()->second.engines.empty());
}

TEST(Wisdom, MergesInAnyOrder) {
    std::vector<WisdomEntry> entries;
    for (int i = 0; i < 6; ++i) {
        entries.push_back(entry_of(cube, 10 + i / 3));
        entries.back().choice = "decomposition=" + std::string(i % 3 == 1 ? "slab" : "pencil");
        entries.back().evidence.winner.rounds = 1 + i % 2;
    }
    const std::string first = wisdom_of(entries).entries.begin()->second.choice;
    for (int turn = 0; turn < 5; ++turn) {
        std::rotate(entries.begin(), entries.begin() + 1, entries.end());
        const WisdomEntry kept = wisdom_of(entries).entries.begin()->second;
        EXPECT_EQ(kept.choice, first);
        EXPECT_EQ(kept.evidence.date, "2024-05-11T12:00:00Z");
        EXPECT_EQ(kept.evidence.winner.rounds, 2);
    }
}

TEST(Wisdom, PatternsHaveStars) {
    for (const char* pattern : {"*", "c2c:f64:64x64x64 in=free out=free", "c2c:*", "*free",
                                "*:f64:*", "c*6*4*=*=free*", "**c2c*"}) {
        EXPECT_TRUE(matches("c2c:f64:64x64x64 in=free out=free", pattern)) << pattern;
    }
    for (const char* pattern :
         {"", "c2c", "c2c:f64", "*slab*", "c2c:*fre", "r*", "*64x64x64x64*"}) {
        EXPECT_FALSE(matches("c2c:f64:64x64x64 in=free out=free", pattern)) << pattern;
    }
    EXPECT_TRUE(matches("", "*"));
    EXPECT_TRUE(matches("", ""));
}

TEST(Wisdom, ForgetsByProblemAndSite) {
    WisdomEntry far = entry_of(cube);
    far.key.site.nodes = 2;
    const Wisdom all = wisdom_of({entry_of(cube), far, entry_of("r2c:f32:8x8")});
    const auto left = [&](const char* problem, const char* site) {
        Wisdom wisdom = all;
        const int gone = forget(wisdom, problem, site);
        EXPECT_EQ(static_cast<std::size_t>(gone), all.entries.size() - wisdom.entries.size());
        return wisdom.entries.size();
    };
    EXPECT_EQ(left("*", "*"), 0U);
    EXPECT_EQ(left("c2c:*", "*"), 1U);
    EXPECT_EQ(left("c2c:*", "*nodes=2,*"), 2U);
    EXPECT_EQ(left("r2c:*", "*nodes=2,*"), 3U);
}

TEST(Wisdom, AnswersExactly) {
    const Wisdom wisdom = wisdom_of({entry_of(cube), entry_of("c2c:f64:32x32x32")});
    const WisdomKey key = entry_of(cube).key;
    const Remembered found = look_up(wisdom, key, "measure");
    ASSERT_NE(found.exact, nullptr);
    EXPECT_EQ(found.exact->key, key);
    EXPECT_EQ(found.nearest, nullptr);
    EXPECT_EQ(found.why, "");
    EXPECT_NE(look_up(wisdom, key, "frozen").exact, nullptr);
}

TEST(Wisdom, OffersWhatWasTunedLessThoroughlyAsAStart) {
    const Wisdom wisdom = wisdom_of({entry_of(cube)});
    const Remembered found = look_up(wisdom, entry_of(cube).key, "patient");
    EXPECT_EQ(found.exact, nullptr);
    ASSERT_NE(found.nearest, nullptr);
    EXPECT_NE(found.why.find("tuning=measure, tuning=patient"), std::string::npos) << found.why;
}

/// The problem that is offered for a cube of 64 here, and why it is not exact.
std::pair<std::string, std::string> offered(const std::vector<WisdomEntry>& entries) {
    const Wisdom wisdom = wisdom_of(entries);
    const Remembered found = look_up(wisdom, entry_of(cube).key, "measure");
    EXPECT_EQ(found.exact, nullptr);
    return {found.nearest == nullptr ? "" : found.nearest->key.problem, found.why};
}

TEST(Wisdom, OffersTheNearestProblem) {
    EXPECT_EQ(offered({}).first, "");
    EXPECT_NE(offered({}).second.find("nor has anything else"), std::string::npos);
    const auto [problem, why] =
        offered({entry_of("c2c:f64:8x8"), entry_of("c2c:f64:16x16x16"),
                 entry_of("c2c:f64:72x64x64"), entry_of("c2c:f32:72x64x64")});
    EXPECT_EQ(problem, "c2c:f64:72x64x64 in=free out=free");
    EXPECT_EQ(why, "it is of a similar problem: " + problem);
    EXPECT_EQ(offered({entry_of("c2c:f64:8x8"), entry_of("c2c:f64:300x300x300")}).first, "");
}

TEST(Wisdom, OffersTheProblemElsewhere) {
    WisdomEntry elsewhere = entry_of(cube);
    elsewhere.key.site.mpi = "MPICH 4.0.2";
    WisdomEntry farther = elsewhere;
    farther.key.site.nodes = 2;
    EXPECT_EQ(offered({elsewhere, farther}).second,
              "it was found elsewhere: MPI MPICH 4.0.2 instead of Open MPI v4.1.4");
    WisdomEntry more_ranks = entry_of(cube);
    more_ranks.key.ranks = 4;
    EXPECT_EQ(offered({more_ranks}).first, "");
    WisdomEntry neither = entry_of("c2c:f64:72x64x64");
    neither.key.site.nodes = 2;
    EXPECT_EQ(offered({neither}).first, "");
}

TEST(Wisdom, OffersTheProblemUnderOtherTerms) {
    WisdomEntry other = entry_of(cube);
    other.key.constraint = "engine=fftw";
    const auto [problem, why] = offered({other, entry_of("c2c:f64:128x128x128")});
    EXPECT_EQ(problem, other.key.problem);
    EXPECT_EQ(why, "it was tuned with engine=fftw, and is asked for with nothing fixed");
}

TEST(Wisdom, TellsStaleEntries) {
    const WisdomEntry entry = entry_of(cube);  // 1.9 to 2.2 ms
    for (const double seconds : {2e-3, 1.3e-3, 3.2e-3}) EXPECT_FALSE(is_stale(entry, seconds));
    for (const double seconds : {1.2e-3, 3.4e-3}) EXPECT_TRUE(is_stale(entry, seconds));
    EXPECT_EQ(stale_text(entry, 4.1e-3).substr(0, 69),
              "measured 4.1 ms, remembered 1.9 to 2.2 ms of 2024-05-10T12:00:00Z: th");
}

}  // namespace

}  // namespace weft::core::test
