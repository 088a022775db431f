// What tests of plans that are found by timing begin with, and what holds of each such plan.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "api/wisdom_store.hpp"
#include "net/agree.hpp"
#include "plan/plan.hpp"
#include "verify/checks.hpp"
#include "weft/weft.hpp"

namespace weft::test {

/// Nothing is known, and no file is looked at.
class MeasuredPlans : public testing::Test {
  protected:
    void SetUp() override {
        setenv("WEFT_WISDOM", "", 1);
        forget_wisdom("*", "*");
    }
    void TearDown() override {
        forget_wisdom("*", "*");
        unsetenv("WEFT_WISDOM");
    }

    /// That of the text is the same on all ranks, says all without the word that left something
    /// open, and transforms right.
    static void expect_complete_and_right(const std::string& text, const std::string& open,
                                          std::uint64_t seed) {
        const core::PlanRequest asked = core::parse_plan_request(text);
        const auto rig = core::mpi_rig(asked.problem, asked.choice, MPI_COMM_WORLD);
        std::string found = core::to_string(rig->plan());
        EXPECT_EQ(found.find(open), std::string::npos) << found;
        EXPECT_EQ(Plan::parse(found, MPI_COMM_WORLD).text(), found);
        core::require_same(MPI_COMM_WORLD, "the plan", [&] { return found; });
        for (const core::Finding& finding : core::verify(*rig, seed)) {
            EXPECT_TRUE(finding.right()) << finding.check << " of " << found;
        }
    }
};

}  // namespace weft::test
