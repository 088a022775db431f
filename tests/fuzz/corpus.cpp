// The corpus of the fuzzer as a test of its own: texts that were once wrong, and those of the
// pages.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "fuzz/check_text.hpp"

namespace weft::core::test {

namespace {

TEST(Corpus, OfTextsHoldsItsTheorems) {
    std::ifstream corpus(WEFT_SOURCE_DIR "/tests/fuzz/corpus.txt");
    ASSERT_TRUE(corpus);
    int texts = 0;
    for (std::string text; std::getline(corpus, text); ++texts) {
        EXPECT_NO_THROW(check_text(text)) << text;
    }
    EXPECT_GT(texts, 500);
}

}  // namespace

}  // namespace weft::core::test
