// The theorems of program.hpp, on the programs of all ranks of random plans.
#include <gtest/gtest.h>

#include "property/random_problem.hpp"
#include "property/shadow_machine.hpp"

namespace weft::core::test {

namespace {

constexpr std::uint64_t seeds_per_test = 25;
constexpr Index most_elements = 600;

class Programs : public ::testing::TestWithParam<int> {};

TEST_P(Programs, KeepTheirTheorems) {
    for (std::uint64_t i = 0; i < seeds_per_test; ++i) {
        const std::uint64_t seed = static_cast<std::uint64_t>(GetParam()) * seeds_per_test + i;
        const PlannedCase planned = planned_case(mix(3) + seed, most_elements);
        SCOPED_TRACE(to_string(planned.drawn));
        ASSERT_NO_THROW(ShadowMachine(planned.plan).run(seed));
        ASSERT_NO_THROW(ShadowMachine(reverse(planned.plan)).run(seed)) << "backward";
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Programs, ::testing::Range(0, 16));

}  // namespace

}  // namespace weft::core::test
