#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <string_view>

#include "manual/description.hpp"
#include "manual/troff.hpp"

namespace weft::cli {

std::string literal(const std::string& text) {
    std::string result;
    bool at_start = true;
    for (const char c : text) {
        if (at_start && (c == '.' || c == '\'')) result += "\\&";
        if (c == '\\') {
            result += "\\e";
        } else if (c == '-') {
            result += "\\-";
        } else {
            result += c;
        }
        at_start = c == '\n';
    }
    return result;
}

std::string heading(const std::string& name, int chapter, const std::string& title,
                    const std::string& version) {
    std::string upper = name;
    std::transform(upper.begin(), upper.end(), upper.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return fmt::format(".TH {} {} \"\" \"weft {}\" \"{}\"\n", literal(upper), chapter, version,
                       title);
}

std::string section(const std::string& title, const std::string& text) {
    constexpr std::string_view paragraph = ".PP\n";  // A heading begins one itself.
    const bool begins = text.starts_with(paragraph);
    return text.empty()
               ? ""
               : fmt::format(".SH {}\n{}", title, text.substr(begins ? paragraph.size() : 0));
}

namespace {

/// `weft-explain` of `weft explain`: a page's name.
std::string page_name(std::string name) {
    std::replace(name.begin(), name.end(), ' ', '-');
    return name;
}

std::string as_block(const std::string& lines) {
    return fmt::format(".nf\n{}\n.fi\n", literal(lines));
}

std::string item(const OptionText& option) {
    std::string names;
    for (const std::string& name : option.names) {
        names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", literal(name));
    }
    const std::string takes = option.takes.empty() ? "" : " " + literal(option.takes);
    return fmt::format(".TP\n{}{}\n{}\n", names, takes, literal(option.meaning));
}

std::string synopsis(const CommandText& command) {
    std::string line = fmt::format("\\fB{}\\fR", literal(command.name));
    if (!command.options.empty()) line += " [\\fIoptions\\fR]";
    for (const OptionText& option : command.options) {
        if (option.positional) line += fmt::format(" [\\fI{}\\fR]", literal(option.names.front()));
    }
    if (!command.verbs.empty()) line += " \\fIverb\\fR";
    return line + "\n";
}

std::string options(const CommandText& command) {
    // Those that belong to no group come first, as in help.
    std::vector<OptionText> sorted = command.options;
    std::stable_partition(sorted.begin(), sorted.end(), [](const OptionText& option) {
        return option.positional || option.group == "Options";
    });
    std::string text;
    std::string group = "Options";
    for (const OptionText& option : sorted) {
        if (option.group != group && !option.positional) {
            group = option.group;
            text += fmt::format(".SS {}\n", literal(group));
        }
        text += item(option);
    }
    return text;
}

/// Verbs of the command have pages of their own, and verbs of these are on the page of theirs.
std::string verbs(const CommandText& command) {
    const bool own_pages = command.name.find(' ') == std::string::npos;
    std::string text;
    for (const CommandText& verb : command.verbs) {
        const std::string title = own_pages
                                      ? fmt::format("\\fB{}\\fR(1)", literal(page_name(verb.name)))
                                      : fmt::format("\\fB{}\\fR", literal(verb.name));
        text += fmt::format(".TP\n{}\n{}\n", title, literal(verb.summary));
        if (own_pages) continue;
        text += ".RS\n";
        for (const OptionText& option : verb.options) text += item(option);
        text += ".RE\n";
    }
    return text;
}

}  // namespace

std::string manual_page(const CommandText& command, const std::string& version) {
    const bool whole = command.name.find(' ') == std::string::npos;
    std::string summary = command.summary.substr(0, command.summary.find('\n'));
    const std::string prefix = command.name + ": ";
    if (summary.starts_with(prefix)) summary = summary.substr(prefix.size());
    return heading(page_name(command.name), 1, "User Commands", version) +
           section("NAME",
                   fmt::format("{} \\- {}\n", literal(page_name(command.name)), literal(summary))) +
           section("SYNOPSIS", synopsis(command)) +
           section("DESCRIPTION", literal(summary) + "\n") + section("OPTIONS", options(command)) +
           section("VERBS", verbs(command)) +
           section("NOTES", command.notes.empty() ? "" : as_block(command.notes)) +
           section("EXIT STATUS",
                   "0 right, 1 wrong result, 2 bad request, 3 not available here, 4 MPI or "
                   "system\n") +
           section("EXAMPLES", command.examples.empty() ? "" : as_block(command.examples)) +
           section("SEE ALSO", whole ? "\\fBweft\\-problem\\fR(7)\n"
                                     : "\\fBweft\\fR(1), \\fBweft\\-problem\\fR(7)\n");
}

}  // namespace weft::cli
