// weft engines: the serial transforms that this build has, and how fast they are here.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>

#include "base/text.hpp"
#include "bench/engine_rates.hpp"
#include "columns.hpp"
#include "measure/host.hpp"
#include "measure/json.hpp"
#include "measure/machine.hpp"
#include "measure/progress.hpp"
#include "memory/processor.hpp"
#include "model/default_plan.hpp"
#include "verbs.hpp"
#include "weft/error.hpp"

namespace weft::cli {

namespace {

struct Engines {
    std::string precision = "f64";
    std::vector<std::string> lengths = {"64", "150", "233", "256", "1024"};
    std::string elements = "16384";
    std::vector<std::string> only;  ///< names; all engines if empty
    std::vector<std::string> why;   ///< lengths whose ways are printed, and nothing measured
    bool json = false;
    bool quiet = false;
};

/// The engines that can be used, the default first.
struct UsableEngines {
    std::vector<const core::FftEngine*> all;
    std::vector<std::string> names;
    std::vector<std::string> lines;  ///< what is said of each built-in engine, used or not
};

/// One length and pattern.
struct Row {
    Pattern pattern;
    Index length;
    core::FftTask task;
    std::vector<std::optional<double>> gflops;  ///< of each engine that has been measured
};

UsableEngines usable_engines(const std::vector<std::string>& only) {
    for (const std::string& name : only) core::resolve_engine(name);
    UsableEngines result;
    for (const core::EngineInfo& info : core::engines()) {
        const bool chosen =
            only.empty() || std::find(only.begin(), only.end(), info.name) != only.end();
        if (!info.built_in || !chosen) continue;
        std::string line = fmt::format("  {:<12} {}", info.name, info.summary);
        try {
            const core::FftEngine& engine = core::engine(info.name);
            const std::string description = engine.description();
            if (!description.empty()) line += fmt::format("\n  {:<12} {}", "", description);
            result.all.push_back(&engine);
            result.names.emplace_back(info.name);
        } catch (const Error& error) {
            line += fmt::format("\n  {:<12} not usable here: {}", "", error.what());
        }
        result.lines.push_back(line);
    }
    return result;
}

Precision precision_of(const std::string& text) {
    return parse_problem(fmt::format("c2c:{}:1", text)).precision;
}

Index parse_count(const std::string& text, std::string_view option) {
    constexpr Index most = Index{1} << 40;
    const Index value = core::parse_index(text, option);
    if (value < 1 || value > most) {
        core::bad_request(fmt::format("{} {}: 1 to 2^40", option, value));
    }
    return value;
}

/// Not measured yet, so that bad options are told first.
std::vector<Row> rows(const Engines& options, const std::vector<std::string>& lengths,
                      std::string_view option) {
    const Precision precision = precision_of(options.precision);
    const Index elements = parse_count(options.elements, "--elements");
    std::vector<Row> result;
    for (const Pattern pattern : all_patterns) {
        for (const std::string& text : lengths) {
            const Index length = parse_count(text, option);
            const core::FftTask task = line_task(length, pattern, precision, elements);
            result.push_back({pattern, length, task, {}});
        }
    }
    return result;
}

/// Estimated seconds, on a core of the default machine.
double cost(const core::FftEngine& engine, const core::FftTask& task) {
    return engine.cost(task, core::core_rates(core::modest_machine(), engine.name()));
}

/// Leaves out engines that would need more than a moment, as the reference engine for large arrays.
void measure(Row& row, const std::vector<const core::FftEngine*>& engines) {
    constexpr double too_long = 0.5;
    std::vector<const core::FftEngine*> quick;
    std::copy_if(engines.begin(), engines.end(), std::back_inserter(quick),
                 [&](const core::FftEngine* engine) { return cost(*engine, row.task) < too_long; });
    const std::vector<double> rates = engine_rates(row.task, quick);
    row.gflops.resize(engines.size());
    for (std::size_t i = 0; i < quick.size(); ++i) {
        const auto place = std::find(engines.begin(), engines.end(), quick[i]) - engines.begin();
        row.gflops[static_cast<std::size_t>(place)] = rates[i];
    }
}

/// The pattern and length at which each engine is fastest, counted; the best first.
std::vector<std::pair<std::size_t, std::string>> wins(const UsableEngines& engines,
                                                      const std::vector<Row>& rows) {
    std::vector<std::pair<std::size_t, std::string>> result;
    result.reserve(engines.names.size());
    for (const std::string& name : engines.names) result.emplace_back(0, name);
    for (const Row& row : rows) {
        const auto best = std::max_element(row.gflops.begin(), row.gflops.end());
        if (best == row.gflops.end() || !*best) continue;
        ++result[static_cast<std::size_t>(best - row.gflops.begin())].first;
    }
    std::stable_sort(result.begin(), result.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    return result;
}

/// Which engine is fastest how often, and the default's best.
std::string engines_verdict(const UsableEngines& engines, const std::vector<Row>& rows) {
    if (engines.names.empty()) return "none of these engines can be used here";
    const auto [count, best] = wins(engines, rows).front();
    double most = 0;
    for (const Row& row : rows) {
        for (const std::optional<double> gflops : row.gflops) {
            most = std::max(most, gflops.value_or(0));
        }
    }
    const std::string fallback = core::resolve_engine("");
    return fmt::format("{}{} is fastest for {} of {} patterns and lengths; {:.2f} GFLOP/s at best",
                       best, best == fallback ? ", the default," : "", count, rows.size(), most);
}

/// As many engines beside each other as fit 80 columns.
void print_rates(const UsableEngines& engines, const std::vector<Row>& rows, std::size_t first,
                 std::size_t last) {
    fmt::print("  {:<12} {:>8}", "pattern", "n");
    for (std::size_t i = first; i < last; ++i) fmt::print(" {:>10}", engines.names[i]);
    fmt::print("\n");
    for (const Row& row : rows) {
        fmt::print("  {:<12} {:>8}", to_string(row.pattern), row.length);
        for (std::size_t i = first; i < last; ++i) {
            const std::optional<double> gflops = row.gflops[i];
            fmt::print(" {:>10}", gflops ? fmt::format("{:.2f}", *gflops) : "-");
        }
        fmt::print("\n");
    }
}

void print_table(const UsableEngines& engines, const std::vector<Row>& rows,
                 const Engines& options) {
    constexpr std::size_t beside = 5;
    fmt::print("{}engines, the default first\n{}\n\n", verdict_text(engines_verdict(engines, rows)),
               fmt::join(engines.lines, "\n"));
    fmt::print("c2c {}, GFLOP/s by 5 n log2 n, lines of n out of place in arrays of {} elements\n",
               options.precision, options.elements);
    for (std::size_t first = 0; first < engines.names.size(); first += beside) {
        print_rates(engines, rows, first, std::min(first + beside, engines.names.size()));
    }
}

/// The verdict, and an object for each engine, pattern and length.
void print_json(const UsableEngines& engines, const std::vector<Row>& rows,
                const Engines& options) {
    Json all = {{"verdict", engines_verdict(engines, rows)}, {"results", Json::array()}};
    for (const Row& row : rows) {
        for (std::size_t i = 0; i < engines.all.size(); ++i) {
            const core::FftEngine& engine = *engines.all[i];
            const std::optional<double> gflops = row.gflops[i];
            all["results"].push_back({
                {"engine", engines.names[i]},
                {"description", engine.description()},
                {"default", engines.names[i] == core::resolve_engine("")},
                {"kind", "c2c"},
                {"precision", options.precision},
                {"pattern", to_string(row.pattern)},
                {"length", row.length},
                {"lines", row.task.looped.front().extent},
                {"gflops", gflops ? Json(*gflops) : Json(nullptr)},
                {"estimated_gflops", 1e-9 * core::flops(row.task) / cost(engine, row.task)},
                {"processor", core::processor_name()},
                {"compiler", compiler()},
            });
        }
    }
    fmt::print("{}\n", all.dump(1));
}

/// How each engine that has several ways transforms lines of each pattern, and why.
int print_ways(const Engines& options) {
    const UsableEngines engines = usable_engines(options.only);
    const std::vector<Row> table = rows(options, options.why, "--why");
    bool any = false;
    for (const core::FftEngine* engine : engines.all) {
        for (const Row& row : table) {
            const std::string ways = engine->why(row.task);
            if (ways.empty()) continue;
            any = true;
            fmt::print("{}, {}, n = {}: {}", engine->name(), to_string(row.pattern), row.length,
                       ways);
        }
    }
    if (!any) fmt::print("none of these engines has several algorithms; give --engine native\n");
    return 0;
}

int run(const Engines& options) {
    if (!options.why.empty()) return print_ways(options);
    std::vector<Row> table = rows(options, options.lengths, "--lengths");
    const UsableEngines engines = usable_engines(options.only);
    Progress progress("weft engines", "measurements", static_cast<int>(table.size()),
                      !options.json && !options.quiet);
    int done = 0;
    for (Row& row : table) {
        measure(row, engines.all);
        progress.done(++done);
    }
    if (options.json) {
        print_json(engines, table, options);
    } else {
        print_table(engines, table, options);
    }
    return 0;
}

}  // namespace

Verb add_engines(CLI::App& app) {
    auto options = std::make_shared<Engines>();
    CLI::App* verb = app.add_subcommand(
        "engines", "Show the serial transforms of this build and measure them on this machine");
    verb->add_option("--precision", options->precision, "f64, f32")->capture_default_str();
    verb->add_option("--lengths", options->lengths, "lengths of the lines, as 64,128")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->capture_default_str();
    verb->add_option("--elements", options->elements,
                     "elements of an array: 16384 stay in a core's cache, 4194304 do not")
        ->capture_default_str();
    auto* why = verb->add_option("--why", options->why,
                                 "print how lines of these lengths are transformed and why, as "
                                 "60,256, without measuring")
                    ->delimiter(',')
                    ->allow_extra_args(false);
    verb->add_option("--engine", options->only, "only these engines, as fftw,mkl")
        ->delimiter(',')
        ->allow_extra_args(false);
    verb->add_flag("--json", options->json, "print one JSON document: the verdict, and each number")
        ->excludes(why);
    verb->add_flag("--quiet", options->quiet, "print no progress on stderr");
    verb->footer(
        "Patterns: lines (the elements of a line are adjacent), lanes (elements of\n"
        "different lines are adjacent), permuting (lanes are read, lines are written).\n"
        "Example: weft engines --lengths 128,256 --precision f32");
    return {verb, [options] { return run(*options); }, [] { return false; }};
}

}  // namespace weft::cli
