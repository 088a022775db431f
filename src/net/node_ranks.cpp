#include "net/node_ranks.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "net/mpi_error.hpp"

namespace weft::core {

namespace {

/// What the environment of rank 0 asks for; 0: nothing.
int ranks_per_node(MPI_Comm comm) {
    const char* text = std::getenv("WEFT_RANKS_PER_NODE");
    int ranks = text == nullptr ? 0 : std::atoi(text);
    check_mpi(MPI_Bcast(&ranks, 1, MPI_INT, 0, comm), "MPI_Bcast");
    return ranks;
}

}  // namespace

NodeRanks::NodeRanks(MPI_Comm comm) {
    check_mpi(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &comm_),
              "MPI_Comm_split_type");
    check_mpi(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
    if (const int most = ranks_per_node(comm); most > 0) {
        MPI_Comm some = MPI_COMM_NULL;
        check_mpi(MPI_Comm_split(comm_, rank_ / most, rank_, &some), "MPI_Comm_split");
        MPI_Comm_free(&comm_);
        comm_ = some;
        check_mpi(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
    }
    int size = 0;
    check_mpi(MPI_Comm_size(comm_, &size), "MPI_Comm_size");
    int rank = 0;
    check_mpi(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
    ranks_.resize(static_cast<std::size_t>(size));
    check_mpi(MPI_Allgather(&rank, 1, MPI_INT, ranks_.data(), 1, MPI_INT, comm_), "MPI_Allgather");
}

std::shared_ptr<NodeRanks> NodeRanks::alone(int rank) {
    std::shared_ptr<NodeRanks> node(new NodeRanks());
    check_mpi(MPI_Comm_dup(MPI_COMM_SELF, &node->comm_), "MPI_Comm_dup");
    node->ranks_ = {rank};
    return node;
}

NodeRanks::~NodeRanks() {
    if (!mpi_is_finalised()) MPI_Comm_free(&comm_);
}

int NodeRanks::place(int rank) const {
    const auto found = std::lower_bound(ranks_.begin(), ranks_.end(), rank);
    if (found == ranks_.end() || *found != rank) return -1;
    return static_cast<int>(found - ranks_.begin());
}

Topology NodeRanks::topology(MPI_Comm comm) const {
    int size = 0;
    check_mpi(MPI_Comm_size(comm, &size), "MPI_Comm_size");
    std::vector<int> nodes(static_cast<std::size_t>(size));
    const int node = ranks_.front();
    check_mpi(MPI_Allgather(&node, 1, MPI_INT, nodes.data(), 1, MPI_INT, comm), "MPI_Allgather");
    return Topology(std::move(nodes));
}

}  // namespace weft::core
