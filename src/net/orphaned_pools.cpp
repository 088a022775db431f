#include "net/orphaned_pools.hpp"

#include <algorithm>
#include <utility>

#include "net/agree.hpp"
#include "net/mpi_error.hpp"
#include "net/rank_in.hpp"

namespace weft::core {

namespace {

/// Local.
bool has_ranks_of(const CommPool& pool, MPI_Comm comm) {
    int result = MPI_UNEQUAL;
    check_mpi(MPI_Comm_compare(pool.base, comm, &result), "MPI_Comm_compare");
    return result == MPI_CONGRUENT;
}

}  // namespace

OrphanedPools& orphaned_pools() {
    static auto* const pools = new OrphanedPools;
    return *pools;
}

void OrphanedPools::add(std::shared_ptr<CommPool> pool) {
    const std::scoped_lock lock(mutex_);
    pools_.push_back(std::move(pool));
}

std::shared_ptr<CommPool> OrphanedPools::take(MPI_Comm comm) {
    constexpr int none = -1;
    // Whoever takes one here holds it, so that other threads pass it over.
    const auto unused = [&](const auto& matches) {
        const std::scoped_lock lock(mutex_);
        const auto found = std::find_if(pools_.begin(), pools_.end(), [&](const auto& pool) {
            return pool.use_count() == 1 && has_ranks_of(*pool, comm) && matches(*pool);
        });
        return found == pools_.end() ? nullptr : *found;
    };
    int rank = 0;
    int number = none;
    std::shared_ptr<CommPool> pool;
    all_or_none(comm, [&] {
        rank = rank_in(comm);
        if (rank == 0) pool = unused([](const CommPool& /*pool*/) { return true; });
        if (pool != nullptr) number = pool->number;
    });
    all_or_none(comm, [&] { check_mpi(MPI_Bcast(&number, 1, MPI_INT, 0, comm), "MPI_Bcast"); });
    if (number == none) return nullptr;
    all_or_none(comm, [&] {
        if (rank == 0) return;
        pool = unused([&](const CommPool& one) { return one.number == number; });
    });
    if (on_any_rank(comm, pool == nullptr)) return nullptr;
    const std::scoped_lock lock(mutex_);
    std::erase(pools_, pool);
    return pool;
}

void OrphanedPools::free_all() {
    const std::scoped_lock lock(mutex_);
    for (const auto& pool : pools_) (void)pool->free_unused(pool.use_count() > 1);
}

}  // namespace weft::core
