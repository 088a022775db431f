#include "net/rank_cores.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/index.hpp"
#include "net/agree.hpp"
#include "net/mpi_error.hpp"

namespace weft::core {

namespace {

/// How many cores this process may run on, and a mark that is the same for the same cores and
/// hardly ever for others.
using Cores = std::array<int, 2>;

Cores cores_of_process() {
    cpu_set_t set;
    CPU_ZERO(&set);
    // A machine of more cores than the set holds is taken for one core: nothing is lost but speed.
    if (sched_getaffinity(0, sizeof set, &set) != 0) return {1, 0};
    std::uint32_t mark = 2166136261U;  // FNV-1a
    for (int core = 0; core < CPU_SETSIZE; ++core) {
        if (CPU_ISSET(core, &set)) mark = (mark ^ static_cast<std::uint32_t>(core)) * 16777619U;
    }
    return {std::max(CPU_COUNT(&set), 1), static_cast<int>(mark >> 1)};
}

}  // namespace

int cores_of_each_rank(MPI_Comm comm, const Topology& nodes) {
    int level = MPI_THREAD_SINGLE;
    int ranks = 0;
    std::vector<Cores> all;
    all_or_none(comm, [&] {
        check_mpi(MPI_Query_thread(&level), "MPI_Query_thread");
        check_mpi(MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
        all.resize(usize(ranks));
    });
    Cores mine = cores_of_process();
    if (level == MPI_THREAD_SINGLE) mine[0] = 1;
    all_or_none(comm, [&] {
        check_mpi(MPI_Allgather(mine.data(), 2, MPI_INT, all.data(), 2, MPI_INT, comm),
                  "MPI_Allgather");
    });
    int least = mine[0];
    all_or_none(comm, [&] {
        std::map<std::pair<int, int>, int> sharing;  // ranks, by node and mark
        for (int rank = 0; rank < ranks; ++rank) {
            ++sharing[{nodes.node_of(rank), all[usize(rank)][1]}];
        }
        for (int rank = 0; rank < ranks; ++rank) {
            const auto& [count, mark] = all[usize(rank)];
            least = std::min(least, std::max(1, count / sharing.at({nodes.node_of(rank), mark})));
        }
    });
    return least;
}

}  // namespace weft::core
