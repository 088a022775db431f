#include "measure/machine.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "measure/host.hpp"
#include "memory/processor.hpp"
#include "net/mpi_error.hpp"
#include "net/mpi_library.hpp"

namespace weft::cli {

namespace {

struct Node {
    int ranks = 1;
    bool first = true;  ///< whether this is its lowest rank
};

Node node(MPI_Comm comm) {
    MPI_Comm local = MPI_COMM_NULL;
    core::check_mpi(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &local),
                    "MPI_Comm_split_type");
    Node result;
    int rank = 0;
    MPI_Comm_size(local, &result.ranks);
    MPI_Comm_rank(local, &rank);
    result.first = rank == 0;
    MPI_Comm_free(&local);
    return result;
}

int reduced(MPI_Comm comm, int value, MPI_Op operation) {
    core::check_mpi(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, operation, comm),
                    "MPI_Allreduce");
    return value;
}

}  // namespace

Machine machine(MPI_Comm comm) {
    const Node here = node(comm);
    Machine result;
    result.processor = core::processor_name();
    result.cores = cores();
    result.nodes = reduced(comm, here.first ? 1 : 0, MPI_SUM);
    result.compiler = compiler();
    result.mpi = core::mpi_library();
    result.crowded = reduced(comm, here.ranks > result.cores ? 1 : 0, MPI_MAX) > 0;
    result.most_ranks = reduced(comm, here.ranks, MPI_MAX);
    return result;
}

std::string description(const Machine& machine, int ranks) {
    return fmt::format("{} ranks on {} node{} of {} cores, {}\n{}, {}\n", ranks, machine.nodes,
                       machine.nodes == 1 ? "" : "s", machine.cores, machine.processor, machine.mpi,
                       machine.compiler);
}

void warn_if_crowded(const Machine& machine, const char* verb) {
    if (!machine.crowded) return;
    fmt::print(stderr,
               "{}: warning: {} ranks on a node of {} cores: ranks that wait take turns from those "
               "that compute, so times say little; start at most {} on a node\n",
               verb, machine.most_ranks, machine.cores, machine.cores);
}

}  // namespace weft::cli
