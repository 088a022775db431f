// Using weft before MPI_Init and after MPI_Finalize is a clear error, not a crash.
#include <mpi.h>

#include <cstdio>
#include <string>

#include "weft/weft.hpp"

namespace {

/// Whether planning gives Error(system) with that text.
bool refused(const char* text) {
    try {
        weft::Problem problem;
        problem.shape = {8, 8};
        const weft::Plan plan(problem, MPI_COMM_WORLD);
    } catch (const weft::Error& error) {
        std::printf("%s\n", error.what());
        return error.code() == weft::ErrorCode::system &&
               std::string(error.what()).find(text) != std::string::npos;
    }
    return false;
}

}  // namespace

int main(int argc, char** argv) {
    const bool before = refused("MPI_Init");
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    const bool after = refused("MPI_Finalize");
    return before && after ? 0 : 1;
}
