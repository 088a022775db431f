#include "tune/wisdom.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "weft/problem.hpp"

namespace weft::core {

bool is_better(const WisdomEntry& a, const WisdomEntry& b) {
    // Equal evidence of two choices is ordered too, so that files merge alike in any order.
    const auto order = [](const WisdomEntry& entry) {
        const Evidence& evidence = entry.evidence;
        return std::tuple(std::string_view(evidence.date), evidence.winner.rounds,
                          evidence.evaluations, -evidence.winner.seconds,
                          std::string_view(entry.choice));
    };
    return order(a) > order(b);
}

bool merge(Wisdom& into, const WisdomEntry& entry) {
    const auto [place, fresh] = into.entries.try_emplace(entry.key, entry);
    if (fresh) return true;
    WisdomEntry& known = place->second;
    const bool same_choice = known.choice == entry.choice;
    const bool better = is_better(entry, known);
    if (better) {
        WisdomEntry old = std::exchange(known, entry);
        if (same_choice) known.engines.merge(old.engines);
    } else if (same_choice) {
        known.engines.insert(entry.engines.begin(), entry.engines.end());
    }
    return better;
}

int merge(Wisdom& into, const Wisdom& from) {
    int taken = 0;
    for (const auto& [key, entry] : from.entries) taken += merge(into, entry) ? 1 : 0;
    for (const std::string& line : from.foreign) {
        const auto known = std::find(into.foreign.begin(), into.foreign.end(), line);
        if (known == into.foreign.end()) into.foreign.push_back(line);
    }
    return taken;
}

bool matches(std::string_view text, std::string_view pattern) {
    // Behind the last star, and what that star stands for so far.
    std::size_t behind_star = std::string_view::npos;
    std::size_t starred = 0;
    std::size_t at = 0;
    std::size_t in_pattern = 0;
    while (at < text.size()) {
        if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
            behind_star = ++in_pattern;
            starred = at;
        } else if (in_pattern < pattern.size() && pattern[in_pattern] == text[at]) {
            ++in_pattern;
            ++at;
        } else if (behind_star != std::string_view::npos) {
            in_pattern = behind_star;
            at = ++starred;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', in_pattern) == std::string_view::npos;
}

int forget(Wisdom& wisdom, std::string_view problem, std::string_view site) {
    return static_cast<int>(std::erase_if(wisdom.entries, [&](const auto& one) {
        return matches(one.first.problem, problem) && matches(to_string(one.first.site), site);
    }));
}

int thoroughness(std::string_view tuning) {
    constexpr std::string_view efforts[] = {"measure", "patient", "exhaustive"};
    const auto* found = std::find(std::begin(efforts), std::end(efforts), tuning);
    return found == std::end(efforts) ? 0 : static_cast<int>(found - std::begin(efforts)) + 1;
}

namespace {

/// How far an entry is from a question, and the difference in words.
struct Distance {
    double far = 0;
    std::string words{};
};

Distance between_sites(const TuningSite& there, const TuningSite& here) {
    const auto differs = [](const auto& a, const auto& b) { return a == b ? 0.0 : 1.0; };
    // How ranks meet on the nodes matters more than what the nodes are.
    const double far =
        2 * differs(there.nodes, here.nodes) +
        2 * differs(there.ranks_per_node, here.ranks_per_node) +
        differs(there.placement, here.placement) + differs(there.threads, here.threads) +
        differs(there.mpi, here.mpi) + differs(there.processor, here.processor) +
        differs(there.instruction_set, here.instruction_set) + differs(there.weft, here.weft) / 2;
    return {far, "it was found elsewhere: " + difference(there, here)};
}

double elements(const Problem& problem) {
    auto product = static_cast<double>(problem.batch);
    for (const Index length : problem.shape) product *= static_cast<double>(length);
    return product;
}

/// Nothing where the problems have too little in common.
std::optional<Distance> between_problems(const std::string& there, const std::string& here) {
    const Problem a = parse_problem(there);
    const Problem b = parse_problem(here);
    const double ratio = std::abs(std::log2(elements(a) / elements(b)));
    if (a.shape.size() != b.shape.size() || ratio > 6) return std::nullopt;
    const auto differs = [](bool differing) { return differing ? 1.0 : 0.0; };
    const double far = ratio + differs(a.kind != b.kind) + differs(a.precision != b.precision) +
                       differs(a.in != b.in) + differs(a.out != b.out) + differs(a.axes != b.axes) +
                       differs(a.kinds != b.kinds) + differs((a.batch > 1) != (b.batch > 1)) +
                       differs(a.in_place != b.in_place) + differs(a.modes != b.modes) +
                       differs(a.inside != b.inside);
    return Distance{far, "it is of a similar problem: " + there};
}

/// What was fixed when a plan was tuned, or is now: `engine=fftw, arrays:plain`.
std::string terms(const WisdomKey& key) {
    if (key.constraint.empty() && key.conditions.empty()) return "nothing fixed";
    const bool both = !key.constraint.empty() && !key.conditions.empty();
    return fmt::format("{}{}{}", key.constraint, both ? ", " : "", key.conditions);
}

/// From an entry to a question that it does not answer exactly.
std::optional<Distance> distance(const WisdomKey& there, const WisdomKey& here) {
    if (there.ranks != here.ranks) return std::nullopt;
    const bool same_terms =
        there.constraint == here.constraint && there.conditions == here.conditions;
    if (there.problem == here.problem && there.site == here.site && !same_terms) {
        return Distance{1, fmt::format("it was tuned with {}, and is asked for with {}",
                                       terms(there), terms(here))};
    }
    if (!same_terms) return std::nullopt;
    if (there.problem == here.problem) return between_sites(there.site, here.site);
    if (there.site == here.site) return between_problems(there.problem, here.problem);
    return std::nullopt;
}

}  // namespace

Remembered look_up(const Wisdom& wisdom, const WisdomKey& key, std::string_view tuning) {
    const auto found = wisdom.entries.find(key);
    if (found != wisdom.entries.end()) {
        const WisdomEntry& entry = found->second;
        if (thoroughness(entry.evidence.tuning) >= thoroughness(tuning)) return {&entry, nullptr};
        return {nullptr, &entry,
                fmt::format("it was found with tuning={}, tuning={} is asked for",
                            entry.evidence.tuning, tuning)};
    }
    Remembered result;
    std::optional<Distance> least;
    for (const auto& [other, entry] : wisdom.entries) {
        std::optional<Distance> far = distance(other, key);
        if (!far || (least && least->far <= far->far)) continue;
        least = std::move(far);
        result.nearest = &entry;
    }
    result.why = least ? least->words
                       : fmt::format("{} on {} ranks has not been tuned{}", key.problem, key.ranks,
                                     wisdom.entries.empty() ? ", nor has anything else" : "");
    return result;
}

bool is_stale(const WisdomEntry& entry, double seconds) {
    constexpr double factor = 1.5;
    const Measured& known = entry.evidence.winner;
    return seconds < known.low / factor || seconds > known.high * factor;
}

std::string stale_text(const WisdomEntry& entry, double seconds) {
    const Measured& known = entry.evidence.winner;
    return fmt::format(
        "measured {:.4g} ms, remembered {:.4g} to {:.4g} ms of {}: the machine or its load has "
        "changed; tune again",
        seconds * 1e3, known.low * 1e3, known.high * 1e3, entry.evidence.date);
}

}  // namespace weft::core
