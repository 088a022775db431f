// What the command says of itself, as values: manual pages and the completion of shells are made of
// them.
#pragma once

#include <string>
#include <vector>

namespace weft::cli {

struct OptionText {
    std::vector<std::string> names;     ///< `-h`, `--help`; of a positional argument `problem`
    std::string takes;                  ///< `N`, `FILE`; empty: nothing
    std::vector<std::string> values{};  ///< that it may be, or begin with: `slab(`; empty: others
    std::string meaning;
    std::string group;
    bool positional = false;
};

/// The command or a verb: `weft`, `weft explain`, `weft wisdom show`.
struct CommandText {
    std::string name;
    std::string summary;
    std::vector<OptionText> options;
    std::vector<CommandText> verbs;
    std::string notes;     ///< what help says below the options
    std::string examples;  ///< lines
};

/// A manual page, in the language of man(7).
std::string manual_page(const CommandText& command, const std::string& version);

/// The manual page weft-problem(7): the text of problems and plans.
std::string problem_page(const std::string& version);

/// What a shell completes the command by: `bash`, `zsh` or `fish`.
std::string completion(const CommandText& command, const std::string& shell);

}  // namespace weft::cli
