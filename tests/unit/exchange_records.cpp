// What weft exchange makes of its measurements: statistics, files, tables.
#include <gtest/gtest.h>

#include <cmath>
#include <iterator>
#include <sstream>

#include "measure/ranking.hpp"
#include "measure/record.hpp"
#include "measure/tables.hpp"
#include "weft/error.hpp"

namespace weft::cli {
namespace {

ExchangeRecord record(const std::string& method, int ranks, Index bytes, double microseconds) {
    const auto times = [](double seconds) {
        return statistics({0.5 * seconds, seconds, 2 * seconds});
    };
    Machine machine;
    machine.mpi = "an MPI";
    return {method,
            ranks,
            bytes,
            "a problem",
            3,
            times(1e-6 * microseconds),
            times(2e-6 * microseconds),
            machine};
}

ExchangeRecords sample() {
    return {record(reference_method, 2, 0, 0.25), record("alltoallv", 2, 0, 3),
            record(reference_method, 2, 64, 8),   record("alltoallv", 2, 64, 10),
            record("kway(10)", 2, 64, 40),        record("kway(2)", 2, 64, 20),
            record(reference_method, 4, 64, 50),  record("alltoallv", 4, 64, 25)};
}

/// The words of the row that begins with that word; none if there is no such row.
std::vector<std::string> row(const std::string& table, const std::string& first) {
    std::istringstream lines(table);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::vector<std::string> all{std::istream_iterator<std::string>(words), {}};
        if (!all.empty() && all.front() == first) return all;
    }
    return {};
}

using Row = std::vector<std::string>;

TEST(Statistics, AreMeanAndDeviationOfTheSample) {
    const Statistics all = statistics({1, 2, 3, 10});
    EXPECT_DOUBLE_EQ(all.mean, 4);
    EXPECT_DOUBLE_EQ(all.deviation, std::sqrt((9 + 4 + 1 + 36) / 3.0));
    EXPECT_DOUBLE_EQ(all.quartiles.median, 2.5);
    EXPECT_EQ(statistics({7}).deviation, 0);
}

TEST(ExchangeRecords, ReadBackAsTheyWereWritten) {
    const ExchangeRecords before = sample();
    const ExchangeRecords after = parse_records(json_lines(before), "a file");
    ASSERT_EQ(after.size(), before.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_EQ(after[i].method, before[i].method);
        EXPECT_EQ(after[i].ranks, before[i].ranks);
        EXPECT_EQ(after[i].bytes, before[i].bytes);
        EXPECT_EQ(after[i].problem, before[i].problem);
        EXPECT_EQ(after[i].repeats, before[i].repeats);
        EXPECT_EQ(after[i].machine.mpi, before[i].machine.mpi);
        EXPECT_DOUBLE_EQ(after[i].with_barrier.mean, before[i].with_barrier.mean);
        EXPECT_DOUBLE_EQ(after[i].without_barrier.deviation, before[i].without_barrier.deviation);
        EXPECT_DOUBLE_EQ(after[i].without_barrier.quartiles.q3,
                         before[i].without_barrier.quartiles.q3);
    }
}

TEST(ExchangeRecords, AreRefusedWithTheLineThatIsWrong) {
    const std::string good = json_lines({record("alltoallv", 2, 0, 3)});
    try {
        parse_records(good + "nothing\n", "a file");
        FAIL() << "was read";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::bad_request);
        EXPECT_NE(std::string(error.what()).find("'a file' line 2"), std::string::npos);
    }
    EXPECT_THROW(parse_records("", "a file"), Error);
}

TEST(ExchangeTables, HaveARowForEachSizeAndAColumnForEachNumberOfRanks) {
    EXPECT_EQ(row(times_table(sample(), "alltoallv"), "64"),
              (Row{"64", "10.0", "25.0", "20.0", "50.0"}));
    EXPECT_EQ(row(ratios_table(sample(), "alltoallv"), "64"),
              (Row{"64", "1.25", "0.50", "1.25", "0.50"}));
    EXPECT_EQ(row(ratios_table(sample(), "alltoallv"), "0"), (Row{"0", "12.0", "-", "12.0", "-"}));
    EXPECT_TRUE(row(ratios_table(sample(), "kway(2)"), "0").empty());
}

TEST(ExchangeTables, OrderKwayByK) {
    const std::string table = kway_table(sample(), 2);
    EXPECT_EQ(row(table, "bytes"), (Row{"bytes", "k", "=", "2", "k", "=", "10"}));
    EXPECT_EQ(row(table, "64"), (Row{"64", "20.0", "40.0"}));
    EXPECT_TRUE(kway_table({record("alltoallv", 2, 0, 3)}, 2).empty());
}

TEST(ExchangeTables, CompareWhatTwoRunsHaveInCommon) {
    const ExchangeRecords other = {record("alltoallv", 2, 64, 5), record("alltoallv", 8, 64, 5)};
    const std::string text = comparison(sample(), other);
    EXPECT_EQ(row(text, "64"), (Row{"64", "0.50", "0.50"}));
    EXPECT_TRUE(row(text, "0").empty());
    EXPECT_EQ(text.find("kway"), std::string::npos);
    EXPECT_THROW(comparison(sample(), {record("alltoallv", 8, 64, 5)}), Error);
}

TEST(Ranking, ComparesMethodsOverAllSizes) {
    ExchangeRecords records = sample();
    records.push_back(record(reference_method, 2, 16, 2));
    records.push_back(record("alltoallv", 2, 16, 4));
    const std::vector<Ranked> all = ranking(records, 2);
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[0].method, "alltoallv");
    EXPECT_DOUBLE_EQ(all[0].ratio, std::sqrt(4 / 2.0 * 10 / 8));
    EXPECT_DOUBLE_EQ(all[0].largest, 2);
    EXPECT_EQ(all[0].fastest_at, 2);
    EXPECT_EQ(all[0].sizes, 2);
    // Measured at one size only.
    EXPECT_EQ(all[1].method, "kway(2)");
    EXPECT_DOUBLE_EQ(all[1].ratio, 2.5);
    EXPECT_EQ(all[2].method, "kway(10)");
    EXPECT_EQ(all[2].fastest_at, 0);
    EXPECT_TRUE(ranking(sample(), 3).empty());
}

TEST(Ranking, LeavesMessagesOfNoBytesOut) {
    // kway(2) is the best of those that move nothing, and the worst of those that move something.
    ExchangeRecords records = sample();
    records.push_back(record("kway(2)", 2, 0, 0.001));
    const std::vector<Ranked> all = ranking(records, 2);
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[0].method, "alltoallv");
    EXPECT_DOUBLE_EQ(all[0].ratio, 1.25);
    EXPECT_EQ(all[1].method, "kway(2)");
    EXPECT_EQ(all[1].fastest_at, 0);
    EXPECT_EQ(all[1].sizes, 1);
    // The table by size still has them.
    EXPECT_EQ(row(fastest_table(records, 2), "0").back(), "kway(2)");
    EXPECT_TRUE(ranking({records.begin(), records.begin() + 2}, 2).empty());
}

TEST(Ranking, IsToldInASentenceAndInTables) {
    EXPECT_EQ(
        exchange_verdict(sample()),
        "on 4 ranks alltoallv is fastest over all: 0.50 of MPI_Alltoall's time in the mean of "
        "1 size, fastest at 1 of them; at worst 0.50");
    EXPECT_EQ(row(ranking_table(sample(), 2), "kway(2)"),
              (Row{"kway(2)", "2.50", "2.50", "0", "1"}));
    EXPECT_EQ(row(fastest_table(sample(), 2), "64"),
              (Row{"64", "8.00", "10.00", "1.25", "alltoallv"}));
    EXPECT_EQ(exchange_verdict({record(reference_method, 2, 0, 1)}),
              "no method was measured with messages of 1 byte or more on 2 ranks");
}

TEST(Tables, KeepToEightyColumns) {
    ExchangeRecords many;
    for (const int ranks : {2, 4, 8, 16, 32, 64, 128}) {
        for (const char* method : {reference_method, "isend-waitsome-block"}) {
            many.push_back(record(method, ranks, 1 << 20, 123456));
        }
    }
    std::istringstream lines(tables(many, true, true));
    std::string heads;
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), 80U) << line;
        if (line.find("128 ranks") != std::string::npos) heads += line;
    }
    EXPECT_NE(heads, "");
}

}  // namespace
}  // namespace weft::cli
