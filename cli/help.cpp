#include "help.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <string_view>

#include "columns.hpp"

namespace weft::cli {

std::string_view taken_by(const std::string& name) {
    static const std::map<std::string_view, std::string_view> taken = {
        {"--in", "LAYOUT"},          {"--out", "LAYOUT"},      {"--axes", "AXES"},
        {"--halved", "AXIS"},        {"--kinds", "KINDS"},     {"--scale", "SCALE"},
        {"--kind", "KIND"},          {"--cut", "CUT"},         {"--precision", "PRECISION"},
        {"--decomposition", "CUTS"}, {"--grid", "GRID"},       {"--via", "METHOD"},
        {"--pack", "PACK"},          {"--space", "SPACE"},     {"--tile", "TILES"},
        {"--engine", "NAME"},        {"--effort", "EFFORT"},   {"--machine", "NAME|FILE"},
        {"--json", "FILE"},          {"--csv", "FILE"},        {"--plot", "FILE"},
        {"--trace", "FILE"},         {"--output", "FILE"},     {"--ranks", "N"},
        {"--threads", "N"},          {"--shrink", "N"},        {"--batch", "N"},
        {"--repeat", "N"},           {"--seed", "N"},          {"--random", "N"},
        {"--limit", "SECONDS"},      {"--seconds", "SECONDS"}, {"--against", "LIBRARY"},
        {"--class", "CLASS"},        {"--bytes", "BYTES"},     {"--lengths", "LENGTHS"},
        {"--device", "NAME"},        {"--net", "NET"},         {"--k", "K"},
        {"--compare", "FILE"},       {"--elements", "N"},      {"--name", "NAME"},
        {"--tuning", "EFFORT"},      {"--rank", "RANK"},       {"--ranks-per-node", "N"},
        {"--forward", "WEIGHT"},     {"--backward", "WEIGHT"}, {"files", "FILE"},
        {"--into", "FILE"},          {"--from", "FILE"},       {"--problem", "PATTERN"},
        {"--site", "PATTERN"},       {"problem", "PROBLEM"},   {"verb", "VERB"},
        {"--completion", "SHELL"},   {"--folder", "FOLDER"},   {"--chunk", "N"},
        {"--carrier", "CARRIER"},    {"--extent", "N"},        {"--reproducible", "YES"}};
    const auto found = taken.find(name);
    return found == taken.end() ? std::string_view() : found->second;
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
