// Memory for arrays: sizes that there cannot be.
#include "weft/allocate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>
#include <limits>

#include "weft/error.hpp"
#include "weft/weft.h"

namespace weft {
namespace {

TEST(Allocate, QuotesANegativeSizeAsItWasGiven) {
    for (const Index size : {Index{-1}, Index{-7}, std::numeric_limits<Index>::min()}) {
        const std::string text =
            "a negative size: " + std::to_string(size) + "; memory has 0 bytes or more";
        EXPECT_THAT([&] { (void)allocate<std::complex<double>>(size); },
                    testing::ThrowsMessage<Error>(text));
        EXPECT_THAT([&] { (void)allocate<float>(size); }, testing::ThrowsMessage<Error>(text));
        EXPECT_EQ(weft_allocate(static_cast<std::size_t>(size)), nullptr);
        EXPECT_EQ(weft_last_error(), text);
    }
}

TEST(Allocate, HasMemoryOfNoElements) {
    EXPECT_EQ(allocate<double>(0).size(), 0);
    void* none = weft_allocate(0);
    EXPECT_NE(none, nullptr);
    weft_free(none);
}

}  // namespace
}  // namespace weft
