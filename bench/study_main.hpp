// What the studies that run on several ranks have in common.
#pragma once

#include <fmt/format.h>
#include <mpi.h>

#include <cstdio>
#include <functional>
#include <string>

#include "measure/files.hpp"
#include "measure/machine.hpp"
#include "net/agree.hpp"
#include "weft/error.hpp"

namespace weft::bench {

/// The whole of a study, once its command line is read: `measure(machine, ranks, speaks)` prints
/// where it `speaks` (rank 0), beneath the machine and that heading, and returns its JSON, which is
/// written to the file of that name unless this is empty. Returns the exit code; an error is told
/// by rank 0.
inline int run_study(const char* name, const std::string& heading, const std::string& json,
                     const std::function<std::string(const cli::Machine& machine, int ranks,
                                                     bool speaks)>& measure) {
    MPI_Init(nullptr, nullptr);
    MPI_Comm comm = MPI_COMM_WORLD;
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const bool speaks = rank == 0;
    int code = 0;
    try {
        const cli::Machine machine = cli::machine(comm);
        if (speaks) {
            cli::warn_if_crowded(machine, name);
            fmt::print("{}\n{}", cli::description(machine, ranks), heading);
        }
        const std::string lines = measure(machine, ranks, speaks);
        core::all_or_none(comm, [&] {
            if (speaks && !json.empty()) cli::write_file(json, lines);
        });
    } catch (const Error& error) {
        if (speaks) fmt::print(stderr, "{}: {}\n", name, error.what());
        code = static_cast<int>(error.code());
    }
    MPI_Finalize();
    return code;
}

}  // namespace weft::bench
