#include "options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/text.hpp"
#include "plan/fields.hpp"

namespace weft::cli {

namespace {

/// `--in-place` of in_place.
std::string option_of(std::string_view key) {
    std::string name = fmt::format("--{}", key);
    std::replace(name.begin(), name.end(), '_', '-');
    return name;
}

}  // namespace

void ProblemOptions::add_choice_to(CLI::App& app) {
    const char* group = "How it is solved";
    for (const core::Field& field : core::choice_fields()) {
        std::string summary(field.summary);
        // The default of weft tune is another.
        if (field.key == "tuning" && app.get_name() == "tune") {
            summary.replace(summary.rfind("(none)"), 6, "(measure)");
        }
        app.add_option(option_of(field.key), choice[std::string(field.key)], summary)->group(group);
        if (field.key != "decomposition") continue;
        app.add_option("--grid", grid,
                       "process grid, as 2x4: the same as --decomposition 'grid(2x4)'")
            ->group(group);
    }
}

namespace {

/// A command that works, for those who gave no problem.
std::string example_of(const std::string& verb) {
    if (verb == "explain") return "weft explain 64x64x64 --ranks 8";
    if (verb == "predict") return "weft predict 64x64x64 --ranks 2..1024";
    if (verb == "verify") {
        return "mpirun -n 2 weft verify 64x64x64, or weft verify --random 100 --net local";
    }
    return fmt::format("mpirun -n 2 weft {} 64x64x64", verb);
}

}  // namespace

void ProblemOptions::add_to(CLI::App& app) {
    example = example_of(app.get_name());
    const char* group = "Problem";
    app.add_option("problem", words,
                   "a text such as 'c2c:f64:256x256x256*8 in=slab(0) out=free; via=alltoallw', or "
                   "only a shape, as 256x256x256 or three words")
        ->group(group);
    app.add_option("--kind", kind, "c2c (default), r2c, c2r, r2r")->group(group);
    app.add_option("--precision", precision, "f64 (default), f32")->group(group);
    app.add_option("--batch", batch, "fields in one call")->group(group);
    for (const core::Field& field : core::problem_fields()) {
        const std::string name = option_of(field.key);
        const std::string key(field.key);
        const std::string summary(field.summary);
        if (summary.empty()) continue;
        CLI::Option* option = field.takes.empty() ? app.add_flag(name, flags[key], summary)
                                                  : app.add_option(name, problem[key], summary);
        option->group(group);
    }
    for (const auto& [before, now] : core::renamed_problem_words()) {
        app.add_option(option_of(before), problem[std::string(now)])->group("");  // not in the help
    }
    add_choice_to(app);
}

std::vector<std::pair<std::string, std::string>> ProblemOptions::choice_settings() const {
    std::vector<std::pair<std::string, std::string>> settings;
    for (const core::Field& field : core::choice_fields()) {
        const auto said = choice.find(std::string(field.key));
        if (said != choice.end() && !said->second.empty()) settings.emplace_back(*said);
    }
    if (grid.empty()) return settings;
    if (!settings.empty() && settings.front().first == "decomposition") {
        core::bad_request("--grid and --decomposition both name a process grid; give one");
    }
    settings.insert(settings.begin(), {"decomposition", fmt::format("grid({})", grid)});
    return settings;
}

std::string ProblemOptions::choice_text() const {
    std::string text;
    for (const auto& [name, value] : choice_settings()) {
        text += fmt::format("{}{}={}", text.empty() ? "" : "; ", name, value);
    }
    return text;
}

bool ProblemOptions::any() const {
    const auto said = [](const auto& option) { return option.second != decltype(option.second){}; };
    return !words.empty() || !kind.empty() || !precision.empty() || !batch.empty() ||
           !choice_text().empty() || std::any_of(problem.begin(), problem.end(), said) ||
           std::any_of(flags.begin(), flags.end(), said);
}

namespace {

/// The kind of a problem whose axes have these kinds: that of its Fourier transforms, if it has
/// any.
std::string implied_kind(const std::string& kinds) {
    if (kinds.empty()) return "c2c";
    const std::vector<std::string> all = core::split(kinds, ',');
    for (const char* kind : {"r2c", "c2r", "c2c"}) {
        if (std::count(all.begin(), all.end(), kind) != 0) return kind;
    }
    return "r2r";
}

/// `KIND:PRECISION:SHAPE*BATCH` of a text or a bare shape, with the options' own values in place.
std::string head_text(const std::string& given, const ProblemOptions& options) {
    const auto pieces = core::split(given, ':');
    const auto sizes = core::split(pieces.back(), '*');
    const bool bare = pieces.size() == 1;
    if (!bare && pieces.size() != 3) return given;  // The parser says what is wrong.
    const auto either = [](const std::string& option, const std::string& otherwise) {
        return option.empty() ? otherwise : option;
    };
    std::string head = fmt::format(
        "{}:{}:{}",
        either(options.kind, bare ? implied_kind(options.problem.at("kinds")) : pieces[0]),
        either(options.precision, bare ? "f64" : pieces[1]), sizes[0]);
    for (std::size_t i = 1; i < sizes.size() && options.batch.empty(); ++i) head += "*" + sizes[i];
    if (!options.batch.empty()) head += "*" + options.batch;
    return head;
}

}  // namespace

std::string ProblemOptions::text() const {
    if (words.empty()) core::bad_request("no problem is given; try: " + example);
    const auto items = core::split(fmt::format("{}", fmt::join(words, " ")), ';');
    auto given = core::words(items.front());
    if (given.empty()) core::bad_request("the problem is empty");
    // A shape may be given as words of its own: 64 64 64, but not as several shapes.
    const auto is_length = [](const std::string& word) {
        return word.find_first_not_of("0123456789") == std::string::npos;
    };
    const bool in_words = is_length(given[0]);
    while (in_words && given.size() > 1 && is_length(given[1])) {
        given[0] += "x" + given[1];
        given.erase(given.begin() + 1);
    }
    given[0] = head_text(given[0], *this);
    const auto set = [](std::vector<std::string>& settings, const std::string& name,
                        const std::string& value) {
        if (value.empty()) return;
        std::erase_if(settings, [&](const std::string& s) { return s.starts_with(name + "="); });
        settings.push_back(fmt::format("{}={}", name, value));
    };
    for (const auto& [name, value] : problem) set(given, name, value);
    for (const auto& [name, is_set] : flags) {
        if (is_set && std::count(given.begin(), given.end(), name) == 0) given.push_back(name);
    }
    std::vector<std::string> choices(items.begin() + 1, items.end());
    std::erase_if(choices, [](const std::string& item) { return item.empty(); });
    for (const auto& [name, value] : choice_settings()) set(choices, name, value);
    choices.insert(choices.begin(), fmt::format("{}", fmt::join(given, " ")));
    return fmt::format("{}", fmt::join(choices, "; "));
}

}  // namespace weft::cli
