// Wisdom: which plans were found by tuning, where, and on what evidence.
//
// It is a value that reads and writes as text, one JSON object a line (tune/wisdom_text.hpp). An
// entry answers one question, its key: which choice is the fastest for this problem, on so many
// ranks, at this site, under this constraint?
//
// Example: on 2 ranks of one node c2c:f64:64x64x64 was tuned. There, the entry is exact and is used
// as it stands. On 2 ranks of two nodes, or for c2c:f64:72x72x72, nothing is known, but the entry
// is the nearest one and a good place to start tuning from.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tune/site.hpp"

namespace weft::core {

/// What was asked when a plan was tuned.
struct WisdomKey {
    std::string problem{};  ///< canonical: to_string(Problem)
    int ranks = 1;
    /// Canonical: to_string(Choice) of what the caller had fixed; empty: nothing.
    std::string constraint{};
    /// What else the caller had fixed, such as the kind of arrays and the weights of the two
    /// directions, in the words of whoever tunes; compared as it is, empty for the default.
    std::string conditions{};
    TuningSite site{};

    auto operator<=>(const WisdomKey&) const = default;
};

/// Seconds of one choice, measured so many times.
struct Measured {
    double seconds = 0;  ///< the median; of the slowest rank
    double low = 0;      ///< the interval in which the median lies
    double high = 0;
    int rounds = 0;

    bool operator==(const Measured&) const = default;
};

/// A choice that was tried and not taken.
struct Loser {
    std::string choice{};
    std::optional<Measured> time{};  ///< nothing: it failed
    std::string reason{};            ///< why it failed or was dropped; may be empty

    bool operator==(const Loser&) const = default;
};

/// What an answer rests on.
struct Evidence {
    std::string date{};    ///< of the end of tuning, in UTC: `2024-05-31T12:00:00Z`
    std::string tuning{};  ///< with which effort: `measure`, `patient`, `exhaustive`
    double spent = 0;      ///< seconds that tuning took
    int evaluations = 0;   ///< how many choices were timed
    Measured winner{};
    std::vector<Loser> losers{};

    bool operator==(const Evidence&) const = default;
};

/// One answer.
struct WisdomEntry {
    WisdomKey key{};
    std::string choice{};  ///< complete: to_string(Choice) of the fastest plan
    Evidence evidence{};
    /// Texts in which engines keep their own wisdom, by the name of the engine.
    std::map<std::string, std::string> engines{};
    /// The JSON object that it was read from, with members of newer versions of weft; empty: none.
    std::string source{};
};

struct Wisdom {
    std::map<WisdomKey, WisdomEntry> entries{};
    /// Lines that are no entries to this version of weft, kept as they are: another version may
    /// know them.
    std::vector<std::string> foreign{};
};

/// Whether the evidence of `a` is better: it is newer or, at the same time, more was measured.
bool is_better(const WisdomEntry& a, const WisdomEntry& b);

/// Of two entries with one key the better one is kept, and an engine's wisdom that it lacks comes
/// from the other one if that has the same choice. Members that this weft does not know survive.
/// Returns how many entries of `from` were new or better.
int merge(Wisdom& into, const Wisdom& from);
/// Returns whether the entry was new or better.
bool merge(Wisdom& into, const WisdomEntry& entry);

/// Whether the whole text fits the pattern, in which * stands for any text.
bool matches(std::string_view text, std::string_view pattern);
/// Removes the entries whose problem and site (as to_string prints it) fit the patterns; returns
/// how many.
int forget(Wisdom& wisdom, std::string_view problem, std::string_view site);

/// How thoroughly a tuning effort searches: `measure` < `patient` < `exhaustive`; 0 for any other.
int thoroughness(std::string_view tuning);

/// What wisdom has to say about a question.
struct Remembered {
    const WisdomEntry* exact = nullptr;    ///< its choice can be used as it stands
    const WisdomEntry* nearest = nullptr;  ///< without an exact one: a place to start from
    std::string why{};                     ///< there is no exact one; and what the nearest is
};

/// An entry is exact if it has the key and was tuned at least as thoroughly (`frozen`, or anything
/// that thoroughness() does not know, takes any). The nearest one has the same ranks: it is of the
/// problem under another constraint, of the problem elsewhere, or of a similar problem here: of as
/// many dimensions and between 1/64 and 64 times as large. Its choice need not fit the constraint
/// or the problem.
Remembered look_up(const Wisdom& wisdom, const WisdomKey& key, std::string_view tuning);

/// Whether the machine is no longer what it was when the plan was tuned: the plan takes less than
/// low / 1.5 or more than 1.5 high now.
bool is_stale(const WisdomEntry& entry, double seconds);
/// For who is told: `measured 4.1 ms, remembered 1.0 to 1.1 ms of 2024-05-31: ..; tune again`.
std::string stale_text(const WisdomEntry& entry, double seconds);

}  // namespace weft::core
