// weft ft: the NAS Parallel Benchmark FT, checked against its published checksums.
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <cctype>
#include <memory>
#include <string>

#include "base/text.hpp"
#include "ft.hpp"
#include "measure/machine.hpp"
#include "options.hpp"
#include "verbs.hpp"

namespace weft::cli {

namespace {

struct Options {
    std::string problem_class = "S";
    std::string in = "free";
    std::string out = "free";
    bool json = false;
    ProblemOptions choice;
};

int run(const Options& options) {
    if (options.problem_class.size() != 1) {
        core::bad_request("--class '" + options.problem_class +
                          "' is unknown; there are S, W, A, B, C");
    }
    FtOptions ft;
    ft.problem_class =
        static_cast<char>(std::toupper(static_cast<unsigned char>(options.problem_class[0])));
    ft.json = options.json;
    ft.choice = options.choice.choice_text();
    for (const std::string* end : {&options.in, &options.out}) {
        if (core::words(*end).size() != 1) core::bad_request("'" + *end + "' is not a layout");
    }
    const Problem ends = parse_problem("c2c:f64:1x1x1 in=" + options.in + " out=" + options.out);
    ft.in = ends.in;
    ft.out = ends.out;
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const Machine here = machine(MPI_COMM_WORLD);
    if (rank == 0) warn_if_crowded(here, "weft ft");
    return run_ft(ft, MPI_COMM_WORLD) ? 0 : 1;
}

}  // namespace

Verb add_ft(CLI::App& app) {
    auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand(
        "ft", "Run the NAS Parallel Benchmark FT and check its published checksums");
    verb->add_option("--class", options->problem_class,
                     "S 64x64x64, W 128x128x32, A 256x256x128, B 512x256x256, C 512x512x512")
        ->capture_default_str();
    verb->add_option("--in", options->in, "layout of the field")->capture_default_str();
    verb->add_option("--out", options->out, "layout of the spectrum")->capture_default_str();
    verb->add_flag("--json", options->json, "print one JSON document");
    options->choice.add_choice_to(*verb);
    verb->footer("Example: mpirun -n 2 weft ft --class A --via alltoallw");
    return {verb, [options] { return run(*options); }, [] { return true; }};
}

}  // namespace weft::cli
