// What the command says of itself: help in 80 columns, with a word for what each option takes.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace CLI {
class Formatter;
}  // namespace CLI

namespace weft::cli {

/// Help whose lines are at most 80 columns long, with words for what options take.
std::shared_ptr<CLI::Formatter> help_format();

/// `FILE`: what the option or the argument of that name takes; empty if that has no word.
std::string_view taken_by(const std::string& name);

}  // namespace weft::cli
