// What planning costs one rank of very many: seconds and memory to plan and to lower, in one
// process, without MPI; bench/README.md.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "measure/files.hpp"
#include "measure/host.hpp"
#include "measure/json.hpp"
#include "model/default_plan.hpp"
#include "plan/plan.hpp"
#include "program/lower.hpp"
#include "run/fused.hpp"
#include "weft/error.hpp"

namespace {

using namespace weft;
using namespace weft::cli;
using Json = nlohmann::ordered_json;

struct Case {
    std::string name;
    std::string text;  ///< of a plan, as far as it is given
    double most_seconds = 0;
    bool own_boxes = false;  ///< the input lies in bricks of uneven sizes, told as boxes
    bool engine = false;     ///< the engine's plans are made as well
};

std::vector<Case> cases() {
    const std::string slabs = "c2c:f64:4096x4096x4096 in=slab(0) out=free; ranks=4096";
    const std::string cube = "c2c:f64:4096x4096x4096";
    const std::string most = "; ranks=131072";
    const std::string messages = "; via=alltoallv";
    // Rows that these ranks do not share as a process grid would.
    const std::string few_rows = "c2c:f64:1000x1000x1000; ranks=4096; decomposition=row-wise";
    const std::string many_rows = "c2c:f64:5000x5000x5000; ranks=131072; decomposition=row-wise";
    return {
        {"slabs, shared", slabs, 0.05},
        {"slabs, messages", slabs + messages, 0.05},
        {"slabs, messages packed", slabs + messages + "; pack=sender", 0.05},
        {"pencils, shared", cube + most + "; decomposition=pencil", 0.1},
        {"pencils, messages", cube + most + "; decomposition=pencil" + messages, 0.1},
        {"bricks to bricks, shared", cube + " in=brick out=brick" + most, 0.1},
        {"bricks to bricks, messages", cube + " in=brick out=brick" + most + messages, 0.1},
        {"bricks to bricks, 4096 ranks", cube + " in=brick out=brick; ranks=4096", 0.1},
        {"rows of a grid, messages", cube + most + "; decomposition=row-wise" + messages, 0.1},
        {"rows of a grid, shared", cube + most + "; decomposition=row-wise", 0.1},
        {"rows, 4096 ranks, shared", few_rows, 0.1},
        {"rows, 4096 ranks, packed", few_rows + messages + "; pack=sender", 0.1},
        {"rows, messages", many_rows + messages, 0.1},
        {"rows, messages packed", many_rows + messages + "; pack=sender", 0.1},
        {"least volume", cube + most + "; decomposition=least-volume" + messages, 0.1},
        {"own boxes", cube + most + messages, 0.1, true},
        {"long lines, slabs", "c2c:f64:4x2x4000000 in=slab(0); ranks=8", 0.2, false, true},
        {"long lines, two ranks", "c2c:f64:4x2x1000000 in=slab(0); ranks=2", 0.2, false, true},
        {"long lines, bricks", "c2c:f64:64x64x1000000 in=brick out=brick; ranks=8", 0.2, false,
         true},
    };
}

/// 64 x 64 x 32 bricks, of which every other one along each axis is three planes longer than the
/// one behind it.
std::vector<std::vector<Box>> uneven_bricks(const std::vector<Index>& shape) {
    constexpr std::array<Index, 3> grid = {64, 64, 32};
    const auto edge = [&](std::size_t axis, Index part) {
        return shape[axis] * part / grid[axis] + (part % 2 != 0 ? 3 : 0);
    };
    std::vector<std::vector<Box>> result;
    for (Index i = 0; i < grid[0]; ++i) {
        for (Index j = 0; j < grid[1]; ++j) {
            for (Index k = 0; k < grid[2]; ++k) {
                const Box box{{edge(0, i), edge(1, j), edge(2, k)},
                              {edge(0, i + 1), edge(1, j + 1), edge(2, k + 1)}};
                result.push_back({box});
            }
        }
    }
    return result;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// What a child has found, told through a pipe.
struct Found {
    double plan_s = 0;
    double lower_s = 0;
    double engine_s = 0;
    Index operations = 0;
    Index parts = 0;  ///< of lines and slices of messages that the program names
};

Index named_parts(const core::Program& program) {
    Index count = 0;
    for (const core::Operation& operation : program.operations) {
        if (const auto* op = std::get_if<core::FusedOp>(&operation.what)) {
            for (const auto& work : op->work) {
                const auto* lines = std::get_if<core::FusedLines>(&work);
                if (lines == nullptr) continue;
                for (const auto* side : {&lines->from, &lines->to}) {
                    for (const core::Segments& alike : *side) {
                        count += static_cast<Index>(alike.begins.size());
                    }
                }
            }
        } else if (const auto* start = std::get_if<core::StartOp>(&operation.what)) {
            for (const auto* side : {&start->task.sends, &start->task.receives}) {
                for (const core::Message& message : *side) {
                    count += static_cast<Index>(message.slices.size());
                }
            }
        } else if (const auto* publish = std::get_if<core::PublishOp>(&operation.what)) {
            for (const auto* side : {&publish->task.offered, &publish->task.used}) {
                for (const core::PeerPart& part : *side) {
                    count += static_cast<Index>(part.slices.size());
                }
            }
        }
    }
    return count;
}

/// The plans of the native engine for the passes of a program.
double plan_passes(const core::Program& program) {
    const auto begin = std::chrono::steady_clock::now();
    core::Team team(1);
    core::EnginePlans plans(core::native_engine(), Effort::estimate, {team});
    for (const core::Operation& operation : program.operations) {
        const auto* op = std::get_if<core::FusedOp>(&operation.what);
        if (op == nullptr) continue;
        const std::vector<Index> aligned(program.buffers.size(), 0);
        const core::FusedRun run(*op, {aligned}, plans, team);
    }
    return seconds_since(begin);
}

Found measured(const Case& one, const core::PlanRequest& request) {
    Found found;
    auto begin = std::chrono::steady_clock::now();
    const core::Plan plan = core::default_plan(request.problem, request.choice, request.ranks);
    found.plan_s = seconds_since(begin);
    begin = std::chrono::steady_clock::now();
    const core::Program program = core::lower(plan, request.ranks / 3);
    found.lower_s = seconds_since(begin);
    found.operations = static_cast<Index>(program.operations.size());
    found.parts = named_parts(program);
    if (one.engine) found.engine_s = plan_passes(program);
    return found;
}

struct Outcome {
    Found found;
    Index peak_kib = 0;  ///< of the child's memory
    std::string error;   ///< what stopped it; empty: nothing
};

/// Does `work` in a process of its own, so that its memory is counted alone.
template <class Work>
Outcome in_child(const Work& work, unsigned most_seconds) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) throw Error(ErrorCode::system, "no pipe to a child process");
    const pid_t child = fork();
    if (child == 0) {
        alarm(most_seconds);
        Found found;
        int code = 0;
        try {
            found = work();
        } catch (const Error& error) {
            say_error(std::string(error.what()) + "\n");
            code = 1;
        }
        const bool told = write(ends[1], &found, sizeof found) == sizeof found;
        _exit(told ? code : 2);
    }
    close(ends[1]);
    Outcome outcome;
    const bool heard = read(ends[0], &outcome.found, sizeof outcome.found) == sizeof outcome.found;
    close(ends[0]);
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    outcome.peak_kib = usage.ru_maxrss;
    if (WIFSIGNALED(status)) {
        outcome.error = fmt::format("stopped after {} s", most_seconds);
    } else if (!heard || WEXITSTATUS(status) != 0) {
        outcome.error = "refused";
    }
    return outcome;
}

Json record(const Case& one, int repeat, unsigned most_seconds) {
    core::PlanRequest request = core::parse_plan_request(one.text);
    if (one.own_boxes) request.problem.in = own_boxes(uneven_bricks(request.problem.shape));
    // With the caller's boxes, which are there before anything is planned.
    const Index idle_kib = in_child([] { return Found{}; }, most_seconds).peak_kib;
    std::vector<double> plan;
    std::vector<double> lower;
    std::vector<double> engine;
    Outcome last;
    for (int i = 0; i < repeat; ++i) {
        last = in_child([&] { return measured(one, request); }, most_seconds);
        if (!last.error.empty()) break;
        plan.push_back(last.found.plan_s);
        lower.push_back(last.found.lower_s);
        engine.push_back(last.found.engine_s);
    }
    Json result = {{"case", one.name}, {"plan", one.text}, {"asked_s", one.most_seconds}};
    if (!last.error.empty()) {
        fmt::print("{:30} {}\n", one.name, last.error);
        result["error"] = last.error;
        return result;
    }
    const auto middle = [](std::vector<double> values) {
        std::sort(values.begin(), values.end());
        return values[values.size() / 2];
    };
    const double megabytes = static_cast<double>(last.peak_kib - idle_kib) * 1024 / 1e6;
    result["plan_s"] = middle(plan);
    result["lower_s"] = middle(lower);
    if (one.engine) result["engine_s"] = middle(engine);
    result["peak_mb"] = megabytes;
    result["operations"] = last.found.operations;
    result["parts"] = last.found.parts;
    fmt::print("{:30} plan {:8.4f} s  lower {:8.4f} s  {}  {:6.1f} MB  {} operations, {} parts\n",
               one.name, middle(plan), middle(lower),
               one.engine ? fmt::format("engine {:.4f} s", middle(engine)) : "", megabytes,
               last.found.operations, last.found.parts);
    return result;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Plans and lowers one rank of many.");
    std::string json;
    std::string only;
    int repeat = 5;
    unsigned most_seconds = 120;
    std::vector<std::string> texts;
    app.add_option("texts", texts, "plans to look at instead, as texts that say their ranks");
    app.add_option("--json", json, "write the results to this file, one object a line");
    app.add_option("--only", only, "cases whose names begin so");
    app.add_option("--repeat", repeat, "runs of each case, of which the middle one is told")
        ->check(CLI::Range(1, 1000));
    app.add_option("--limit", most_seconds, "seconds after which a run is stopped");
    CLI11_PARSE(app, argc, argv);
    try {
        std::string lines;
        std::vector<Case> all;
        all.reserve(texts.size());
        for (const std::string& text : texts) all.push_back({text, text, 10});
        for (const Case& one : texts.empty() ? cases() : all) {
            if (!one.name.starts_with(only)) continue;
            std::fflush(stdout);
            Json result = record(one, repeat, most_seconds);
            add_origin(result);
            result["cores"] = cores();
            lines += result.dump() + "\n";
        }
        if (!json.empty()) write_file(json, lines);
    } catch (const Error& error) {
        say_error(fmt::format("scale_study: {}\n", error.what()));
        return static_cast<int>(error.code());
    }
    return 0;
}
