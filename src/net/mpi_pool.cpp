#include "net/mpi_pool.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <utility>

#include "base/index.hpp"
#include "base/no_copy.hpp"
#include "net/agree.hpp"
#include "net/mpi_error.hpp"
#include "net/node_ranks.hpp"
#include "net/orphaned_pools.hpp"
#include "net/shared_cache.hpp"

namespace weft::core {

CommPool::CommPool(MPI_Comm of_all, int its_number) : base(of_all), number(its_number) {
    groups["all"].comm = base;
}

std::vector<unsigned char> CommPool::commonly_free() const {
    std::vector<unsigned char> free;
    // Ranks may have made different numbers of entries, where one of them failed.
    const int most = highest(base, static_cast<int>(entries.size()));
    all_or_none(base, [&] {
        free.resize(usize(most), 1);
        for (std::size_t i = 0; i < entries.size(); ++i) free[i] = entries[i].free ? 1 : 0;
    });
    all_or_none(base, [&] {
        check_mpi(MPI_Allreduce(MPI_IN_PLACE, free.data(), static_cast<int>(free.size()),
                                MPI_UNSIGNED_CHAR, MPI_MIN, base),
                  "MPI_Allreduce");
    });
    return free;
}

std::size_t CommPool::commonly_free_entry() {
    const auto is_free = [&](std::size_t i) { return i >= entries.size() || entries[i].free; };
    for (std::size_t next = 0;;) {
        while (!is_free(next)) ++next;
        // Ranks may have made different numbers of entries, where one of them failed.
        const auto make = [&] {
            while (entries.size() <= next) {
                GroupComm all{base, &groups.at("all")};
                Communicators communicators;
                communicators.emplace("all", std::move(all));
                entries.push_back({std::move(communicators), true});
            }
        };
        const auto mine = static_cast<std::int64_t>(next);
        Numbers most_and_least{mine, -mine};
        all_or_none(base, make, most_and_least);
        next = usize(most_and_least[0]);
        if (most_and_least[0] == -most_and_least[1]) return next;
    }
}

bool CommPool::free_unused(bool used) {
    const std::vector<unsigned char> free = commonly_free();
    for (std::size_t i = 0; i < entries.size(); ++i) {
        // What is kept cannot be freed by some ranks alone.
        if (free[i] == 0) continue;
        for (auto& [key, group] : entries[i].communicators) group.kept.clear();
    }
    if (on_any_rank(base, used)) return false;
    for (auto& [key, group] : groups) {
        group.kept.clear();
        group.nodes.clear();
        if (group.in_turn != MPI_COMM_NULL) MPI_Comm_free(&group.in_turn);
        if (group.comm != base && group.comm != MPI_COMM_NULL) MPI_Comm_free(&group.comm);
    }
    entries.clear();
    groups.clear();
    MPI_Comm_free(&base);
    return true;
}

namespace {

using Shared = std::shared_ptr<CommPool>;

int delete_pool(MPI_Comm /*comm*/, int /*key*/, void* attribute, void* /*extra*/) {
    const std::unique_ptr<Shared> held(static_cast<Shared*>(attribute));
    try {
        const Shared& pool = *held;
        if (pool != nullptr && !pool->free_unused(pool.use_count() > 1)) orphaned_pools().add(pool);
    } catch (const Error&) {
        return MPI_ERR_OTHER;
    }
    return MPI_SUCCESS;
}

int created_key(MPI_Comm_delete_attr_function* deletes) {
    int created = MPI_KEYVAL_INVALID;
    check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deletes, &created, nullptr),
              "MPI_Comm_create_keyval");
    return created;
}

/// Of the pool that goes with a caller's communicator.
int pool_key() {
    static const int key = created_key(&delete_pool);
    return key;
}

/// Of the pool whose base a communicator is.
int base_key() {
    static const int key = created_key(MPI_COMM_NULL_DELETE_FN);
    return key;
}

/// MPI deletes no attributes of communicators that nobody frees.
int free_pools(MPI_Comm /*comm*/, int /*key*/, void* /*attribute*/, void* /*extra*/) {
    const int status = MPI_Comm_delete_attr(MPI_COMM_WORLD, pool_key());
    try {
        orphaned_pools().free_all();
    } catch (const Error&) {
        return MPI_ERR_OTHER;
    }
    return status;
}

void free_in_finalize() {
    static const bool arranged = [] {
        check_mpi(MPI_Comm_set_attr(MPI_COMM_WORLD, pool_key(), new Shared), "MPI_Comm_set_attr");
        call_in_finalize(&free_pools, nullptr);
        return true;
    }();
    (void)arranged;
}

/// While it exists, MPI's errors on a communicator of the caller's are returned.
class ReturnedErrors : NoCopy {
  public:
    // Throws nothing, since the other ranks go on.
    explicit ReturnedErrors(MPI_Comm comm) : comm_(comm) {
        if (MPI_Comm_get_errhandler(comm_, &before_) != MPI_SUCCESS) return;
        MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    }
    ~ReturnedErrors() {
        if (before_ == MPI_ERRHANDLER_NULL) return;
        MPI_Comm_set_errhandler(comm_, before_);
        MPI_Errhandler_free(&before_);
    }

  private:
    MPI_Comm comm_;
    MPI_Errhandler before_ = MPI_ERRHANDLER_NULL;
};

/// Collective. A communicator that MPI made on some ranks only cannot be freed, so it is lost.
MPI_Comm duplicate(MPI_Comm comm) {
    const ReturnedErrors returned(comm);
    MPI_Comm made = MPI_COMM_NULL;
    all_or_none(comm, [&] {
        check_mpi(MPI_Comm_dup(comm, &made), "MPI_Comm_dup");
        check_mpi(MPI_Comm_set_errhandler(made, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    });
    return made;
}

/// Collective.
Shared made_pool(MPI_Comm comm) {
    static std::atomic<int> pools = 0;
    int number = ++pools;
    const MPI_Comm base = duplicate(comm);
    all_or_none(base, [&] { check_mpi(MPI_Bcast(&number, 1, MPI_INT, 0, base), "MPI_Bcast"); });
    Shared pool;
    all_or_none(base, [&] {
        pool = std::make_shared<CommPool>(base, number);
        check_mpi(MPI_Comm_set_attr(base, base_key(), pool.get()), "MPI_Comm_set_attr");
    });
    return pool;
}

/// Local.
void* attribute_of(MPI_Comm comm, int key) {
    void* attribute = nullptr;
    int found = 0;
    check_mpi(MPI_Comm_get_attr(comm, key, static_cast<void*>(&attribute), &found),
              "MPI_Comm_get_attr");
    return found != 0 ? attribute : nullptr;
}

}  // namespace

PoolPlace pool_place(MPI_Comm comm) {
    if (void* const base_of = attribute_of(comm, base_key())) {
        return {static_cast<CommPool*>(base_of)->shared_from_this()};
    }
    free_in_finalize();
    auto* place = static_cast<Shared*>(attribute_of(comm, pool_key()));
    if (place == nullptr) {
        auto made = std::make_unique<Shared>();
        check_mpi(MPI_Comm_set_attr(comm, pool_key(), made.get()), "MPI_Comm_set_attr");
        place = made.release();  // It is MPI's from now on, which calls delete_pool.
    }
    return {*place, place};
}

std::shared_ptr<CommPool> pool_of(MPI_Comm comm, const PoolPlace& place) {
    if (place.pool != nullptr) return place.pool;
    Shared pool = orphaned_pools().take(comm);
    if (pool == nullptr) pool = made_pool(comm);
    return *place.at = pool;
}

std::shared_ptr<CommPool> pool_of(MPI_Comm comm) {
    PoolPlace place;
    all_or_none(comm, [&] { place = pool_place(comm); });
    return pool_of(comm, place);
}

const KnownNodes& known_nodes(CommPool& pool, int most) {
    return known_nodes(pool.groups.at("all"), most);
}

MPI_Comm base_comm(const CommPool& pool) { return pool.base; }

std::optional<Index> known_shared_cache(const CommPool& pool) {
    return pool.groups.at("all").shared_cache;
}
Index shared_cache(CommPool& pool) { return shared_cache(pool.groups.at("all")); }

Lease::Lease(std::shared_ptr<CommPool> pool)
    : pool_(std::move(pool)), index_(pool_->commonly_free_entry()) {
    // MPI knows at least the tags to 32767, of which the last is nobody's.
    constexpr std::size_t most = 32767;
    if (index_ == most) {
        throw Error(ErrorCode::system,
                    fmt::format("{} transforms of one communicator exist, and each needs a tag of "
                                "MPI; destroy some, or bind others to a duplicate of it",
                                most));
    }
    pool_->entries[index_].free = false;
    for (auto& [key, group] : communicators()) group.windows = 0;
}

Lease::~Lease() { pool_->entries[index_].free = true; }

Communicators& Lease::communicators() const { return pool_->entries[index_].communicators; }

void Lease::join(const Group& group, int rank) const {
    const MPI_Comm all = pool_->base;
    GroupComm* joined = nullptr;
    PooledGroup* pooled = nullptr;
    // The key is the same text on every rank, so either all know it or none does.
    if (communicators().contains(group.key)) return;
    all_or_none(all, [&] { pooled = &pool_->groups[group.key]; });
    if (pooled->comm == MPI_COMM_NULL) {
        // A communicator that MPI made on some ranks only cannot be freed, so it is not kept.
        MPI_Comm split = MPI_COMM_NULL;
        all_or_none(all, [&] {
            check_mpi(MPI_Comm_split(all, group.ranks.front(), rank, &split), "MPI_Comm_split");
        });
        pooled->comm = split;
    }
    try {
        all_or_none(all, [&] { joined = &communicators()[group.key]; });
    } catch (const Error&) {  // On all ranks, of which some may know it.
        communicators().erase(group.key);
        throw;
    }
    *joined = {pooled->comm, pooled, group.ranks.front()};
}

}  // namespace weft::core
