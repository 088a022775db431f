// How fast and how exact the serial engines are, side by side: the measurement by which weft's own
// is judged. bench/README.md says what it measures and how to run it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string_view>

#include "fft/engine.hpp"
#include "measure/host.hpp"
#include "measure/json.hpp"
#include "study/run.hpp"
#include "weft/error.hpp"

namespace weft::study {

namespace {

/// What the command line says, before its words are understood.
struct Arguments {
    Options options;
    bool quick = false;
    bool full = false;
    std::string effort = "automatic";
};

void add_filters(CLI::App& app, Options& options) {
    const auto add = [&](const char* name, std::vector<std::string>& words, const char* about,
                         const std::vector<std::string>& known) {
        app.add_option(name, words, about)->delimiter(',')->check(CLI::IsMember(known));
    };
    add("--groups", options.groups, "Only lengths of these groups",
        {"powers-of-two", "2-3-5-7", "primes", "other"});
    add("--patterns", options.patterns, "Only these",
        {"lines", "lanes", "lines-to-lanes", "lanes-to-lines"});
    add("--levels", options.levels, "Only data in these", {"L1", "L2", "L3", "memory"});
    add("--kinds", options.kinds, "Only these",
        {"c2c", "r2c", "c2r", "dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4"});
    add("--precisions", options.precisions, "Only these", {"f64", "f32"});
    app.add_option("--lengths", options.lengths, "These lengths instead of the chosen ones")
        ->delimiter(',')
        ->check(CLI::PositiveNumber);
    app.add_option("--shapes", options.shapes, "cube: these shapes, as in 128x128x128")
        ->delimiter(',');
    app.add_option("--threads", options.threads,
                   "cube: so many threads; 1 and 2 if there are cores")
        ->delimiter(',')
        ->check(CLI::PositiveNumber);
    app.add_option("--largest", options.largest, "accuracy: all lengths up to this")
        ->check(CLI::PositiveNumber);
    app.add_option("--random", options.random, "accuracy: so many random lengths beyond")
        ->check(CLI::NonNegativeNumber);
}

void add_options(CLI::App& app, Arguments& arguments) {
    Options& options = arguments.options;
    app.add_option("study", options.studies, "lines, cube, accuracy; all three if none is named")
        ->check(CLI::IsMember({"lines", "cube", "accuracy"}));
    auto* quick = app.add_flag("--quick", arguments.quick, "A minute's look");
    app.add_flag("--full", arguments.full, "All lengths, patterns and levels: hours")
        ->excludes(quick);
    app.add_option("--engines", options.engines,
                   "By name, or `all`; all that are built in but `reference` if none is named")
        ->delimiter(',');
    app.add_flag("--rules", options.rules,
                 "lines: beside the engines, each way of the native one by two instruction sets");
    app.add_option("--budget", options.budget_s,
                   "Seconds after which no case is begun (600; quick 60; full none)")
        ->check(CLI::PositiveNumber);
    app.add_option("--effort", arguments.effort, "Planning effort of all cases")
        ->check(CLI::IsMember({"automatic", "estimate", "measure", "patient"}));
    app.add_option("--repeat", options.pace.repeat, "Samples of each engine")
        ->check(CLI::PositiveNumber);
    app.add_option("--sample", options.pace.sample_s, "The least seconds of a sample")
        ->check(CLI::PositiveNumber);
    add_filters(app, options);
}

Effort effort(const std::string& text) {
    for (const Effort one : {Effort::estimate, Effort::measure, Effort::patient}) {
        if (to_string(one) == text) return one;
    }
    return Effort::automatic;
}

/// Which library and version does the work; null of engines that do not tell. Throws
/// Error(not_available) if it is not on this machine.
Json description(const core::FftEngine& engine) {
    const std::string text = engine.description();
    return text.empty() ? Json(nullptr) : Json(text);
}

bool is_here(std::string_view name) {
    try {
        description(core::engine(name));
        return true;
    } catch (const Error& error) {
        if (error.code() != ErrorCode::not_available) throw;
        fmt::print(stderr, "engine_study: without {}: {}\n", name, error.what());
        return false;
    }
}

std::vector<std::string> chosen_engines(const std::vector<std::string>& asked) {
    std::vector<std::string> result;
    if (!asked.empty() && asked.front() != "all") {
        for (const std::string& name : asked) result.push_back(core::resolve_engine(name));
        return result;
    }
    for (const core::EngineInfo& info : core::engines()) {
        const bool slow = info.name == "reference" && asked.empty();
        if (info.built_in && !slow && is_here(info.name)) result.emplace_back(info.name);
    }
    if (result.empty()) result.emplace_back("reference");
    return result;
}

Options options_of(const Arguments& arguments) {
    Options result = arguments.options;
    result.effort = effort(arguments.effort);
    result.engines = chosen_engines(result.engines);
    double budget = 600;
    if (arguments.quick) {
        budget = 60;
        result.extent = Extent::quick;
        result.pace.case_s /= 3;
        result.largest = std::min<Index>(result.largest, 256);
        result.random = std::min(result.random, 4);
    }
    if (arguments.full) {
        budget = std::numeric_limits<double>::infinity();
        result.extent = Extent::full;
    }
    if (result.budget_s == 0) result.budget_s = budget;
    return result;
}

Json machine(const Options& options) {
    Json result = {{"study", "machine"}};
    cli::add_origin(result);
    result["cores"] = cli::cores();
    result["cache_bytes"] = {
        {"L1", cli::cache_bytes(1)}, {"L2", cli::cache_bytes(2)}, {"L3", cli::cache_bytes(3)}};
    result["engines"] = Json::object();
    for (const std::string& name : options.engines) {
        result["engines"][name] = description(core::engine(name));
    }
    return result;
}

void run(const Options& options) {
    struct Part {
        const char* name;
        std::size_t (*run)(const Options&, const Stopwatch&, double);
        double until;  ///< the part of the budget that is spent when it ends
    };
    constexpr Part parts[] = {
        {"lines", run_lines, 0.75}, {"cube", run_cube, 0.85}, {"accuracy", run_accuracy, 1}};
    const Stopwatch watch;
    print(machine(options));
    Json end = {{"study", "end"}, {"left_out", Json::object()}};
    for (const Part& part : parts) {
        if (!wanted(options.studies, part.name)) continue;
        const double until = options.studies.size() == 1 ? 1 : part.until;
        const std::size_t left = part.run(options, watch, until * options.budget_s);
        end["left_out"][part.name] = left;
        if (left > 0)
            fmt::print(stderr, "engine_study: {}: no time for {} more\n", part.name, left);
    }
    end["seconds"] = watch.seconds();
    print(end);
}

}  // namespace

}  // namespace weft::study

int main(int argc, char** argv) {
    CLI::App app("How fast and how exact the serial engines are: JSON, one object a line.",
                 "engine_study");
    weft::study::Arguments arguments;
    weft::study::add_options(app, arguments);
    CLI11_PARSE(app, argc, argv);
    // No more threads than are asked for, whatever a library thinks of the machine, unless the
    // caller says otherwise.
    const auto& threads = arguments.options.threads;
    const int most = threads.empty() ? 2 : *std::max_element(threads.begin(), threads.end());
    for (const char* name : {"MKL_NUM_THREADS", "OMP_NUM_THREADS"}) {
        setenv(name, std::to_string(most).c_str(), 0);
    }
    // MKL's OpenMP would go on spinning while others take their turn.
    setenv("KMP_BLOCKTIME", "0", 0);
    try {
        weft::study::run(weft::study::options_of(arguments));
    } catch (const weft::Error& error) {
        fmt::print(stderr, "engine_study: {}\n", error.what());
        return static_cast<int>(error.code());
    } catch (const std::exception& error) {
        fmt::print(stderr, "engine_study: {}\n", error.what());
        return static_cast<int>(weft::ErrorCode::system);
    }
    return 0;
}
