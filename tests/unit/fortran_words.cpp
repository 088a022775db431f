// Fortran writes the text of a problem itself (fortran/problems.f90): its words and numbers are those
// of the rows that everything else is made of.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "plan/names.hpp"

namespace weft::core {

namespace {

using Words = std::vector<std::string>;

const std::string& source() {
    static const std::string text = [] {
        std::ostringstream all;
        all << std::ifstream(std::string(WEFT_SOURCE_DIR) + "/fortran/problems.f90").rdbuf();
        return all.str();
    }();
    return text;
}

/// What that group of each match is, in the order of the text.
Words found(const std::string& pattern, const std::string& text = source(), int group = 1) {
    const std::regex expression(pattern);
    Words result;
    for (auto at = std::sregex_iterator(text.begin(), text.end(), expression);
         at != std::sregex_iterator(); ++at) {
        result.push_back(at->str(group));
    }
    return result;
}

std::string function(const std::string& name) {
    const std::size_t begin = source().find("function " + name + "(");
    EXPECT_NE(begin, std::string::npos) << name;
    return source().substr(begin, source().find("end function", begin) - begin);
}

/// The strings of `name(0:11) = ['none', 'dct1', ..]`.
Words table(const std::string& name) {
    const Words lists = found(name + R"(\(0:\d+\) = \[([^\]]*)\])");
    EXPECT_EQ(lists.size(), 1U) << name;
    Words result;
    for (const std::string& one : found("'([^']*)'", lists.empty() ? "" : lists.front())) {
        result.emplace_back(trim(one));
    }
    return result;
}

/// Expects that the table names each value by its number; blank: another word stands for it.
template <class Value>
void expect_names(const std::string& name) {
    const Words words = table(name);
    ASSERT_EQ(words.size(), names_of<Value>.size()) << name;
    for (const auto& [value, text] : names_of<Value>) {
        const std::string& word = words[static_cast<std::size_t>(value)];
        EXPECT_EQ(word.empty() ? "redistribute" : word, text) << name;
    }
}

/// Expects a constant of each value: weft_r2c = 1.
template <class Value>
void expect_constants(const std::string& prefix) {
    for (const auto& [value, text] : names_of<Value>) {
        const bool real =
            std::string(text).starts_with("dct") || std::string(text).starts_with("dst");
        const std::string name = (real ? "weft_" : prefix) + text;
        EXPECT_EQ(found("\\b" + name + R"( = (\d+))"),
                  Words{std::to_string(static_cast<int>(value))})
            << name;
    }
}

TEST(FortranWords, AreThoseOfTheRowsInTheirOrder) {
    const Words rows = {
#define WEFT_PROBLEM_WORD(name, ...) #name,
#define WEFT_PROBLEM_FLAG(name, ...) #name,
#include "plan/problem.def"
    };
    // Each is a component, which the text asks for in turn, and what is printed of it.
    const Words components = found(R"(::\s*(\w+))");
    Words asked;
    for (const std::string& name : found(R"(problem%(\w+))", function("problem_text"))) {
        if (asked.empty() || asked.back() != name) asked.push_back(name);
    }
    asked.erase(asked.begin(), std::find(asked.begin(), asked.end(), rows.front()));
    EXPECT_EQ(asked, rows);
    for (const std::string& row : rows) EXPECT_THAT(components, testing::Contains(row));
    EXPECT_THAT(found(R"(' (\w+)=?')", function("problem_text") + function("kinds_text")),
                testing::UnorderedElementsAreArray(rows));
}

TEST(FortranWords, NameTheSameValues) {
    expect_names<Kind>("kinds");
    expect_names<AxisKind>("words");
    expect_names<Precision>("precisions");
    expect_constants<Kind>("weft_");
    expect_constants<AxisKind>("weft_axis_");
    expect_constants<Precision>("weft_");
}

}  // namespace

}  // namespace weft::core
