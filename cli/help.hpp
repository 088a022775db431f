// What the command says of itself: help in 80 columns, and what a misspelt word may mean.
#pragma once

#include <memory>
#include <string>

namespace CLI {
class App;
class Formatter;
class ParseError;
}  // namespace CLI

namespace weft::cli {

/// Help whose lines are at most 80 columns long, with words for what options take.
std::shared_ptr<CLI::Formatter> help_format();

/// What is wrong with a command line, in one line; of a verb or an option that is not known, the
/// one that is spelt most like it.
std::string what_is_wrong(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv);

}  // namespace weft::cli
