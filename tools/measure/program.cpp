#include "measure/program.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <regex>
#include <thread>

#include "base/text.hpp"
#include "measure/command.hpp"
#include "measure/json.hpp"
#include "net/agree.hpp"
#include "net/mpi_error.hpp"
#include "plan/problem.hpp"
#include "weft/error.hpp"

namespace weft::cli {

namespace {

constexpr std::string_view prefix = "program:";

[[noreturn]] void failed(const Program& program, const std::string& how) {
    throw Error(ErrorCode::system,
                fmt::format("--against {}{}: {} {}", prefix, program.name, program.command, how));
}

/// What stands in place of {word}.
std::string value_of(const std::string& word, const Problem& problem, int ranks, int repeat) {
    if (word == "kind") return to_string(problem.kind);
    if (word == "precision") return to_string(problem.precision);
    if (word == "shape") return fmt::format("{}", fmt::join(problem.shape, "x"));
    if (word == "ranks") return std::to_string(ranks);
    if (word == "repeat") return std::to_string(repeat);
    const std::size_t axis = word.size() == 2 && word[0] == 'n' ? word[1] - std::size_t{'0'} : 10;
    if (axis < 3) return std::to_string(axis < problem.shape.size() ? problem.shape[axis] : 1);
    core::bad_request(
        fmt::format("--against program: {{{}}} is unknown; there are {{kind}}, {{precision}}, "
                    "{{shape}}, {{n0}}, "
                    "{{n1}}, {{n2}}, {{ranks}} and {{repeat}}",
                    word));
}

/// Braces around anything but a word, as JSON's and the shell's, stay.
std::string filled_in(const std::string& command, const Problem& problem, int ranks, int repeat) {
    static const std::regex word("(^|[^$])\\{([a-z][a-z0-9]*)\\}");
    std::string line;
    auto rest = command.begin();
    for (std::smatch found; std::regex_search(rest, command.end(), found, word);) {
        line.append(rest, found[2].first - 1);
        line += value_of(found[2], problem, ranks, repeat);
        rest = found[2].second + 1;
    }
    return line.append(rest, command.end());
}

/// The object in the last line that has one: launchers print lines of their own.
Json object_in(const std::string& output) {
    Json found;
    for (std::size_t begin = 0; begin < output.size();) {
        const std::size_t end = std::min(output.find('\n', begin), output.size());
        const Json line = Json::parse(output.substr(begin, end - begin), nullptr, false);
        if (line.is_object()) found = line;
        begin = end + 1;
    }
    return found;
}

std::vector<double> seconds_of(const Json& told, const char* key, int repeat) {
    auto seconds = told.at(key).get<std::vector<double>>();
    if (static_cast<int>(seconds.size()) != repeat) {
        core::bad_request(fmt::format("{} has {} numbers, not {}", key, seconds.size(), repeat));
    }
    for (const double one : seconds) {
        if (!(one > 0)) core::bad_request(fmt::format("{} has {}", key, one));
    }
    return seconds;
}

std::complex<double> complex_of(const Json& told, const char* key) {
    return {told.at(key).at(0).get<double>(), told.at(key).at(1).get<double>()};
}

ProgramRun read(const Program& program, const std::string& output, int ranks, int repeat) {
    const Json told = object_in(output);
    if (told.is_null()) {
        failed(program, fmt::format("printed no line of JSON, but '{}'; print one as "
                                    "bench/README.md says",
                                    output.substr(0, 200)));
    }
    if (told.contains("cannot")) {
        throw Error(ErrorCode::not_available,
                    fmt::format("--against {}{}: {}", prefix, program.name,
                                told["cannot"].is_string() ? told["cannot"].get<std::string>()
                                                           : told["cannot"].dump()));
    }
    try {
        ProgramRun run;
        run.how.library = program.name;
        run.how.version = told.at("version").get<std::string>();
        run.how.plan = told.value("plan", "");
        if (told.at("ranks") != ranks) {
            core::bad_request(
                fmt::format("ranks is {}, not {}; use {{ranks}} and a launcher of the "
                            "program's MPI",
                            told["ranks"].dump(), ranks));
        }
        run.times = {seconds_of(told, "forward_s", repeat), seconds_of(told, "backward_s", repeat)};
        run.spectrum = complex_of(told, "spectrum");
        run.back = complex_of(told, "back");
        return run;
    } catch (const std::exception& error) {
        failed(program, fmt::format("printed '{}': {}", told.dump().substr(0, 200), error.what()));
    }
}

bool suits(const Problem& problem) {
    const std::size_t dims = problem.shape.size();
    if (problem.kind != Kind::c2c && problem.kind != Kind::r2c) return false;
    if (problem.batch != 1 || dims > 3 || core::transformed_axes(problem).size() != dims)
        return false;
    if (problem.kind == Kind::r2c && core::r2c_axis_of(problem) + 1 != static_cast<int>(dims))
        return false;
    if (core::scale_factor(problem, false) != 1 || core::scale_factor(problem, true) != 1)
        return false;
    return !core::keeps_part(problem) && !core::has_real_to_real(problem);
}

/// Waits for all ranks without keeping its core busy.
void meet_asleep(MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    core::check_mpi(MPI_Ibarrier(comm, &request), "MPI_Ibarrier");
    for (int met = 0;;) {
        core::check_mpi(MPI_Test(&request, &met, MPI_STATUS_IGNORE), "MPI_Test");
        if (met != 0) return;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

}  // namespace

std::optional<Program> program_of(const std::string& against, double limit) {
    if (!against.starts_with(prefix)) return {};
    const std::size_t equals = against.find('=');
    if (equals == std::string::npos || equals == prefix.size() || equals + 1 == against.size()) {
        core::bad_request(
            fmt::format("--against '{}': write program:NAME=COMMAND, as program:mine=\"mpirun -n "
                        "{{ranks}} ./mine {{kind}} {{shape}} {{repeat}}\"",
                        against));
    }
    Program program{against.substr(prefix.size(), equals - prefix.size()),
                    against.substr(equals + 1), limit};
    filled_in(program.command, Problem{}, 1, 1);
    return program;
}

ProgramRun run_program(const Program& program, const Problem& problem, int repeat, MPI_Comm comm) {
    if (!suits(problem)) {
        throw Error(ErrorCode::not_available,
                    fmt::format("--against {}{}: programs are asked for c2c and r2c transforms of "
                                "all axes, up to three, of one array, without scaling",
                                prefix, program.name));
    }
    int rank = 0;
    int ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    Outcome outcome;
    const core::Failure failure = core::attempt([&] {
        if (rank != 0) return;
        outcome = run_command(filled_in(program.command, problem, ranks, repeat), program.limit);
    });
    meet_asleep(comm);
    const std::string output = core::told_by_first(comm, [&] {
        if (failure.happened) failed(program, failure.message);
        if (outcome.timed_out) {
            failed(program, fmt::format("took more than {} s and was ended; give it longer by "
                                        "--limit",
                                        program.limit));
        }
        if (outcome.code != 0) {
            failed(program, fmt::format("ended with exit code {}; its output: '{}'", outcome.code,
                                        outcome.output.substr(0, 200)));
        }
        return outcome.output;
    });
    return read(program, output, ranks, repeat);
}

}  // namespace weft::cli
