// What programs are said to read, write and compute.
#include "model/account.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "plan/plan.hpp"
#include "program/lower.hpp"

namespace weft::core {

namespace {

/// Of all ranks' programs of a plan.
Account total(const std::string& text) {
    const Plan plan = parse_plan(text);
    Account sum;
    for (int rank = 0; rank < plan.ranks; ++rank) {
        for (const Account& one : accounts(lower(plan, rank))) {
            sum.read += one.read;
            sum.written += one.written;
            for (const auto& [length, flops] : one.flops) sum.flops[length] += flops;
        }
    }
    return sum;
}

// Slabs by shared memory are two passes over the array, pencils three, whatever the scratch memory.
TEST(Account, CountsThePassesOfSharedMemory) {
    const Index bytes = 12 * 10 * 20 * 16;
    const Account slabs = total("c2c:f64:12x10x20 out=free; ranks=3; via=shared");
    EXPECT_EQ(slabs.read, 2 * bytes);
    EXPECT_EQ(slabs.written, 2 * bytes);
    const Account pencils =
        total("c2c:f64:12x10x20 out=free; ranks=6; decomposition=pencil(2x3); via=shared");
    EXPECT_EQ(pencils.read, 3 * bytes);
    EXPECT_EQ(pencils.written, 3 * bytes);
}

// The same arithmetic, however the data travels.
TEST(Account, CountsFlopsByLength) {
    const auto elements = 12.0 * 10 * 20;
    for (const std::string via : {"shared", "alltoallv", "kway"}) {
        const Account all = total("c2c:f64:12x10x20 out=free; ranks=3; via=" + via);
        ASSERT_EQ(all.flops.size(), 3U);
        for (const auto& [length, flops] : all.flops) {
            EXPECT_NEAR(flops, 5 * elements * std::log2(static_cast<double>(length)), 1e-6);
        }
    }
}

TEST(Account, CountsRealDataAsRealData) {
    const Account all = total("r2c:f64:12x10x20 out=free; ranks=2; via=shared");
    const Index real = 12 * 10 * 20 * 8;
    const Index spectrum = 12 * 10 * 11 * 16;
    EXPECT_EQ(all.read, real + spectrum);
    EXPECT_EQ(all.written, 2 * spectrum);
}

}  // namespace

}  // namespace weft::core
