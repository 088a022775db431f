// What a refused text must look like: Error(bad_request) whose message quotes the offending word.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>

#include "weft/error.hpp"

namespace weft::core::test {

struct BadText {
    std::string text;
    std::string quoted;  ///< what the message must contain
};

inline void PrintTo(const BadText& bad, std::ostream* stream) { *stream << bad.text; }

inline void expect_refused(const std::string& text, const std::string& quoted,
                           const std::function<void()>& work) {
    try {
        work();
        ADD_FAILURE() << "'" << text << "' was accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::bad_request) << error.what();
        EXPECT_NE(std::string(error.what()).find(quoted), std::string::npos)
            << "'" << text << "' is refused by '" << error.what() << "', which does not quote '"
            << quoted << "'";
    }
}

}  // namespace weft::core::test
