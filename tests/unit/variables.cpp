// Environment variables: what is read from them, and what is refused.
#include "base/variables.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "mpi/set_variable.hpp"
#include "weft/plan.hpp"

namespace weft::core {
namespace {

constexpr const char* tried = "WEFT_TEST_VARIABLE";

void expect_refused(const std::function<void()>& call, const std::string& text) {
    EXPECT_THAT(call, testing::ThrowsMessage<Error>(text));
}

TEST(Variables, SayNothingIfUnsetOrEmpty) {
    weft::test::SetVariable one(tried, nullptr);
    for (const char* value : {static_cast<const char*>(nullptr), ""}) {
        one.set(value);
        EXPECT_EQ(variable(tried), std::nullopt);
        EXPECT_EQ(yes_or_no(tried), std::nullopt);
        EXPECT_EQ(whole_number(tried, 1, 9), std::nullopt);
    }
    one.set(" ");
    EXPECT_EQ(variable(tried), " ");
}

TEST(Variables, AreYesOrNo) {
    weft::test::SetVariable one(tried, "yes");
    EXPECT_EQ(yes_or_no(tried), true);
    one.set("no");
    EXPECT_EQ(yes_or_no(tried), false);
    one.set("No");
    expect_refused([] { (void)yes_or_no(tried); },
                   "WEFT_TEST_VARIABLE is 'No', but can be yes or no");
}

TEST(Variables, AreWholeNumbersWithinBounds) {
    weft::test::SetVariable one(tried, "1");
    EXPECT_EQ(whole_number(tried, 1, 9), 1);
    one.set("9");
    EXPECT_EQ(whole_number(tried, 1, 9), 9);
    for (const char* value : {"0", "10", "-1", "abc", "2x", " 2", "2.5", "99999999999999999999"}) {
        one.set(value);
        expect_refused([] { (void)whole_number(tried, 1, 9); },
                       std::string("WEFT_TEST_VARIABLE is '") + value +
                           "', but can be a whole number from 1 to 9");
    }
}

TEST(Variables, AreRefusedWhereverTheyAreRead) {
    for (const auto& [wrong, allowed] :
         {std::pair{"WEFT_WINDOWS", "mpi"}, std::pair{"WEFT_DEVICE_PIN", "yes or no"},
          std::pair{"WEFT_DEVICE_GRAPHS", "yes or no"}, std::pair{"WEFT_DEVICE_MPI", "yes or no"},
          std::pair{"WEFT_RANKS_PER_NODE", "a whole number from 1 to 2147483647"}}) {
        EXPECT_NO_THROW(check_variables());
        const weft::test::SetVariable one(wrong, "foo");
        expect_refused(check_variables,
                       std::string(wrong) + " is 'foo', but can be " + std::string(allowed));
    }
}

TEST(Variables, OfRanksPerNodeAreRefusedWithoutMpiToo) {
    const weft::test::SetVariable one("WEFT_RANKS_PER_NODE", "abc");
    EXPECT_THROW((void)weft::Plan::for_ranks(4, "c2c:f64:8x8x8"), Error);
}

}  // namespace
}  // namespace weft::core
