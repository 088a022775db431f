#include "net/rank_cores.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdint>

#include "net/agree.hpp"
#include "net/mpi_error.hpp"

namespace weft::core {

namespace {

/// The cores that this process may run on.
struct Cores {
    int count = 1;
    int mark = 0;  ///< the same for the same cores, hardly ever for others
};

Cores cores_of_process() {
    cpu_set_t set;
    CPU_ZERO(&set);
    // A machine of more cores than the set holds is taken for one core: nothing is lost but speed.
    if (sched_getaffinity(0, sizeof set, &set) != 0) return {};
    Cores cores{std::max(CPU_COUNT(&set), 1), 0};
    std::uint32_t mark = 2166136261U;  // FNV-1a
    for (int core = 0; core < CPU_SETSIZE; ++core) {
        if (CPU_ISSET(core, &set)) mark = (mark ^ static_cast<std::uint32_t>(core)) * 16777619U;
    }
    cores.mark = static_cast<int>(mark >> 1);
    return cores;
}

/// Collective. The ranks on this rank's node that have the same mark.
int ranks_with(MPI_Comm comm, int mark) {
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm alike = MPI_COMM_NULL;
    all_or_none(comm, [&] {
        check_mpi(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node),
                  "MPI_Comm_split_type");
    });
    const Failure failure = attempt([&] {
        all_or_none(comm,
                    [&] { check_mpi(MPI_Comm_split(node, mark, 0, &alike), "MPI_Comm_split"); });
    });
    MPI_Comm_free(&node);
    if (failure.happened) throw Error(failure.code, failure.message);
    int ranks = 1;
    check_mpi(MPI_Comm_size(alike, &ranks), "MPI_Comm_size");
    MPI_Comm_free(&alike);
    return ranks;
}

}  // namespace

int cores_of_each_rank(MPI_Comm comm) {
    int level = MPI_THREAD_SINGLE;
    check_mpi(MPI_Query_thread(&level), "MPI_Query_thread");
    const Cores cores = cores_of_process();
    const int own = std::max(1, cores.count / ranks_with(comm, cores.mark));
    return -highest(comm, -(level == MPI_THREAD_SINGLE ? 1 : own));
}

}  // namespace weft::core
