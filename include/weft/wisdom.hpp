// Wisdom: results of tuning, as text to keep, to merge, and to carry to other machines.
//
//     weft::wisdom::import_text(text_of("cluster.jsonl"));
//     weft::Plan plan = weft::Plan::parse("c2c:f64:256x256x256; tuning=frozen", comm);
//
// All calls are local. A new plan uses the wisdom of rank 0: imported entries, results of its
// tuning, and the files of wisdom on its node (docs/tuning.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)

namespace weft::wisdom {

struct Imported {
    int entries = 0;  ///< new entries, and entries better than known ones
    /// Skipped lines, with the reason: `line 3: ..`.
    std::vector<std::string> skipped{};
};

/// Adds the entries of a text, one a line, to what this process knows; files stay as they are.
/// Lines that are damaged, of another version or of another program are skipped.
Imported import_text(std::string_view text);

/// All entries that this process knows, files included, as import_text takes them.
std::string export_text();

/// Removes the entries whose problem and site (as `weft wisdom show` prints it) fit the patterns,
/// in which * stands for any text, from this process and the user's file; returns how many. Throws
/// Error(system) if the file cannot be changed.
int forget(std::string_view problem = "*", std::string_view site = "*");

}  // namespace weft::wisdom

#pragma GCC visibility pop
