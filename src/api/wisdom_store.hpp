// The wisdom that this process knows: its own, the user's file and the system's.
//
// Its own is what it has found by tuning and what it was given (weft/wisdom.hpp). The user's file
// is $XDG_DATA_HOME/weft/wisdom.jsonl, by default ~/.local/share/weft/wisdom.jsonl. The system's is
// the first weft/wisdom.jsonl in the folders of $XDG_DATA_DIRS, by default /usr/local/share and
// /usr/share; it is only read. WEFT_WISDOM=PATH replaces both files by one, WEFT_WISDOM= by none.
#pragma once

#include <string>
#include <vector>

#include "api/text_file.hpp"
#include "tune/wisdom_text.hpp"

namespace weft {

struct WisdomFiles {
    std::string user{};    ///< read and written; empty: none
    std::string system{};  ///< only read; empty: none
};
/// As the environment says now.
WisdomFiles wisdom_files();

/// What is known, and what was met on the way to it.
struct KnownWisdom {
    core::Wisdom wisdom{};
    /// Lines that were skipped and files that could not be read, each with the reason.
    std::vector<std::string> troubles{};
};

/// What is wrong with a file's first few lines that were skipped, and how many more there are.
std::vector<std::string> troubles_of(const std::string& path,
                                     const std::vector<core::SkippedLine>& skipped);

/// Local. All of it; of two entries with one key the better one. `about`: of the files only lines
/// in which that text is, which takes a tenth of the time where few are.
KnownWisdom known_wisdom(const std::string& about = "");

/// Local. Adds the entries to what this process knows by itself; returns how many were new or
/// better.
int learn(const core::Wisdom& wisdom);

/// Local. Adds to what this process knows and to the user's file, for whose lock it waits at most
/// so many seconds. Throws Error(system) if the file cannot be written; the process knows it all
/// the same.
void remember(const core::WisdomEntry& entry, double patience = lock_patience);

/// Local. Adds to a file, whatever this process knows; returns how many entries were new or better.
int merge_into_file(const std::string& path, const core::Wisdom& wisdom,
                    double patience = lock_patience);

/// Local. Removes the entries that fit the patterns from what this process knows and from the
/// user's file; returns how many keys are gone. Throws Error(system) if the file cannot be written.
int forget_wisdom(const std::string& problem, const std::string& site);

/// Local. Removes the entries that fit the patterns and, if asked, the lines that are no entries,
/// from a file; returns how many.
int forget_in_file(const std::string& path, const std::string& problem, const std::string& site,
                   bool foreign);

}  // namespace weft
