// The fields that problems and choices have in texts, in the order of these, for the command's options.
#pragma once

#include <span>
#include <string_view>

namespace weft::core {

struct Field {
    std::string_view key;      ///< in texts: `axes` of `axes=0,1`
    std::string_view takes;    ///< a word for the value: `AXES`; empty: it has none
    std::string_view summary;  ///< in help, with the default
};

/// Of the words behind a problem's shape; plan/problem.def.
std::span<const Field> problem_fields();
/// Words of problems that had another name before: texts and the command read both.
struct Renamed {
    std::string_view before;
    std::string_view now;
};
std::span<const Renamed> renamed_problem_words();
/// plan/choice.def.
std::span<const Field> choice_fields();

}  // namespace weft::core
