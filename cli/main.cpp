// The weft command.
#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "help.hpp"
#include "launch.hpp"
#include "measure/files.hpp"
#include "mistakes.hpp"
#include "net/agree.hpp"
#include "verbs.hpp"
#include "weft/error.hpp"
#include "weft/version.hpp"

namespace {

using weft::cli::launched_rank;

/// Says what is wrong where every process finds it, and returns what to exit with. Only the first
/// process says it and fails: a launcher ends the others as soon as one has failed, and that one
/// has to have said why.
int refuse(const std::string& what, weft::ErrorCode code) {
    if (launched_rank() != 0) return 0;
    weft::cli::say_error(fmt::format("weft: {}\n", what));
    return static_cast<int>(code);
}

/// The highest code of all ranks on the first of them, 0 on the others, for the reason that
/// refuse() gives.
int code_of_all(int code) {
    int highest = 0;
    MPI_Reduce(&code, &highest, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    return highest;
}

constexpr const char* lost_output = "the output could not be written";

/// Where stdout has no buffer, printing throws as soon as it fails, in words of its own.
std::string text_of(const std::exception& error) {
    return std::ferror(stdout) != 0 ? lost_output : error.what();
}

/// Throws Error(system) if something of the output is lost. A flush tells that only once, and a
/// verb may have flushed before.
void require_output() {
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
        throw weft::Error(weft::ErrorCode::system, lost_output);
    }
}

/// Errors are collective: every rank has the same one, so one prints it and all return its code.
int run(const std::function<int()>& work) {
    try {
        const int code = work();
        require_output();
        return code;
    } catch (const weft::Error& error) {
        if (launched_rank() == 0) weft::cli::say_error(fmt::format("weft: {}\n", error.what()));
        return static_cast<int>(error.code());
    }
}

/// weft calls MPI from one thread, whatever a choice's `threads` says, unless a tiling asks for
/// another; MPI is faster if it knows.
int needed_threads(int argc, char** argv) {
    const bool several = std::any_of(argv, argv + argc, [](const char* argument) {
        return std::strstr(argument, "progress:thread") != nullptr;
    });
    return several ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED;
}

int run_with_mpi(const weft::cli::Verb& verb, int* argc, char*** argv) {
    int provided = MPI_THREAD_SINGLE;
    MPI_Init_thread(argc, argv, needed_threads(*argc, *argv), &provided);
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const std::string apart = weft::cli::launched_apart(ranks);
    if (!apart.empty()) {
        MPI_Finalize();
        return refuse(apart, weft::ErrorCode::system);
    }
    try {
        const int code = code_of_all(run([&] {
            // What one rank alone cannot read it would refuse alone, and the others would wait.
            weft::core::require_same(MPI_COMM_WORLD, "the command line", [&] {
                return fmt::format("{}", fmt::join(*argv + 1, *argv + *argc, " "));
            });
            return verb.run();
        }));
        MPI_Finalize();
        return code;
    } catch (const std::exception& error) {
        // Nobody knows whether the other ranks fail too, so none is waited for.
        const int code = static_cast<int>(weft::ErrorCode::system);
        weft::cli::say_error(fmt::format("weft: rank {}: {}\n", launched_rank(), text_of(error)));
        MPI_Abort(MPI_COMM_WORLD, code);
        return code;
    }
}

int run_alone(const weft::cli::Verb& verb) {
    try {
        return run(verb.run);
    } catch (const std::exception& error) {
        weft::cli::say_error(fmt::format("weft: {}\n", text_of(error)));
        return static_cast<int>(weft::ErrorCode::system);
    }
}

}  // namespace

int main(int argc, char** argv) {
    // Beyond the limit of files (ulimit -f) writing fails with an error, which is told.
    std::signal(SIGXFSZ, SIG_IGN);
    CLI::App app(
        "weft: distributed-memory fast Fourier transforms\n"
        "Exit codes: 0 right, 1 wrong result, 2 bad request, 3 not available here, "
        "4 MPI or system");
    app.formatter(weft::cli::help_format());  // Before verbs are added, which take it over.
    app.set_version_flag("--version", "weft " + weft::version());
    app.require_subcommand(0, 1);
    app.footer(
        "Examples: mpirun -n 2 weft ft --class A\n"
        "          weft explain 256x256x256 --ranks 4096\n"
        "          weft predict 256x256x256 --machine summit\n"
        "          weft simulate 256x256x256 --ranks 4096 --machine summit\n"
        "          weft plan 256x256x256 --ranks 64 --machine summit\n"
        "          mpirun -n 2 weft calibrate --output here.json\n"
        "          mpirun -n 2 weft verify c2c:f64:30x28x17 --out 'slab(0)'\n"
        "          mpirun -n 2 weft bench 256x256x256\n"
        "          mpirun -n 2 weft exchange\n"
        "          weft engines\n"
        "          mpirun -n 2 weft tune 256x256x256 --limit 10\n"
        "          weft wisdom show\n"
        "          weft info");
    const std::vector<weft::cli::Verb> verbs = {
        weft::cli::add_ft(app),        weft::cli::add_explain(app),  weft::cli::add_verify(app),
        weft::cli::add_bench(app),     weft::cli::add_exchange(app), weft::cli::add_engines(app),
        weft::cli::add_methods(app),   weft::cli::add_predict(app),  weft::cli::add_simulate(app),
        weft::cli::add_calibrate(app), weft::cli::add_copies(app),   weft::cli::add_tune(app),
        weft::cli::add_wisdom(app),    weft::cli::add_info(app),     weft::cli::add_plan(app),
        weft::cli::add_manual(app)};  // Last: it describes all others.
    app.footer(weft::cli::as_typed(app.get_footer(), argv[0]));
    for (const weft::cli::Verb& verb : verbs) {
        verb.app->footer(weft::cli::as_typed(verb.app->get_footer(), argv[0]));
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) {  // --help, --version
            if (launched_rank() != 0) return 0;
            return run([&] { return app.exit(error); });
        }
        return refuse(weft::cli::what_is_wrong(app, error, argc, argv),
                      weft::ErrorCode::bad_request);
    }
    const std::string empty = weft::cli::empty_value(app);
    if (!empty.empty()) return refuse(empty, weft::ErrorCode::bad_request);
    for (const weft::cli::Verb& verb : verbs) {
        if (!verb.app->parsed()) continue;
        if (verb.needs_mpi()) return run_with_mpi(verb, &argc, &argv);
        // Every launched process would print the same.
        return launched_rank() == 0 ? run_alone(verb) : 0;
    }
    return refuse(
        "a verb is needed: ft, explain, plan, predict, simulate, verify, bench, exchange, engines, "
        "methods, calibrate, copies, tune, wisdom, info or manual; see weft --help",
        weft::ErrorCode::bad_request);
}
