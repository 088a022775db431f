// Structs of the C interface that grow, and the text of a thread's last error.
#include "api/c_struct.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "weft/error.hpp"
#include "weft/weft.h"

namespace weft {

namespace {

/// A struct of three versions; the second is the library's.
struct First {
    std::size_t struct_size;
    int a;
    int b;
};
struct Second {
    std::size_t struct_size;
    int a;
    int b;
    double c;
};
struct Third {
    std::size_t struct_size;
    int a;
    int b;
    double c;
    const char* d;
};

constexpr StructType type = {"things", "THINGS_INIT", sizeof(Second), sizeof(First),
                             alignof(Second)};

TEST(CStruct, AnOlderOneTakesDefaults) {
    const First given = {sizeof given, 1, 2};
    Second result = {sizeof result, 0, 0, 7};
    take_struct(&result, &given, type);
    EXPECT_EQ(result.struct_size, sizeof result);
    EXPECT_EQ(result.a, 1);
    EXPECT_EQ(result.b, 2);
    EXPECT_EQ(result.c, 7);
}

TEST(CStruct, ANewerOneIsTakenWhereItAsksForNothingNew) {
    const Third given = {sizeof given, 1, 2, 3, nullptr};
    Second result = {sizeof result, 0, 0, 7};
    take_struct(&result, &given, type);
    EXPECT_EQ(result.struct_size, sizeof result);
    EXPECT_EQ(result.c, 3);
}

TEST(CStruct, ANewerOneThatAsksForMoreIsRefusedWithBothSizes) {
    const Third given = {sizeof given, 1, 2, 3, "new"};
    try {
        (void)common_bytes(&given, type);
        FAIL() << "accepted";
    } catch (const Error& error) {
        const std::string text = error.what();
        EXPECT_EQ(error.code(), ErrorCode::bad_request);
        EXPECT_NE(text.find("things.struct_size is 32"), std::string::npos) << text;
        EXPECT_NE(text.find("of 24 bytes"), std::string::npos) << text;
    }
}

TEST(CStruct, SizesOfNoVersionAreRefused) {
    for (const std::size_t size : {0, 8, 17, 23, 25, 5000}) {
        const First given = {size, 1, 2};
        EXPECT_THROW((void)common_bytes(&given, type), Error) << size;
    }
}

TEST(CLastError, BelongsToTheThread) {
    ASSERT_EQ(weft_plan_for_ranks(nullptr, 2, nullptr), WEFT_BAD_REQUEST);
    const std::string mine = weft_last_error();
    EXPECT_NE(mine.find("'text' is NULL"), std::string::npos) << mine;
    std::string before;
    std::string after;
    std::thread other([&] {
        before = weft_last_error();
        weft_plan* plan = nullptr;
        EXPECT_EQ(weft_plan_for_ranks("c2c:f64:0", 2, &plan), WEFT_BAD_REQUEST);
        after = weft_last_error();
    });
    other.join();
    EXPECT_EQ(before, "");
    EXPECT_NE(after, "");
    EXPECT_EQ(mine, weft_last_error());
    // Success leaves it as it is.
    weft_plan* plan = nullptr;
    ASSERT_EQ(weft_plan_for_ranks("c2c:f64:8", 2, &plan), WEFT_SUCCESS);
    weft_plan_free(&plan);
    EXPECT_EQ(mine, weft_last_error());
}

}  // namespace

}  // namespace weft
