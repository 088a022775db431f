// Messages in half of the bytes: the numbers themselves, what a plan says, what it sends.
#include "plan/wire.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "kernels/copy.hpp"
#include "plan/explain.hpp"
#include "plan/fuse.hpp"
#include "plan/plan.hpp"
#include "plan/volume_table.hpp"
#include "program/lower.hpp"

namespace weft::core {

namespace {

constexpr Slice all(Index count) { return {0, {{count, 1}}}; }

float through_bf16(float number) {
    std::uint16_t half = 0;
    float back = 0;
    halve(Precision::f32, reinterpret_cast<const std::byte*>(&number),
          reinterpret_cast<std::byte*>(&half), all(1));
    unhalve(Precision::f32, reinterpret_cast<const std::byte*>(&half),
            reinterpret_cast<std::byte*>(&back), all(1));
    return back;
}

TEST(Wire, RoundsFloatsToEightBitsTiesToEven) {
    EXPECT_EQ(through_bf16(1), 1.F);
    EXPECT_EQ(through_bf16(1 + 0x1p-8F), 1.F);             // a tie, down to the even one
    EXPECT_EQ(through_bf16(1 + 0x3p-8F), 1 + 0x4p-8F);     // a tie, up to the even one
    EXPECT_EQ(through_bf16(1 + 0x1.01p-8F), 1 + 0x1p-7F);  // above a tie
    EXPECT_EQ(through_bf16(-(1 + 0x1.01p-8F)), -1 - 0x1p-7F);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(through_bf16(-0.F)), 0x80000000U);
    EXPECT_EQ(through_bf16(0x1p-133F), 0x1p-133F);  // the least that is not 0
    EXPECT_EQ(through_bf16(0x1p-149F), 0.F);
    EXPECT_EQ(through_bf16(std::numeric_limits<float>::max()), HUGE_VALF);
    EXPECT_EQ(through_bf16(-HUGE_VALF), -HUGE_VALF);
}

TEST(Wire, KeepsEveryNotANumber) {
    for (const std::uint32_t bits : {0x7fc00000U, 0x7f800001U, 0xff800001U, 0x7fffffffU}) {
        EXPECT_TRUE(std::isnan(through_bf16(std::bit_cast<float>(bits)))) << bits;
    }
    EXPECT_TRUE(std::isnan(through_bf16(std::nanf(""))));
}

TEST(Wire, EveryBf16ComesBackAsItIs) {
    for (std::uint32_t high = 0; high < 0x10000; ++high) {
        const auto number = std::bit_cast<float>(high << 16);
        if (std::isnan(number)) continue;
        EXPECT_EQ(std::bit_cast<std::uint32_t>(through_bf16(number)), high << 16);
    }
}

// Of a slice whose elements do not lie together, and what lies between them stays as it is.
TEST(Wire, ConvertsASliceAtItsPlaces) {
    const Slice slice{1, {{3, 10}, {2, 1}}};
    std::vector<double> whole(40);
    for (std::size_t i = 0; i < whole.size(); ++i) whole[i] = 1 / (1.0 + static_cast<double>(i));
    std::vector<float> half(40, -1);
    std::vector<double> back(40, -1);
    halve(Precision::f64, reinterpret_cast<const std::byte*>(whole.data()),
          reinterpret_cast<std::byte*>(half.data()), slice);
    unhalve(Precision::f64, reinterpret_cast<const std::byte*>(half.data()),
            reinterpret_cast<std::byte*>(back.data()), slice);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        const bool inside = i == 1 || i == 2 || i == 11 || i == 12 || i == 21 || i == 22;
        EXPECT_EQ(half[i], inside ? static_cast<float>(whole[i]) : -1.F) << i;
        EXPECT_EQ(back[i], inside ? static_cast<double>(half[i]) : -1.0) << i;
    }
}

Index sent_bytes(const Plan& plan, const Environment& environment = {}) {
    Index bytes = 0;
    for (int rank = 0; rank < plan.ranks; ++rank) {
        for (const Operation& operation : lower(plan, rank, environment).operations) {
            const auto* start = std::get_if<StartOp>(&operation.what);
            if (start == nullptr) continue;
            for (const Message& one : start->task.sends) {
                if (one.peer != rank) bytes += one.count() * start->task.element_bytes;
            }
        }
    }
    return bytes;
}

// Packed by copies, by MPI's types and by transforms, in one exchange and in several, in tiles.
TEST(Wire, HalvesTheBytesOfEveryMessage) {
    for (const std::string how :
         {"via=alltoallv; pack=sender", "via=alltoallv; pack=receiver", "via=alltoallw",
          "via=shared; carrier=messages", "via=alltoall; pack=sender", "via=pairwise",
          "decomposition=pencil(2x2); via=alltoallv", "via=ialltoallv; tile=default"}) {
        for (const std::string problem : {"c2c:f64:16x12x8", "r2c:f64:16x12x8*3"}) {
            const std::string text = fmt::format("{}; ranks=4; {}", problem, how);
            const Plan dense = parse_plan(text);
            const Plan half = parse_plan(text + "; wire=f32");
            EXPECT_GT(sent_bytes(dense), 0) << text;
            // In slots more may be sent than there is.
            if (how.find("alltoall;") == std::string::npos) {
                EXPECT_EQ(2 * sent_bytes(half), sent_bytes(dense)) << text;
            }
            EXPECT_EQ(2 * traffic(half, "").total(), traffic(dense, "").total()) << text;
        }
    }
}

// Ranks of a node read and write the arrays' numbers; those of other nodes are sent messages.
TEST(Wire, LeavesSharedMemoryAsItIs) {
    const std::string text = "c2c:f64:16x12x8 in=slab(0); ranks=4; via=shared";
    const Environment one_node{Topology(4, 4)};
    const Plan dense = fuse(parse_plan(text), one_node);
    const Plan half = fuse(parse_plan(text + "; wire=f32"), one_node);
    for (int rank = 0; rank < 4; ++rank) {
        EXPECT_EQ(lower(half, rank, one_node).operations, lower(dense, rank, one_node).operations);
    }
    EXPECT_EQ(traffic(half, "").total(), traffic(dense, "").total());
    EXPECT_NE(explain(half, {}, Topology(4, 4)).find("in shared memory as the arrays have them"),
              std::string::npos);

    const Environment two_nodes{Topology(4, 2)};
    const Index whole = sent_bytes(fuse(parse_plan(text), two_nodes), two_nodes);
    const Plan between = fuse(parse_plan(text + "; wire=f32"), two_nodes);
    EXPECT_GT(whole, 0);
    EXPECT_EQ(2 * sent_bytes(between, two_nodes), whole);
    EXPECT_NE(explain(between, {}, Topology(4, 2)).find("between nodes as f32, which adds"),
              std::string::npos);
}

TEST(Wire, IsSaidByThePlanWithItsError) {
    const Plan plan = parse_plan("c2c:f32:8x8x8; ranks=2; wire=bf16");
    EXPECT_NE(to_string(plan).find("wire=bf16"), std::string::npos) << to_string(plan);
    EXPECT_EQ(parse_plan(to_string(plan)), plan);
    EXPECT_NE(explain(plan).find("as bf16, which adds errors of 2^-8 of each number"),
              std::string::npos)
        << explain(plan);
    EXPECT_EQ(wire_error(Wire::f32), 0x1p-24);
    EXPECT_EQ(wire_error(Wire::bf16), 0x1p-8);
    EXPECT_EQ(wire_error(Wire::same), 0);
    EXPECT_EQ(to_string(parse_plan("c2c:f32:8x8x8; ranks=2")).find("wire"), std::string::npos);
}

std::string refusal(const std::string& text) {
    try {
        (void)parse_plan(text);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Wire, IsRefusedWhereNumbersCannotBeRounded) {
    const auto says = [](const std::string& text, const std::string& part) {
        EXPECT_NE(refusal(text).find(part), std::string::npos) << text << ": " << refusal(text);
    };
    says("c2c:f32:8x8x8; ranks=2; wire=f32",
         "f32 arrays are sent in half of the bytes by wire=bf16");
    says("c2c:f64:8x8x8; ranks=2; wire=bf16",
         "f64 arrays are sent in half of the bytes by wire=f32");
    says("redistribute:8:8x8x8 in=slab(0) out=slab(1); ranks=2; wire=f32",
         "redistribute does not know");
    says("c2c:f64:8x8x8; ranks=2; wire=f32; reproducible=yes", "leave out wire, or reproducible");
    says("c2c:f64:8x8x8; ranks=2; wire=f32; space=fake", "rounded on the host only");
    says("c2c:f64:8x8x8; ranks=2; wire=half", "wire");
    says("c2c:f64:8x8x8; ranks=2; wire=f32; wire=f32", "given twice");
}

}  // namespace

}  // namespace weft::core
