// Wisdom as lines of JSON: what is written reads back, and no line can do harm.
#include "tune/wisdom_text.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/random.hpp"
#include "unit/wisdom_entries.hpp"

namespace weft::core::test {

namespace {

using Json = nlohmann::ordered_json;

std::string line_of(const WisdomEntry& entry) { return to_text(wisdom_of({entry})); }

const std::string& good_line() {
    static const std::string line = line_of(entry_of("c2c:f64:8x8x8"));
    return line;
}

/// Of a text whose every line is skipped: the reasons.
std::string refused(const std::string& text) {
    const ReadWisdom read = read_wisdom(text);
    EXPECT_TRUE(read.wisdom.entries.empty()) << text;
    std::string reasons;
    for (const SkippedLine& line : read.skipped) reasons += to_string(line) + "\n";
    return reasons;
}

/// The good line with the member at that pointer set to a value.
std::string changed(const char* pointer, const Json& value) {
    Json json = Json::parse(good_line());
    json[Json::json_pointer(pointer)] = value;
    return json.dump();
}

TEST(WisdomText, ReadsBack) {
    WisdomEntry full = entry_of("r2c:f32:8x6x4*3 in=slab(0) out=slab(1)@021 scale=n/none", 20);
    full.key.constraint = "engine=fftw; threads=2";
    full.key.conditions = "arrays=exposed";
    full.engines["fftw"] = "(fftw-3.3.10 \"quoted\"\n  second line)";
    const Wisdom wisdom = wisdom_of({full, entry_of("c2c:f64:8x8x8")});
    const std::string text = to_text(wisdom);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
    const ReadWisdom read = read_wisdom(text);
    EXPECT_TRUE(read.skipped.empty());
    ASSERT_EQ(read.wisdom.entries.size(), 2U);
    for (const auto& [key, entry] : wisdom.entries) {
        ASSERT_TRUE(read.wisdom.entries.contains(key)) << key.problem;
        const WisdomEntry& again = read.wisdom.entries.at(key);
        EXPECT_EQ(again.choice, entry.choice);
        EXPECT_EQ(again.evidence, entry.evidence);
        EXPECT_EQ(again.engines, entry.engines);
    }
    EXPECT_EQ(to_text(read.wisdom), text);
}

TEST(WisdomText, MakesProblemsAndChoicesCanonical) {
    const ReadWisdom read = read_wisdom(changed("/problem", "c2c:f64:8x8x8"));
    ASSERT_EQ(read.wisdom.entries.size(), 1U);
    EXPECT_EQ(read.wisdom.entries.begin()->first.problem, "c2c:f64:8x8x8 in=free out=free");
}

TEST(WisdomText, KeepsMembersThatItDoesNotKnow) {
    Json json = Json::parse(good_line());
    json["colour"] = "red";
    json["site"]["switches"] = 3;
    json["evidence"]["winner"]["samples"] = {1, 2, 3};
    json["evidence"]["losers"][0]["rank"] = 7;
    Wisdom wisdom = wisdom_of({entry_of("c2c:f64:8x8x8", 9)});
    EXPECT_EQ(merge(wisdom, read_wisdom(json.dump()).wisdom), 1);
    EXPECT_EQ(Json::parse(to_text(wisdom)), json);
}

TEST(WisdomText, KeepsForeignLines) {
    const std::string foreign = changed("/version", 2) + "\n{\"format\":\"a bird\"}\n";
    const ReadWisdom read = read_wisdom(foreign + good_line() + foreign);
    EXPECT_EQ(read.wisdom.entries.size(), 1U);
    EXPECT_EQ(read.skipped.size(), 4U);
    EXPECT_EQ(to_text(read.wisdom), good_line() + foreign);
    Wisdom merged = read.wisdom;
    merge(merged, read.wisdom);
    EXPECT_EQ(to_text(merged), good_line() + foreign);
}

TEST(WisdomText, OfTwoEntriesOfOneKeyTheBetterCounts) {
    const std::string old = line_of(entry_of("c2c:f64:8x8x8", 10));
    const std::string fresh = line_of(entry_of("c2c:f64:8x8x8", 11));
    const ReadWisdom rising = read_wisdom(old + fresh);
    EXPECT_EQ(to_text(rising.wisdom), fresh);
    ASSERT_EQ(rising.skipped.size(), 1U);
    EXPECT_EQ(rising.skipped.front().number, 1);
    const ReadWisdom falling = read_wisdom(fresh + old);
    EXPECT_EQ(to_text(falling.wisdom), fresh);
    ASSERT_EQ(falling.skipped.size(), 1U);
    EXPECT_EQ(falling.skipped.front().number, 2);
}

TEST(WisdomText, SaysWhichLineAndWhy) {
    const std::string text = good_line() + "\n" + changed("/version", 0) + "\nnonsense\n" +
                             changed("/ranks", "two") + "\n";
    const ReadWisdom read = read_wisdom(text);
    EXPECT_EQ(read.wisdom.entries.size(), 1U);
    ASSERT_EQ(read.skipped.size(), 3U);
    EXPECT_EQ(to_string(read.skipped[0]),
              "line 3: version 0 is older than this weft's 1; tune again");
    EXPECT_EQ(read.skipped[1].number, 4);
    EXPECT_EQ(to_string(read.skipped[2]),
              "line 5: ranks is \"two\": a whole number from 1 to 1e9 is needed");
}

TEST(WisdomText, RefusesWhatIsNotWellFormed) {
    const auto expect = [](const std::string& line, const std::string& reason) {
        EXPECT_NE(refused(line).find(reason), std::string::npos) << refused(line) << line;
    };
    expect("[]", "the line is not an object");
    expect("17", "the line is not an object");
    expect("{}", "the key format is missing");
    expect(changed("/format", "weft machine"), "format is 'weft machine'");
    expect(changed("/version", 2), "version 2 is newer");
    expect(changed("/problem", "c2d:f64:8"), "kind 'c2d'");
    expect(changed("/choice", "via=pigeon"), "via 'pigeon'");
    expect(changed("/constraint", "colour=red"), "colour");
    expect(changed("/site", 3), "site is not an object");
    expect(changed("/site/nodes", 0), "site.nodes is 0");
    expect(changed("/site/mpi", nullptr), "site.mpi is null");
    expect(changed("/evidence/date", "yesterday"), "evidence.date is \"yesterday\"");
    expect(changed("/evidence/winner/seconds", -1), "evidence.winner.seconds is -1");
    expect(changed("/evidence/winner/low", 1), "has to lie between low, 1, and high");
    expect(changed("/evidence/losers", 1), "a list in brackets");
    expect(changed("/evidence/losers/0/choice", 1), "evidence.losers.choice is 1");
    expect(changed("/engines", "fftw"), "engines is not an object");
    expect(changed("/engines", {{"fftw", 1}}), "engines.fftw is 1");
    expect(good_line().substr(0, good_line().size() - 2) + ",\"ranks\":3}", "ranks is there twice");
    expect(std::string(200000, '['), "nested deeper");
}

TEST(WisdomText, AnEmptyTextIsEmptyWisdom) {
    for (const char* text : {"", "\n", " \n\t\r\n"}) {
        EXPECT_EQ(refused(text), "");
        EXPECT_EQ(to_text(read_wisdom(text).wisdom), "");
    }
}

TEST(WisdomText, ATruncatedLineIsSkipped) {
    const std::string& whole = good_line();
    for (std::size_t length = 1; length + 1 < whole.size(); ++length) {
        const ReadWisdom read = read_wisdom(whole + whole.substr(0, length));
        EXPECT_EQ(read.wisdom.entries.size(), 1U);
        ASSERT_EQ(read.skipped.size(), 1U) << length;
        EXPECT_EQ(read.skipped.front().number, 2);
        EXPECT_NE(read.skipped.front().reason.find("not JSON"), std::string::npos);
    }
}

TEST(WisdomText, GarbageIsSkippedAndReportedInPlainLetters) {
    Random random(5);
    for (int round = 0; round < 2000; ++round) {
        std::string text = good_line();
        const int changes = static_cast<int>(random.between(1, 20));
        for (int i = 0; i < changes; ++i) {
            text[static_cast<std::size_t>(random.between(0, static_cast<Index>(text.size()) - 1))] =
                static_cast<char>(random.between(0, 255));
        }
        const ReadWisdom read = read_wisdom(text);
        for (const SkippedLine& line : read.skipped) {
            EXPECT_TRUE(std::all_of(line.reason.begin(), line.reason.end(),
                                    [](char c) { return c >= ' ' && c <= '~'; }));
        }
        // What was not an entry is kept as it is; what was one can be written.
        EXPECT_EQ(to_text(read_wisdom(to_text(read.wisdom)).wisdom), to_text(read.wisdom));
    }
}

}  // namespace

}  // namespace weft::core::test
