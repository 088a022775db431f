// What decompositions move, against the closed forms of [duy] and against a count of messages.
#include "plan/volume_table.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "exchange/transfers.hpp"
#include "model/default_plan.hpp"
#include "unit/refusal.hpp"

namespace weft::core {

namespace {

Traffic traffic_of(const std::string& text) { return traffic(parse_plan(text), "it"); }

// N^3 complex numbers, of which 1/P stay: one exchange of a slab.
TEST(Traffic, OfSlabsIsTheClosedForm) {
    for (const int ranks : {1, 2, 4, 8, 32}) {
        const Traffic slab =
            traffic_of(fmt::format("c2c:f64:32x32x32; ranks={}; decomposition=slab", ranks));
        const Index bytes = 32 * 32 * 32 * 16;
        EXPECT_EQ(slab.total(), bytes - bytes / ranks) << ranks;
        EXPECT_EQ(slab.redistributions.size(), ranks == 1 ? 0U : 1U);
        EXPECT_EQ(slab.most_sent, slab.total() / ranks);
        EXPECT_DOUBLE_EQ(slab.mean_sent(), static_cast<double>(slab.total()) / ranks);
    }
}

// One exchange among the P2 ranks of a row, one among the P1 of a column.
TEST(Traffic, OfPencilsIsTheClosedForm) {
    const Index bytes = 32 * 32 * 32 * 16;
    for (const auto& [p1, p2] : {std::pair{2, 4}, {4, 4}, {8, 2}, {16, 32}, {1, 8}}) {
        const Traffic pencil = traffic_of(fmt::format(
            "c2c:f64:32x32x32; ranks={0}; decomposition=pencil({1}x{2})", p1 * p2, p1, p2));
        EXPECT_EQ(pencil.total(), (bytes - bytes / p1) + (bytes - bytes / p2)) << p1 << "x" << p2;
    }
    // Halved, and in single precision: half of 32*32*17 complex numbers of 8 bytes, twice.
    EXPECT_EQ(traffic_of("r2c:f32:32x32x32; ranks=4; decomposition=pencil(2x2,01>02>12)").total(),
              32 * 32 * 17 * 8);
}

// Rows on P = N*k ranks: abc -> acb keeps the first axis, acb -> bca redistributions it: 1/k and 1/N stay.
TEST(Traffic, OfRowsIsTheClosedForm) {
    const Index bytes = 32 * 32 * 32 * 16;
    for (const int k : {2, 4, 8}) {
        const Traffic rows =
            traffic_of(fmt::format("c2c:f64:32x32x32; ranks={}; decomposition=row-wise", 32 * k));
        EXPECT_EQ(rows.total(), (bytes - bytes / k) + (bytes - bytes / 32)) << k;
    }
}

TEST(Traffic, IsWhatTheMessagesCarry) {
    for (const char* text :
         {"c2c:f64:7x9x5 in=brick out=slab(1); ranks=6; decomposition=pencil(2x3)",
          "r2c:f32:8x9x10 in=slab(2); ranks=7; decomposition=row-wise",
          "c2r:f64:6x6x6; ranks=15; decomposition=row-wise", "c2c:f64:5x4*3; ranks=3; shrink=2",
          "redistribute:3:10x7 in=slab(0) out=single; ranks=4"}) {
        const Plan plan = parse_plan(text);
        const Traffic found = traffic(plan, "it");
        std::map<int, Index> sent;
        std::vector<Index> redistributions;
        for (std::size_t i = 0; i < plan.stages.size(); ++i) {
            if (!std::holds_alternative<RedistributionStage>(plan.stages[i])) continue;
            redistributions.push_back(0);
            for (int rank = 0; rank < plan.ranks; ++rank) {
                for (const Transfer& send :
                     transfers(plan.at[i].where, plan.at[i + 1].where, rank).sends) {
                    const Index bytes =
                        send.peer == rank ? 0 : send.box.volume() * plan.at[i].scalar.bytes();
                    sent[rank] += bytes;
                    redistributions.back() += bytes;
                }
            }
            EXPECT_EQ(redistributions.back(),
                      volume(plan.at[i].where, plan.at[i + 1].where) * plan.at[i].scalar.bytes());
        }
        Index most = 0;
        for (const auto& [rank, bytes] : sent) most = std::max(most, bytes);
        EXPECT_EQ(found.redistributions, redistributions) << text;
        EXPECT_EQ(found.most_sent, most) << text;
    }
}

std::vector<Traffic> compared(const Problem& problem, const Choice& choice, int ranks) {
    return compared_traffic(default_plan(problem, choice, ranks), choice);
}

std::string names(const std::vector<Traffic>& rows) {
    std::string text;
    for (const Traffic& row : rows) text += (text.empty() ? "" : ", ") + row.name;
    return text;
}

TEST(Traffic, IsComparedWhereNoRankIdles) {
    const Problem cube = parse_problem("c2c:f64:16x16x16");
    EXPECT_EQ(names(compared(cube, {}, 16)),
              "default, least volume, slab, pencil 1xP, pencil square, row-wise");
    EXPECT_EQ(names(compared(cube, {}, 64)), "default, least volume, pencil square, row-wise");
    // A given end with idle ranks is no fault of the decomposition.
    EXPECT_EQ(names(compared(parse_problem("c2c:f64:16x16x16 in=single"), {}, 16)),
              "default, least volume, slab, pencil 1xP, pencil square, row-wise");
    EXPECT_EQ(names(compared(parse_problem("c2c:f64:16x16"), {}, 4)),
              "default, least volume, slab, row-wise");
    for (const int ranks : {3, 16, 20, 64, 100}) {
        const auto rows = compared(cube, {}, ranks);
        for (const Traffic& row : rows) EXPECT_LE(rows[1].total(), row.total()) << row.name;
    }
    test::expect_refused("slab", "decomposition=slab",
                         [&] { compared(cube, parse_choice("decomposition=slab"), 4); });
}

TEST(Traffic, IsPrintedForReadersAndForPrograms) {
    const auto rows = compared(parse_problem("c2c:f64:16x16x16"), {}, 4);
    const std::string csv = volume_csv(rows);
    EXPECT_NE(csv.find("4,slab,1,49152,12288.0,12288,49152,\"slab(4,0>1)\"\n"), std::string::npos)
        << csv;
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 7);
    const std::string table = volume_table(rows);
    EXPECT_NE(table.find("49.2 kB"), std::string::npos) << table;
    EXPECT_NE(table.find("32.8 kB + 32.8 kB"), std::string::npos) << table;
}

}  // namespace

}  // namespace weft::core
