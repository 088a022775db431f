#include "help.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "columns.hpp"
#include "plan/fields.hpp"

namespace weft::cli {

std::string_view taken_by(const std::string& name) {
    static const std::map<std::string_view, std::set<std::string_view>> options_of = {
        {"KIND", {"--kind"}},
        {"PRECISION", {"--precision"}},
        {"GRID", {"--grid"}},
        {"NAME|FILE", {"--machine"}},
        {"FILE",
         {"--json", "--csv", "--plot", "--trace", "--output", "--compare", "files", "--into",
          "--from"}},
        {"N",
         {"--ranks", "--batch", "--repeat", "--seed", "--random", "--elements", "--ranks-per-node",
          "--uses", "--extent"}},
        {"SECONDS", {"--limit", "--seconds"}},
        {"LIBRARY", {"--against"}},
        {"CLASS", {"--class"}},
        {"BYTES", {"--bytes"}},
        {"LENGTHS", {"--lengths", "--why"}},
        {"NAME", {"--device", "--name"}},
        {"NET", {"--net"}},
        {"K", {"--k"}},
        {"RANK", {"--rank"}},
        {"WEIGHT", {"--forward", "--backward"}},
        {"PATTERN", {"--problem", "--site"}},
        {"PROBLEM", {"problem"}},
        {"VERB", {"verb"}},
        {"SHELL", {"--completion"}},
        {"FOLDER", {"--folder"}}};
    for (const auto& [word, options] : options_of) {
        if (options.contains(name)) return word;
    }
    for (const auto& fields : {core::problem_fields(), core::choice_fields()}) {
        for (const core::Field& field : fields) {
            std::string option = fmt::format("--{}", field.key);
            std::replace(option.begin(), option.end(), '_', '-');
            if (name == option) return field.takes;
        }
    }
    return "";
}

namespace {

constexpr std::size_t name_columns = 26;

/// A name in a column of its own, and what it means beside it.
std::string row(const std::string& name, const std::string& meaning) {
    std::string result = "  " + name;
    if (meaning.empty()) return result + "\n";
    if (result.size() + 2 > name_columns) {
        result += "\n" + std::string(name_columns, ' ');
    } else {
        result.resize(name_columns, ' ');
    }
    return result + wrapped(meaning, name_columns) + "\n";
}

class Help : public CLI::Formatter {
  public:
    std::string make_option(const CLI::Option* option, bool is_positional) const override {
        return row(make_option_name(option, is_positional) + make_option_opts(option),
                   make_option_desc(option));
    }
    std::string make_option_opts(const CLI::Option* option) const override {
        if (option->get_items_expected_max() == 0) return "";  // a flag
        std::string taken(taken_by(option->get_name()));
        if (taken.empty()) taken = option->get_type_name();
        const std::string text = option->get_expected_min() == 0 ? "[" + taken + "]" : taken;
        const bool several = option->get_expected_max() == CLI::detail::expected_max_vector_size;
        const std::string usual = option->get_default_str();
        return fmt::format(" {}{}{}", text, several ? " ..." : "",
                           usual.empty() ? "" : "=" + usual);
    }
    std::string make_subcommand(const CLI::App* verb) const override {
        return row(verb->get_display_name(true), verb->get_description());
    }
    std::string make_description(const CLI::App* app) const override {
        const std::string text = CLI::Formatter::make_description(app);
        return text.empty() ? text : wrapped(text, 0) + "\n";
    }
};

}  // namespace

std::shared_ptr<CLI::Formatter> help_format() { return std::make_shared<Help>(); }

}  // namespace weft::cli
