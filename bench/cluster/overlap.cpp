#include "cluster/overlap.hpp"

#include <fmt/format.h>

#include <functional>

#include "measure/race.hpp"
#include "net/mpi_error.hpp"

namespace weft::bench {

namespace {

/// Returns the seconds that it waited for the transposition.
using Way = std::function<double()>;

double compute_beside(Transposition& transposition, const Computation& computation, int polls) {
    MPI_Request request = transposition.start();
    int complete = 0;
    for (int part = 0; part <= polls; ++part) {
        computation.run(part, polls + 1);
        if (part < polls && complete == 0) {
            core::check_mpi(MPI_Test(&request, &complete, MPI_STATUS_IGNORE), "MPI_Test");
        }
    }
    const double begin = MPI_Wtime();
    // start() has started it. NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker)
    core::check_mpi(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
    return MPI_Wtime() - begin;
}

struct NamedWay {
    std::string name;
    Way run;
};

std::vector<NamedWay> ways(Transposition& transposition, const Computation& computation,
                           const std::vector<int>& polls) {
    std::vector<NamedWay> all;
    all.push_back({"computation", [&computation] {
                       computation.run();
                       return 0.0;
                   }});
    all.push_back({"blocking", [&transposition, &computation] {
                       const double begin = MPI_Wtime();
                       transposition.run();
                       const double seconds = MPI_Wtime() - begin;
                       computation.run();
                       return seconds;
                   }});
    for (const int count : polls) {
        all.push_back({fmt::format("polls {}", count), [&transposition, &computation, count] {
                           return compute_beside(transposition, computation, count);
                       }});
    }
    return all;
}

double largest(MPI_Comm comm, double value) {
    core::check_mpi(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, comm),
                    "MPI_Allreduce");
    return value;
}

}  // namespace

std::vector<OverlapTimes> overlap_times(MPI_Comm comm, Transposition& transposition,
                                        const Computation& computation,
                                        const std::vector<int>& polls, int repeat) {
    const std::vector<NamedWay> all = ways(transposition, computation, polls);
    std::vector<std::vector<double>> seconds(all.size());
    std::vector<std::vector<double>> waits(all.size());
    cli::Turns turns(all.size());
    for (int i = -1; i < repeat; ++i) {
        for (const std::size_t way : turns.next()) {
            double wait = 0;
            const double total =
                cli::seconds_of_slowest(comm, true, [&] { wait = all[way].run(); });
            wait = largest(comm, wait);
            if (i < 0) continue;
            seconds[way].push_back(total);
            waits[way].push_back(wait);
        }
    }
    std::vector<OverlapTimes> times;
    times.reserve(all.size());
    for (std::size_t way = 0; way < all.size(); ++way) {
        times.push_back({all[way].name, cli::quartiles(seconds[way]), cli::quartiles(waits[way])});
    }
    return times;
}

}  // namespace weft::bench
