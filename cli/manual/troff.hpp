// Pieces of a manual page in the language of man(7).
#pragma once

#include <string>

namespace weft::cli {

/// Text that troff prints as it is: no escapes, no requests, hyphens that can be searched for.
std::string literal(const std::string& text);

/// The page's first line: `.TH WEFT\-EXPLAIN 1 "" "weft 0.2.0" "User Commands"`.
std::string heading(const std::string& name, int chapter, const std::string& title,
                    const std::string& version);

/// A section with that title; nothing if its text is empty.
std::string section(const std::string& title, const std::string& text);

}  // namespace weft::cli
