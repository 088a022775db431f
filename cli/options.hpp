// The one set of options that names a problem and a choice, for all verbs of the command.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "plan/plan.hpp"

namespace CLI {
class App;
}

namespace weft::cli {

/// The options as given. `text()` makes of them the text that everything else reads.
struct ProblemOptions {
    std::string example{};           ///< said where no problem is given
    std::vector<std::string> words;  ///< a text `KIND:PRECISION:SHAPE ..`, or a shape
    std::string kind;
    std::string precision;
    std::string batch;
    std::string grid;
    std::map<std::string, std::string> problem;  ///< by the keys of a problem's fields
    std::map<std::string, bool> flags;           ///< of these, those that have no value
    std::map<std::string, std::string> choice;   ///< by the keys of a choice's fields

    void add_to(CLI::App& app);
    /// Only those of the choice, for verbs that have a problem of their own.
    void add_choice_to(CLI::App& app);

    /// `PROBLEM; CHOICE`. Options override what a text says.
    [[nodiscard]] std::string text() const;
    /// Whether a problem, or any option, is given.
    [[nodiscard]] bool any() const;
    /// Names and values of the choice's options; values may be empty.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> choice_settings() const;
    /// `CHOICE`.
    [[nodiscard]] std::string choice_text() const;
    [[nodiscard]] core::PlanRequest request() const { return core::parse_plan_request(text()); }
};

}  // namespace weft::cli
