// weft manual: manual pages, and what shells complete the command by, from what help says.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "manual/description.hpp"
#include "measure/files.hpp"
#include "mistakes.hpp"
#include "values.hpp"
#include "verbs.hpp"
#include "weft/error.hpp"
#include "weft/version.hpp"

namespace weft::cli {

namespace {

struct Manual {
    std::string verb;
    std::string shell;
    std::string folder;
    CommandText command;
};

OptionText described(const CLI::Option& option, const CLI::Formatter& help) {
    OptionText text;
    text.positional = option.get_positional();
    if (text.positional) text.names.push_back(option.get_name());
    for (const std::string& name : option.get_snames()) text.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) text.names.push_back("--" + name);
    text.takes = help.make_option_opts(&option);
    text.takes.erase(0, text.takes.find_first_not_of(' '));
    if (!text.takes.empty()) text.values = values_of(text.names.back());
    text.meaning = option.get_description();
    text.group = option.get_group();
    return text;
}

/// Of a footer, what comes from `Example:` or `Examples:` on, without that word.
void split_footer(const std::string& footer, CommandText& text) {
    const std::size_t at = footer.rfind("Example");
    text.notes = footer.substr(0, at);
    while (!text.notes.empty() && text.notes.back() == '\n') text.notes.pop_back();
    if (at == std::string::npos) return;
    bool at_start = true;
    for (const char c : footer.substr(footer.find(':', at) + 1)) {
        if (!(at_start && c == ' ')) text.examples += c;
        at_start = c == '\n' || (at_start && c == ' ');
    }
}

CommandText described(const CLI::App& app, const std::string& name) {
    CommandText text;
    text.name = name;
    text.summary = app.get_description();
    const auto help = std::dynamic_pointer_cast<CLI::Formatter>(app.get_formatter());
    for (const CLI::Option* option : app.get_options()) {
        if (!option->get_group().empty()) text.options.push_back(described(*option, *help));
    }
    for (const CLI::App* verb : app.get_subcommands({})) {
        text.verbs.push_back(described(*verb, name + " " + verb->get_name()));
    }
    split_footer(app.get_footer(), text);
    return text;
}

void write(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    write_file(path.string(), text);
}

constexpr const char* problem_topic = "problem";

/// As they lie below /usr/share.
void write_all(const Manual& options) {
    const std::filesystem::path folder = options.folder;
    const CommandText& command = options.command;
    write(folder / "man/man1/weft.1", manual_page(command, version()));
    for (const CommandText& verb : command.verbs) {
        const std::string file = "weft-" + verb.name.substr(verb.name.find(' ') + 1) + ".1";
        write(folder / "man/man1" / file, manual_page(verb, version()));
    }
    write(folder / "man/man7/weft-problem.7", problem_page(version()));
    write(folder / "bash-completion/completions/weft", completion(command, "bash"));
    write(folder / "zsh/site-functions/_weft", completion(command, "zsh"));
    write(folder / "fish/vendor_completions.d/weft.fish", completion(command, "fish"));
}

const CommandText& page_of(const Manual& options) {
    if (options.verb.empty()) return options.command;
    for (const CommandText& verb : options.command.verbs) {
        if (verb.name == "weft " + options.verb) return verb;
    }
    std::vector<std::string> known;
    known.reserve(options.command.verbs.size());
    for (const CommandText& verb : options.command.verbs) {
        known.push_back(verb.name.substr(verb.name.find(' ') + 1));
    }
    known.emplace_back(problem_topic);
    core::bad_request(unknown_verb(known, options.verb));
}

int run(const Manual& options) {
    if (!options.folder.empty()) {
        write_all(options);
    } else if (!options.shell.empty()) {
        fmt::print("{}", completion(options.command, options.shell));
    } else if (options.verb == problem_topic) {
        fmt::print("{}", problem_page(version()));
    } else {
        fmt::print("{}", manual_page(page_of(options), version()));
    }
    return 0;
}

}  // namespace

Verb add_manual(CLI::App& app) {
    auto options = std::make_shared<Manual>();
    CLI::App* verb = app.add_subcommand(
        "manual", "Print a manual page, for man -l -, or the completion script of a shell");
    verb->add_option(
        "verb", options->verb,
        "verb of the page (default: the page of the command); problem: the page of texts");
    verb->add_option("--completion", options->shell,
                     "completion of the command for bash, zsh or fish")
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    verb->add_option("--folder", options->folder,
                     "write all pages and completions below this folder, as below /usr/share");
    verb->footer("Example: weft manual explain");
    options->command = described(app, "weft");
    return {verb, [options] { return run(*options); }, [] { return false; }};
}

}  // namespace weft::cli
