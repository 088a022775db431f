// weft wisdom: what tuning has found, shown, merged and forgotten; without MPI.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <sstream>

#include "api/wisdom_store.hpp"
#include "base/text.hpp"
#include "columns.hpp"
#include "measure/files.hpp"
#include "measure/json.hpp"
#include "model/predict.hpp"
#include "verbs.hpp"

namespace weft::cli {

namespace {

struct WisdomOptions {
    std::vector<std::string> files;
    std::string into;
    std::string problem = "*";
    std::string site = "*";
    bool lines = false;
    bool json = false;
    bool foreign = false;
    bool all = false;
};

/// The file that is named, or the user's. Throws Error(bad_request) if there is neither.
std::string file_or_users(const std::string& named) {
    std::string path = named.empty() ? wisdom_files().user : named;
    if (path.empty()) {
        core::bad_request(
            "no file of wisdom is named, and WEFT_WISDOM is empty (or HOME is not set); name one");
    }
    return path;
}

void say_skipped(const std::string& path, const std::vector<core::SkippedLine>& skipped) {
    for (const std::string& trouble : troubles_of(path, skipped)) {
        say_error(fmt::format("weft: {}\n", trouble));
    }
}

/// Lines of a newer version are kept, but a file of anything else is named by mistake. Throws
/// Error(bad_request).
void require_wisdom(const std::string& path, const core::ReadWisdom& read) {
    const std::vector<std::string>& foreign = read.wisdom.foreign;
    if (!read.wisdom.entries.empty() || foreign.empty()) return;
    const auto of_weft = [](const std::string& line) {
        return line.find(core::wisdom_format) != std::string::npos;
    };
    if (std::any_of(foreign.begin(), foreign.end(), of_weft)) return;
    core::bad_request(
        fmt::format("'{}' is not a file of wisdom: none of its {} is an entry, as `weft tune` "
                    "writes and `weft wisdom show --lines` prints",
                    path, core::number_of(foreign.size(), "line")));
}

/// Of the files that are named, or of all that are known here; tells what is passed over.
core::Wisdom wisdom_of(const std::vector<std::string>& files) {
    if (files.empty()) {
        const KnownWisdom known = known_wisdom();
        for (const std::string& trouble : known.troubles) {
            say_error(fmt::format("weft: {}\n", trouble));
        }
        return known.wisdom;
    }
    core::Wisdom wisdom;
    for (const std::string& path : files) {
        const core::ReadWisdom read = core::read_wisdom(read_file(path));
        require_wisdom(path, read);
        say_skipped(path, read.skipped);
        merge(wisdom, read.wisdom);
    }
    return wisdom;
}

/// `(given via=.. [..])`: constraint and conditions, of which most entries have none.
std::string terms_of(const core::WisdomKey& key) {
    const std::string terms =
        key.constraint + (key.conditions.empty() ? "" : " [" + key.conditions + "]");
    return terms.empty() ? "" : fmt::format(" (given {})", terms);
}

std::string verdict_on(const core::Wisdom& wisdom) {
    const std::size_t count = wisdom.entries.size();
    if (count == 0) return "no entries";
    return fmt::format("{} entr{}", count, count == 1 ? "y" : "ies");
}

std::string entry_text(const core::WisdomKey& key, const core::WisdomEntry& entry, int site) {
    const core::Evidence& evidence = entry.evidence;
    return fmt::format("problem    {}\nranks      {}, at site [{}]\nchoice     {}\n",
                       core::printable(key.problem), key.ranks, site,
                       core::printable(entry.choice + terms_of(key))) +
           fmt::format("measured   {} ms ({} to {}), {}, tuning={}\n",
                       core::milliseconds_text(evidence.winner.seconds),
                       core::milliseconds_text(evidence.winner.low),
                       core::milliseconds_text(evidence.winner.high),
                       core::printable(evidence.date.substr(0, 10)),
                       core::printable(evidence.tuning));
}

/// Sites are long, and most entries share one: each has a number, and is told once, at the end.
std::string shown(const core::Wisdom& wisdom) {
    std::map<core::TuningSite, int> sites;
    std::string text = verdict_text(verdict_on(wisdom));
    for (const auto& [key, entry] : wisdom.entries) {
        const int next = static_cast<int>(sites.size()) + 1;
        text += "\n" + entry_text(key, entry, sites.emplace(key.site, next).first->second);
    }
    std::vector<std::string> legend(sites.size());
    for (const auto& [site, number] : sites) {
        legend[static_cast<std::size_t>(number - 1)] =
            fmt::format("site [{}]   {}\n", number, core::printable(to_string(site)));
    }
    text += fmt::format("\n{}", fmt::join(legend, ""));
    return folded(text);
}

/// The entries as they are kept, in one document.
std::string wisdom_json(const core::Wisdom& wisdom) {
    Json entries = Json::array();
    std::istringstream lines(to_text(wisdom));
    for (std::string line; std::getline(lines, line);) entries.push_back(Json::parse(line));
    const Json all = {{"verdict", verdict_on(wisdom)}, {"entries", entries}};
    return all.dump(1) + "\n";
}

int show(const WisdomOptions& options) {
    core::Wisdom wisdom = wisdom_of(options.files);
    std::erase_if(wisdom.entries, [&](const auto& one) {
        return !core::matches(one.first.problem, options.problem) ||
               !core::matches(to_string(one.first.site), options.site);
    });
    wisdom.foreign.clear();
    if (options.json) {
        fmt::print("{}", wisdom_json(wisdom));
    } else if (options.lines) {
        fmt::print("{}", to_text(wisdom));
    } else if (wisdom.entries.empty()) {
        const WisdomFiles files = wisdom_files();
        fmt::print("{}", verdict_text(verdict_on(wisdom)));
        if (options.files.empty()) {
            fmt::print("looked in  {} and {}\n", files.user.empty() ? "no user's file" : files.user,
                       files.system.empty() ? "no system's file" : files.system);
        }
    } else {
        fmt::print("{}", shown(wisdom));
    }
    return 0;
}

int merge_files(const WisdomOptions& options) {
    const std::string into = file_or_users(options.into);
    const core::Wisdom wisdom = wisdom_of(options.files);
    const int taken = merge_into_file(into, wisdom);
    fmt::print("{} of {} entries were new or better; they are in {}\n", taken,
               wisdom.entries.size(), into);
    return 0;
}

int forget_entries(const WisdomOptions& options) {
    const bool patterns = options.problem != "*" || options.site != "*";
    if (!patterns && !options.all && !options.foreign) {
        core::bad_request(
            "no entries are named; give --problem or --site, as --problem 'c2c:f64:*', --foreign, "
            "or --all");
    }
    const std::string path = file_or_users(options.into);
    (void)read_file(path);
    const bool entries = patterns || options.all;
    const int gone = forget_in_file(path, entries ? options.problem : "", options.site,
                                    options.foreign || (options.all && !patterns));
    fmt::print("{} forgotten, in {}\n", core::number_of(static_cast<std::size_t>(gone), "line"),
               path);
    return 0;
}

}  // namespace

Verb add_wisdom(CLI::App& app) {
    auto options = std::make_shared<WisdomOptions>();
    CLI::App* verb = app.add_subcommand(
        "wisdom", "Show, merge or forget what tuning has found; needs no MPI launch");
    verb->require_subcommand(1);
    const auto add_patterns = [&](CLI::App& to) {
        to.add_option("--problem", options->problem,
                      "only entries whose problem matches, as 'c2c:f64:*' (* stands for any text)");
        to.add_option("--site", options->site, "only entries whose site matches, as '*nodes=2,*'");
    };
    CLI::App* show_verb = verb->add_subcommand("show", "Print entries");
    show_verb->add_option("files", options->files,
                          "files of wisdom (the user's and the system's, or WEFT_WISDOM)");
    add_patterns(*show_verb);
    show_verb->add_flag("--json", options->json, "print one JSON document");
    show_verb->add_flag("--lines", options->lines, "print the entries as lines of the file");
    show_verb->footer("Example: weft wisdom show --problem 'c2c:*'");
    CLI::App* merge_verb = verb->add_subcommand(
        "merge", "Add the entries of files; of two entries with one key the better is kept");
    merge_verb->add_option("files", options->files, "files of wisdom")->required();
    merge_verb->add_option("--into", options->into,
                           "file to which the entries are added (default: the user's)");
    merge_verb->footer("Example: weft wisdom merge cluster.jsonl");
    CLI::App* forget_verb = verb->add_subcommand("forget", "Remove entries");
    add_patterns(*forget_verb);
    forget_verb->add_flag(
        "--foreign", options->foreign,
        "remove lines that are damaged, of another version or of another program");
    forget_verb->add_flag("--all", options->all, "everything");
    forget_verb->add_option("--from", options->into,
                            "file from which the entries are removed (default: the user's)");
    forget_verb->footer("Example: weft wisdom forget --site '*nodes=2,*'");
    verb->footer("Example: weft wisdom show");
    const auto run = [=] {
        if (show_verb->parsed()) return show(*options);
        return merge_verb->parsed() ? merge_files(*options) : forget_entries(*options);
    };
    return {verb, run, [] { return false; }};
}

}  // namespace weft::cli
