#include "mistakes.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "base/text.hpp"
#include "help.hpp"

namespace weft::cli {

namespace {

std::vector<std::string> verbs_of(const CLI::App& app) {
    std::vector<std::string> result;
    for (const CLI::App* verb : app.get_subcommands({})) result.push_back(verb->get_name());
    return result;
}

/// Without dashes, which do not make two options alike.
std::string letters_of(const std::string& option) {
    return option.substr(std::min(option.find_first_not_of('-'), option.size()));
}

std::vector<std::string> letters_of_options(const CLI::App& app) {
    std::vector<std::string> result;
    for (const CLI::Option* option : app.get_options()) {
        if (!option->get_positional()) result.push_back(letters_of(option->get_name()));
    }
    return result;
}

bool has_option(const CLI::App& verb, const std::string& name) {
    const CLI::Option* option = verb.get_option_no_throw(name);
    return option != nullptr && !option->get_positional() && !option->get_group().empty();
}

/// The verbs that have that option, with the verbs of verbs: `explain`, `wisdom show`.
std::vector<std::string> verbs_with(const CLI::App& app, const std::string& name,
                                    const std::string& before = "") {
    std::vector<std::string> result;
    for (const CLI::App* verb : app.get_subcommands({})) {
        const std::string words = before + verb->get_name();
        if (has_option(*verb, name)) result.push_back(words);
        const std::vector<std::string> inner = verbs_with(*verb, name, words + " ");
        result.insert(result.end(), inner.begin(), inner.end());
    }
    return result;
}

std::string meant(const std::vector<std::string>& known, const std::string& word) {
    const std::string text = core::meant(core::nearest(known, word));
    return text.empty() ? ";" : text;
}

/// The verb that was parsed, or the verb of a verb, and how both are typed.
struct Parsed {
    const CLI::App* verb;
    std::string words;
};

Parsed parsed_verb(const CLI::App& app) {
    Parsed result{&app, "weft"};
    // CLI11 gives those that were parsed only of what may change.
    for (auto chosen = const_cast<CLI::App&>(app).get_subcommands(); !chosen.empty();
         chosen = chosen.front()->get_subcommands()) {
        result.verb = chosen.front();
        result.words += " " + result.verb->get_name();
    }
    return result;
}

/// Words that nothing took, of the verb and of the verbs above it.
std::vector<std::string> words_left(const CLI::App& app) { return app.remaining(true); }

bool is_option(const std::string& word) { return word.starts_with('-'); }

/// `; explain and predict have it;`, `; do you mean --ranks?`, or only `;`.
std::string where_else(const CLI::App& app, const CLI::App& verb, const std::string& name) {
    const std::vector<std::string> others = verbs_with(app, name);
    if (others.size() == 1) return fmt::format("; {} has it;", others.front());
    if (!others.empty()) {
        return fmt::format("; {} and {} have it;",
                           fmt::join(others.begin(), others.end() - 1, ", "), others.back());
    }
    std::vector<std::string> near = core::nearest(letters_of_options(verb), letters_of(name));
    for (std::string& one : near) one.insert(0, "--");
    return near.empty() ? ";" : core::meant(near);
}

/// An option of the verb that is none where it stands: behind `--`, or before the verb.
std::string misplaced(const Parsed& parsed, const std::string& name, bool has_dashes) {
    if (has_dashes) {
        return fmt::format("`{}` after `--` is read as an argument; put it before `--`", name);
    }
    return fmt::format(
        "{0} is an option of {1}; put it after the verb: {2} {0}; `{2} --help` says more", name,
        parsed.words.substr(5), parsed.words);
}

std::string unknown_word(const CLI::App& app, const Parsed& parsed, bool has_dashes) {
    const std::vector<std::string> left = words_left(app);
    const auto option = std::find_if(left.begin(), left.end(), is_option);
    if (option != left.end()) {
        const std::string name = option->substr(0, option->find('='));
        if (has_option(*parsed.verb, name)) return misplaced(parsed, name, has_dashes);
        return fmt::format("{} has no option {}{} `{} --help` lists them", parsed.words.substr(5),
                           name, where_else(app, *parsed.verb, name), parsed.words);
    }
    return fmt::format("{} does not take '{}'; `{} --help` says what it takes", parsed.words,
                       left.empty() ? "" : left.front(), parsed.words);
}

/// `--ranks needs a value, as in --ranks N`; `--compare needs 2 values, as in --compare FILE FILE`;
/// `--ranks is given 2 times; give it once`.
std::string number_of_values(const Parsed& parsed, const std::string& what) {
    const std::string name = what.substr(0, what.find(':'));
    const CLI::Option* option = parsed.verb->get_option_no_throw(name);
    const int values = option == nullptr ? 1 : option->get_items_expected_min();
    const std::string taken = taken_by(name).empty() ? "VALUE" : std::string(taken_by(name));
    std::string example = name;
    for (int i = 0; i < values; ++i) example += " " + taken;
    if (option != nullptr && values == 1 && option->count() > 1) {
        return fmt::format("{} is given {} times; give it once", name, option->count());
    }
    return fmt::format("{} needs {}, as in {}; `{} --help` says more", name,
                       values == 1 ? "a value" : fmt::format("{} values", values), example,
                       parsed.words);
}

/// From CLI11's `Could not convert: --rank = x`.
std::string no_number(const Parsed& parsed, const std::string& what) {
    const std::size_t colon = what.find(": ");
    const std::size_t equals = what.find(" = ");
    if (colon == std::string::npos || equals == std::string::npos || equals < colon) return what;
    const std::string name = what.substr(colon + 2, equals - colon - 2);
    const CLI::Option* option = parsed.verb->get_option_no_throw(name);
    const bool whole =
        option != nullptr && option->get_type_name().find("INT") != std::string::npos;
    return fmt::format("{} {}: this is not a {}", name, what.substr(equals + 3),
                       whole ? "whole number, or too large" : "number");
}

std::string missing_word(const CLI::App& app, const Parsed& parsed, const std::string& what) {
    const std::vector<std::string> verbs = verbs_of(*parsed.verb);
    const std::string verb = parsed.words.substr(std::min<std::size_t>(5, parsed.words.size()));
    if (verbs.empty()) {
        const std::string name = what.substr(0, what.find(' '));
        return fmt::format("{} needs {}; `{} --help` says more", verb, taken_by(name),
                           parsed.words);
    }
    const std::vector<std::string> left = words_left(app);
    const auto word = std::find_if_not(left.begin(), left.end(), is_option);
    if (word == left.end()) {
        return fmt::format("{} needs one of its verbs: {}", verb, fmt::join(verbs, ", "));
    }
    return fmt::format("{} has no verb '{}'{} `{} --help` lists them", verb, *word,
                       meant(verbs, *word), parsed.words);
}

}  // namespace

std::string unknown_verb(const std::vector<std::string>& known, const std::string& word) {
    return fmt::format("there is no verb '{}'{} `weft --help` lists them", word,
                       meant(known, word));
}

std::string what_is_wrong(const CLI::App& app, const CLI::ParseError& error, int argc,
                          char** argv) {
    const Parsed parsed = parsed_verb(app);
    std::string what = error.what();
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
        return number_of_values(parsed, what);
    }
    if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) {
        return no_number(parsed, what);
    }
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
        return missing_word(app, parsed, what);
    }
    if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr) return what;
    const bool has_dashes = std::find(argv, argv + argc, std::string_view("--")) != argv + argc;
    if (parsed.verb != &app) return unknown_word(app, parsed, has_dashes);
    const auto* word =
        std::find_if(argv + 1, argv + argc, [](const char* argument) { return *argument != '-'; });
    if (word != argv + argc) return unknown_verb(verbs_of(app), *word);
    return fmt::format("weft has no option {}; `weft --help` lists its verbs",
                       words_left(app).front());
}

std::string empty_value(const CLI::App& app) {
    for (const CLI::Option* option : parsed_verb(app).verb->get_options()) {
        const std::vector<std::string>& values = option->results();
        const bool takes_values = !option->get_positional() && option->get_items_expected_min() > 0;
        if (!takes_values || std::count(values.begin(), values.end(), "") == 0) continue;
        return fmt::format("{0} '': the value is empty; give one, or leave {0} out",
                           option->get_name());
    }
    return "";
}

}  // namespace weft::cli
