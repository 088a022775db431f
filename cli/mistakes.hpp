// What is wrong with a command line, in words of the command.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace weft::cli {

/// `there is no verb 'explian'; do you mean explain? `weft --help` lists them`.
std::string unknown_verb(const std::vector<std::string>& known, const std::string& word);

/// One line: what is wrong, and what helps.
std::string what_is_wrong(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv);

/// Of the option of the verb that was parsed whose value is empty, as that of a variable of the
/// shell that is not set: what is wrong with it. "" if there is none.
std::string empty_value(const CLI::App& app);

}  // namespace weft::cli
