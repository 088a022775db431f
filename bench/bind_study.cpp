// What a caller pays before the first transform: planning and binding, by problem and way.
// bench/README.md says how to run it.
#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <complex>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>
#include <weft/weft.hpp>

#include "measure/json.hpp"
#include "measure/machine.hpp"
#include "measure/quartiles.hpp"
#include "study_main.hpp"

namespace {

using namespace weft;
using namespace weft::cli;

using Complex = std::complex<double>;

struct Options {
    std::vector<std::string> shapes = {"8x8x8", "64x64x64", "200x180x150", "256x256x256"};
    int repeat = 21;
    std::string json;
};

/// A way to run a problem: what is asked for, and whether the arrays are weft::allocate's.
struct Way {
    std::string name;
    std::string choice;
    bool allocated = false;
};

std::vector<Way> ways() {
    return {{"shared", "via=shared"},
            {"allocated", "via=shared", true},
            {"messages", "via=alltoallv"},
            {"packed", "via=alltoallv; pack=sender"},
            {"tiles", "via=ialltoallv; tile=default"},
            {"pencils", "decomposition=pencil; via=alltoallv"}};
}

/// Seconds of the slowest rank, repeat by repeat.
struct Times {
    std::vector<double> plan;
    std::vector<double> bind;
};

/// Collective: what the call takes on the slowest rank, all of which start together.
template <class Call>
double slowest_seconds(MPI_Comm comm, const Call& call) {
    MPI_Barrier(comm);
    const double begin = MPI_Wtime();
    call();
    double took = MPI_Wtime() - begin;
    MPI_Allreduce(MPI_IN_PLACE, &took, 1, MPI_DOUBLE, MPI_MAX, comm);
    return took;
}

/// The first time counts in neither: it makes what stays with the communicator.
Times measure(const std::string& text, bool allocated, int repeat, MPI_Comm comm) {
    const Plan first = Plan::parse(text, comm);
    Array<Complex> in_array;
    Array<Complex> out_array;
    std::vector<Complex> in_vector;
    std::vector<Complex> out_vector;
    if (allocated) {
        in_array = allocate<Complex>(first.in_size());
        out_array = allocate<Complex>(first.out_size());
    } else {
        in_vector.resize(static_cast<std::size_t>(first.in_size()));
        out_vector.resize(static_cast<std::size_t>(first.out_size()));
    }
    Complex* const in = allocated ? in_array.data() : in_vector.data();
    Complex* const out = allocated ? out_array.data() : out_vector.data();
    Times times;
    for (int i = 0; i <= repeat; ++i) {
        std::optional<Plan> plan;
        const double planning =
            slowest_seconds(comm, [&] { plan.emplace(Plan::parse(text, comm)); });
        std::optional<Transform> transform;
        const double binding =
            slowest_seconds(comm, [&] { transform.emplace(plan->bind(in, out)); });
        if (i == 0) continue;
        times.plan.push_back(planning);
        times.bind.push_back(binding);
    }
    return times;
}

std::string json_line(const std::string& problem, const Way& way, const Times& times, int ranks,
                      const Machine& machine) {
    Json line;
    line["study"] = "bind";
    line["problem"] = problem;
    line["ranks"] = ranks;
    line["runner"] = way.name;
    line["repeat"] = times.bind.size();
    line["plan_s"] = json(quartiles(times.plan));
    line["bind_s"] = json(quartiles(times.bind));
    add_machine(line, machine);
    return line.dump() + "\n";
}

int run(const Options& options) {
    const std::string heading =
        fmt::format("milliseconds of the slowest rank, medians\n{:<22} {:<10} {:>9} {:>9}\n",
                    "problem", "way", "plan", "bind");
    return bench::run_study(
        "bind_study", heading, options.json, [&](const Machine& here, int ranks, bool speaks) {
            std::string lines;
            for (const std::string& shape : options.shapes) {
                const std::string problem = "c2c:f64:" + shape;
                for (const Way& way : ways()) {
                    const Times times = measure(problem + "; " + way.choice, way.allocated,
                                                options.repeat, MPI_COMM_WORLD);
                    lines += json_line(problem, way, times, ranks, here);
                    if (!speaks) continue;
                    fmt::print("{:<22} {:<10} {:>9.3f} {:>9.3f}\n", problem, way.name,
                               1e3 * quartiles(times.plan).median,
                               1e3 * quartiles(times.bind).median);
                    std::fflush(stdout);
                }
            }
            return lines;
        });
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("what planning and binding take, by problem and way");
    app.add_option("--shapes", options.shapes, "as 64x64x64,100x90x70")
        ->delimiter(',')
        ->capture_default_str();
    app.add_option("--repeat", options.repeat, "times that each is planned and bound")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--json", options.json, "also write one JSON object a line to this file");
    CLI11_PARSE(app, argc, argv);
    return run(options);
}
