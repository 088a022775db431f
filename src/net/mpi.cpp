#include "net/mpi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "net/mpi_error.hpp"

namespace weft::core {

MpiNet::MpiNet(MPI_Comm comm) : lease_(comm) {
    check_mpi(MPI_Comm_rank(whole(), &rank_), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(whole(), &ranks_), "MPI_Comm_size");
}

void MpiNet::join(const Group& group) {
    if (group.key == "all") return;
    auto& known = lease_.communicators().groups;
    if (known.contains(group.key)) return;
    // The key is the same text on every rank, so either all split or none does.
    MPI_Comm split = MPI_COMM_NULL;
    check_mpi(MPI_Comm_split(whole(), group.ranks.front(), rank_, &split), "MPI_Comm_split");
    known[group.key] = split;
}

std::size_t place_in_group(const Group& group, int peer) {
    const auto place = std::lower_bound(group.ranks.begin(), group.ranks.end(), peer);
    return static_cast<std::size_t>(place - group.ranks.begin());
}

std::unique_ptr<Channel> MpiNet::open(const ExchangeTask& task, const std::byte* from,
                                      std::byte* to) {
    static const std::map<std::string, OpenChannel> methods = {
        {"alltoallv", &open_alltoallv},
        {"alltoallw", &open_alltoallw},
        {"isend-waitall", &open_isend_waitall},
    };
    const auto method = methods.find(task.via);
    if (method == methods.end()) {
        throw Error(ErrorCode::not_available,
                    fmt::format("via={} does not run over MPI", task.via));
    }
    const bool everyone = task.group.key == "all";
    const MPI_Comm comm = everyone ? whole() : lease_.communicators().groups.at(task.group.key);
    return method->second(comm, task, from, to);
}

}  // namespace weft::core
