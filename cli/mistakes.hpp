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

}  // namespace weft::cli
