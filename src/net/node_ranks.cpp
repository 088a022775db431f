#include "net/node_ranks.hpp"

#include <algorithm>
#include <utility>

#include "base/index.hpp"
#include "base/variables.hpp"
#include "net/agree.hpp"
#include "net/mpi.hpp"
#include "net/mpi_error.hpp"
#include "net/rank_in.hpp"

namespace weft::core {

namespace {

/// What the environment of rank 0 asks for; 0: nothing.
int ranks_per_node(MPI_Comm comm) {
    int ranks = 0;
    all_or_none(comm, [&] { ranks = ranks_per_node_of_environment(); });
    all_or_none(comm, [&] { check_mpi(MPI_Bcast(&ranks, 1, MPI_INT, 0, comm), "MPI_Bcast"); });
    return ranks;
}

}  // namespace

NodeRanks::NodeRanks(MPI_Comm comm) : NodeRanks(comm, ranks_per_node(comm)) {}

// Delegates, so that the destructor frees what there is if a later step throws.
NodeRanks::NodeRanks(MPI_Comm comm, int most) : NodeRanks() {
    // A communicator that MPI made on some ranks only cannot be freed, so it is not kept.
    MPI_Comm made = MPI_COMM_NULL;
    all_or_none(comm, [&] {
        check_mpi(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &made),
                  "MPI_Comm_split_type");
    });
    comm_ = made;
    rank_ = rank_in(comm_);
    if (most > 0) {
        all_or_none(comm, [&] {
            check_mpi(MPI_Comm_split(comm_, rank_ / most, rank_, &made), "MPI_Comm_split");
        });
        MPI_Comm_free(&comm_);
        comm_ = made;
        rank_ = rank_in(comm_);
    }
    const int size = ranks_in(comm_);
    const int rank = rank_in(comm);
    all_or_none(comm, [&] { ranks_.resize(usize(size)); });
    all_or_none(comm, [&] {
        check_mpi(MPI_Allgather(&rank, 1, MPI_INT, ranks_.data(), 1, MPI_INT, comm_),
                  "MPI_Allgather");
    });
}

NodeRanks::~NodeRanks() {
    if (comm_ != MPI_COMM_NULL && !mpi_is_finalised()) MPI_Comm_free(&comm_);
}

Index NodeRanks::sum(MPI_Comm comm, Index number) const {
    Index result = 0;
    all_or_none(comm, [&] {
        check_mpi(MPI_Allreduce(&number, &result, 1, MPI_INT64_T, MPI_SUM, comm_), "MPI_Allreduce");
    });
    return result;
}

std::optional<int> NodeRanks::place(int rank) const {
    const auto found = std::lower_bound(ranks_.begin(), ranks_.end(), rank);
    if (found == ranks_.end() || *found != rank) return {};
    return static_cast<int>(found - ranks_.begin());
}

const KnownNodes& known_nodes(PooledGroup& all, int most) {
    if (const auto found = all.nodes.find(most); found != all.nodes.end()) {
        if (found->second.topology != nullptr) return found->second;
    }
    KnownNodes* nodes = nullptr;
    all_or_none(all.comm, [&] { nodes = &all.nodes[most]; });
    const auto ranks = make_collectively<NodeRanks>(all.comm, all.comm, most);
    const auto topology = make_collectively<Topology>(all.comm, ranks->topology(all.comm));
    *nodes = {ranks, topology};
    return *nodes;
}

std::shared_ptr<NodeRanks> node_ranks(PooledGroup& all) {
    return known_nodes(all, ranks_per_node(all.comm)).ranks;
}

Topology NodeRanks::topology(MPI_Comm comm) const {
    const int size = ranks_in(comm);
    std::vector<int> nodes;
    all_or_none(comm, [&] { nodes.resize(usize(size)); });
    const int node = ranks_.front();
    all_or_none(comm, [&] {
        check_mpi(MPI_Allgather(&node, 1, MPI_INT, nodes.data(), 1, MPI_INT, comm),
                  "MPI_Allgather");
    });
    return Topology(std::move(nodes));
}

}  // namespace weft::core
