#include "study/run.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <thread>

#include "base/text.hpp"
#include "study/line_case.hpp"
#include "study/rules.hpp"
#include "weft/error.hpp"

namespace weft::study {

namespace {

/// Plans, checks and times; a wrong result's message gets the case's name.
Json measure(const core::FftTask& task, const Options& options, Effort effort,
             const std::string& name, int threads = 1) {
    std::vector<std::string> engines = options.engines;
    if (options.rules && task.line.kind == Kind::c2c && task.complex_axes.empty()) {
        const auto rules = rule_names(task);
        engines.insert(engines.end(), rules.begin(), rules.end());
    }
    Contest contest(task, engines, effort, threads);
    try {
        contest.check_same_results();
    } catch (const Error& error) {
        throw Error(error.code(), fmt::format("{}: {}", name, error.what()));
    }
    contest.race(options.pace);
    return contest.json();
}

Json record(const LineCase& one) {
    Json result = {{"study", "lines"}};
    result["group"] = group(one.length);
    result["kind"] = kind_word(one);
    result["precision"] = to_string(one.precision);
    result["length"] = one.length;
    result["pattern"] = to_string(one.pattern);
    result["distance"] = one.pattern.distance == 0 ? Json(nullptr) : Json(one.pattern.distance);
    result["level"] = to_string(one.level);
    result["batch"] = one.batch;
    result["filled"] = one.filled;
    result["bytes"] = data_bytes(one);
    result["threads"] = 1;
    return result;
}

/// A row-major array, all of whose axes are transformed.
core::FftTask whole_array(const std::vector<Index>& shape) {
    std::vector<core::Loop> axes;
    Index stride = 1;
    for (auto n = shape.rbegin(); n != shape.rend(); ++n) {
        axes.insert(axes.begin(), core::Loop{*n, stride, stride});
        stride *= *n;
    }
    core::FftTask task;
    task.set_axes(axes);
    return task;
}

std::vector<std::string> shapes(const Options& options) {
    if (!options.shapes.empty()) return options.shapes;
    if (options.extent == Extent::quick) return {"128x128x128"};
    return {"128x128x128", "256x256x256", "200x180x150"};
}

/// Shapes, first all by one thread.
std::vector<std::pair<std::string, int>> cubes(const Options& options) {
    std::vector<int> threads = options.threads;
    if (threads.empty())
        threads =
            std::thread::hardware_concurrency() > 1 ? std::vector<int>{1, 2} : std::vector<int>{1};
    std::vector<std::pair<std::string, int>> result;
    for (const int count : threads) {
        for (const std::string& shape : shapes(options)) result.emplace_back(shape, count);
    }
    return result;
}

}  // namespace

void print(const Json& record) {
    fmt::print("{}\n", record.dump());
    if (std::fflush(stdout) != 0) {
        throw Error(ErrorCode::system, "the output could not be written");
    }
}

void Progress::next(const std::string& what) {
    constexpr double pause_s = 5;
    ++done_;
    const double now = watch_.seconds();
    if (now - last_ < pause_s) return;
    last_ = now;
    fmt::print(stderr, "engine_study: {}: {} of {} after {:.0f} s: {}\n", part_, done_, cases_, now,
               what);
}

std::size_t run_lines(const Options& options, const Stopwatch& watch, double limit_s) {
    const std::vector<LineCase> cases = line_cases(options);
    Progress progress("lines", cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i) {
        if (watch.seconds() > limit_s) return cases.size() - i;
        const LineCase& one = cases[i];
        progress.next(to_string(one));
        Json result = record(one);
        result["engines"] = measure(task(one), options, one.effort, to_string(one));
        print(result);
    }
    return 0;
}

std::size_t run_cube(const Options& options, const Stopwatch& watch, double limit_s) {
    const auto all = cubes(options);
    const Effort effort = options.effort == Effort::automatic ? Effort::measure : options.effort;
    Progress progress("cube", all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (watch.seconds() > limit_s) return all.size() - i;
        const auto& [name, threads] = all[i];
        progress.next(name);
        const std::vector<Index> shape = core::parse_extents(name, "--shapes");
        const core::FftTask task = whole_array(shape);
        const Index n = shape[0] * task.axes().front().from;
        Json result = {{"study", "cube"}, {"kind", "c2c"},   {"precision", "f64"},
                       {"shape", shape},  {"bytes", 32 * n}, {"threads", threads}};
        result["engines"] = measure(task, options, effort, name, threads);
        print(result);
    }
    return 0;
}

}  // namespace weft::study
