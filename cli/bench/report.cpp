#include "bench/report.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/text.hpp"
#include "columns.hpp"
#include "measure/json.hpp"
#include "plan/problem.hpp"

namespace weft::cli {

namespace {

constexpr std::array<const char*, 2> directions = {"forward", "backward"};
constexpr std::array<const char*, 5> part_names = {"fft", "pack", "exchange", "unpack", "other"};

/// The field's count, whatever a transform really does: 5 n log2 N for n elements in transforms of
/// N, and half of it for real data.
double flops(const Problem& problem) {
    auto elements = static_cast<double>(problem.batch);
    for (const Index n : problem.shape) elements *= static_cast<double>(n);
    double levels = 0;
    for (const int axis : core::transformed_axes(problem)) {
        levels += std::log2(static_cast<double>(problem.shape[static_cast<std::size_t>(axis)]));
    }
    return (problem.kind == Kind::c2c ? 5 : 2.5) * elements * levels;
}

double gflops(const Problem& problem, const Quartiles& seconds) {
    return 1e-9 * flops(problem) / seconds.median;
}

/// Bytes between ranks per second of exchange.
std::optional<double> bandwidth(const Measurement& one, std::size_t direction) {
    const auto& profile = one.profile[direction];
    if (!profile || !one.how.moved_bytes || *one.how.moved_bytes == 0) return {};
    const double seconds = profile->of(Phase::exchange);
    if (seconds <= 0) return {};
    return static_cast<double>(*one.how.moved_bytes) / seconds;
}

/// weft's median over a competitor's; on weft's own line the first competitor's.
std::optional<double> ratio(const Comparison& all, const Measurement& one, std::size_t direction) {
    if (all.measurements.size() < 2) return {};
    const Measurement& weft = all.measurements.front();
    const Measurement& other = &one == &weft ? all.measurements[1] : one;
    return weft.seconds[direction].median / other.seconds[direction].median;
}

template <class T>
Json json(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json json(const std::optional<Profile>& profile) {
    if (!profile) return nullptr;
    Json result;
    for (std::size_t i = 0; i < part_names.size(); ++i) {
        result[part_names[i]] = profile->seconds[i];
    }
    return result;
}

/// `{"forward": .., "backward": ..}`, or null if both are.
template <class Value>
Json of_directions(const Value& value) {
    Json result;
    for (std::size_t i = 0; i < directions.size(); ++i) result[directions[i]] = json(value(i));
    if (result[directions[0]].is_null() && result[directions[1]].is_null()) return nullptr;
    return result;
}

Json record(const Comparison& all, const Measurement& one) {
    const Problem& problem = all.problem;
    Json result;
    result["library"] = one.how.library;
    result["engine"] = one.how.engine;
    result["kind"] = to_string(problem.kind);
    result["precision"] = problem.kind == Kind::redistribute
                              ? fmt::format("{} bytes", problem.element_bytes)
                              : to_string(problem.precision);
    result["shape"] = problem.shape;
    result["ranks"] = all.ranks;
    result["threads"] = one.how.threads;
    result["grid"] = one.how.grid;
    result["in"] = one.how.in;
    result["out"] = one.how.out;
    result["in_place"] = one.how.in_place;
    result["batch"] = problem.batch;
    result["plan"] = one.how.plan;
    result["repeat"] = all.repeat;
    result["forward_s"] = json(one.seconds[0]);
    result["backward_s"] = json(one.seconds[1]);
    result["ratio"] = json(ratio(all, one, 0));
    result["ratio_backward"] = json(ratio(all, one, 1));
    result["gflops"] = of_directions(
        [&](std::size_t i) { return std::optional(gflops(problem, one.seconds[i])); });
    result["workspace_bytes"] = json(one.how.workspace_bytes);
    result["breakdown"] = of_directions([&](std::size_t i) { return one.profile[i]; });
    result["moved_bytes"] = json(one.how.moved_bytes);
    result["bytes_per_s"] = of_directions([&](std::size_t i) { return bandwidth(one, i); });
    add_machine(result, all.machine);
    if (!one.how.version.empty()) result["versions"][one.how.library] = one.how.version;
    return result;
}

std::string times_table(const Comparison& all) {
    std::string text = fmt::format("{:<10} {:<9} {:>10} {:>10} {:>10} {:>9}\n", "library",
                                   "direction", "median", "q1", "q3", "GFLOP/s");
    for (const Measurement& one : all.measurements) {
        for (std::size_t i = 0; i < directions.size(); ++i) {
            const Quartiles& seconds = one.seconds[i];
            text += fmt::format("{:<10} {:<9} {:>10.6f} {:>10.6f} {:>10.6f} {:>9.2f}\n",
                                one.how.library, directions[i], seconds.median, seconds.q1,
                                seconds.q3, gflops(all.problem, seconds));
        }
    }
    return text;
}

std::string ratios(const Comparison& all) {
    std::string text;
    for (const Measurement& one : all.measurements) {
        if (&one == &all.measurements.front()) continue;
        text += fmt::format("weft / {}: forward {:.3f}, backward {:.3f}\n", one.how.library,
                            *ratio(all, one, 0), *ratio(all, one, 1));
    }
    return text;
}

std::string breakdown_table(const Measurement& one) {
    std::string text = fmt::format("\n{:<10} {:<9}", "seconds", "");
    for (const char* name : part_names) text += fmt::format(" {:>10}", name);
    text += '\n';
    for (std::size_t i = 0; i < directions.size(); ++i) {
        text += fmt::format("{:<10} {:<9}", one.how.library, directions[i]);
        for (const double seconds : one.profile[i]->seconds) {
            text += fmt::format(" {:>10.6f}", seconds);
        }
        if (const auto rate = bandwidth(one, i)) {
            text += fmt::format("\n{:<20} {:.2f} MB between ranks, {:.2f} GB/s", "",
                                1e-6 * static_cast<double>(*one.how.moved_bytes), 1e-9 * *rate);
        }
        text += '\n';
    }
    return text;
}

}  // namespace

std::string bench_verdict(const Comparison& comparison) {
    const Measurement& weft = comparison.measurements.front();
    std::string text = fmt::format(
        "weft takes {} forward, {} backward on {} ({:.2f} and {:.2f} GFLOP/s)",
        time_text(weft.seconds[0].median), time_text(weft.seconds[1].median),
        core::number_of(static_cast<std::size_t>(comparison.ranks), "rank"),
        gflops(comparison.problem, weft.seconds[0]), gflops(comparison.problem, weft.seconds[1]));
    for (const Measurement& one : comparison.measurements) {
        if (&one == &weft) continue;
        text += fmt::format("; {:.2f} and {:.2f} of the time of {}", *ratio(comparison, one, 0),
                            *ratio(comparison, one, 1), one.how.library);
    }
    return text;
}

std::string bench_json(const Comparison& comparison) {
    Json all = {{"verdict", bench_verdict(comparison)}, {"results", Json::array()}};
    for (const Measurement& one : comparison.measurements) {
        all["results"].push_back(record(comparison, one));
    }
    return all.dump(1) + "\n";
}

std::string bench_text(const Comparison& comparison) {
    std::string text =
        verdict_text(bench_verdict(comparison)) + description(comparison.machine, comparison.ranks);
    for (const Measurement& one : comparison.measurements) {
        text += fmt::format("{:<10} {}\n", one.how.library, one.how.plan);
        if (one.how.in.empty()) continue;
        text += fmt::format("{:<10} {} -> {}\n", "", one.how.in, one.how.out);
    }
    text += fmt::format("\nseconds of the slowest rank, {} repeat{}\n", comparison.repeat,
                        comparison.repeat == 1 ? "" : "s");
    text += times_table(comparison) + ratios(comparison);
    for (const Measurement& one : comparison.measurements) {
        if (one.profile[0] && one.profile[1]) text += breakdown_table(one);
    }
    return text;
}

}  // namespace weft::cli
