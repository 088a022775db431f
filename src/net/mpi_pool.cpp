// The communicators of one caller's communicator, kept as an attribute of it.
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "net/agree.hpp"
#include "net/mpi.hpp"
#include "net/mpi_error.hpp"
#include "net/mpi_finalize.hpp"

namespace weft::core {

struct Lease::Pool {
    struct Entry {
        Communicators communicators;
        bool free = false;
    };
    MPI_Comm base =
        MPI_COMM_NULL;  ///< a duplicate that returns errors, for the pool's own messages
    std::vector<Entry> entries;

    /// One flag for each entry: free on every rank. Collective.
    [[nodiscard]] std::vector<unsigned char> commonly_free() const {
        std::vector<unsigned char> free;
        all_or_none(base, [&] {
            free.resize(entries.size());
            for (std::size_t i = 0; i < free.size(); ++i) free[i] = entries[i].free ? 1 : 0;
        });
        all_or_none(base, [&] {
            check_mpi(MPI_Allreduce(MPI_IN_PLACE, free.data(), static_cast<int>(free.size()),
                                    MPI_UNSIGNED_CHAR, MPI_MIN, base),
                      "MPI_Allreduce");
        });
        return free;
    }

    /// Collective, when the attribute is deleted with the caller's communicator. Entries that some
    /// rank still uses are never freed: their owner may yet look at them.
    void free_unused() {
        if (base == MPI_COMM_NULL) return;
        const std::vector<unsigned char> free = commonly_free();
        for (std::size_t i = 0; i < entries.size(); ++i) {
            Communicators& groups = entries[i].communicators;
            if (free[i] == 0) {
                // What is kept cannot be freed by some ranks alone.
                for (auto& [key, group] : groups) new auto(std::move(group.kept));
                continue;
            }
            for (auto& [key, group] : groups) {
                group.kept.clear();
                if (group.comm != MPI_COMM_NULL) MPI_Comm_free(&group.comm);
            }
        }
        entries.clear();
        MPI_Comm_free(&base);
    }
};

namespace {

using SharedPool = std::shared_ptr<Lease::Pool>;

int delete_pool(MPI_Comm /*comm*/, int /*key*/, void* attribute, void* /*extra*/) {
    auto* pool = static_cast<SharedPool*>(attribute);
    try {
        (*pool)->free_unused();
    } catch (const Error&) {
        return MPI_ERR_OTHER;
    }
    delete pool;
    return MPI_SUCCESS;
}

int pool_key() {
    static const int key = [] {
        int created = MPI_KEYVAL_INVALID;
        check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, &delete_pool, &created, nullptr),
                  "MPI_Comm_create_keyval");
        return created;
    }();
    return key;
}

/// MPI deletes no attributes of communicators that nobody frees.
int delete_world_pool(MPI_Comm /*comm*/, int /*key*/, void* /*attribute*/, void* /*extra*/) {
    return MPI_Comm_delete_attr(MPI_COMM_WORLD, pool_key());
}

void free_in_finalize() {
    static const bool arranged = [] {
        call_in_finalize(&delete_world_pool, nullptr);
        return true;
    }();
    (void)arranged;
}

/// Collective. A communicator that MPI made on some ranks only cannot be freed, so it is lost.
MPI_Comm duplicate(MPI_Comm comm) {
    MPI_Comm made = MPI_COMM_NULL;
    all_or_none(comm, [&] { check_mpi(MPI_Comm_dup(comm, &made), "MPI_Comm_dup"); });
    return made;
}

/// Local: the pool that goes with a communicator, which at first has no base.
SharedPool attached_pool(MPI_Comm comm) {
    void* attribute = nullptr;
    int found = 0;
    check_mpi(MPI_Comm_get_attr(comm, pool_key(), static_cast<void*>(&attribute), &found),
              "MPI_Comm_get_attr");
    if (found != 0) return *static_cast<SharedPool*>(attribute);
    if (comm == MPI_COMM_WORLD) free_in_finalize();
    auto made = std::make_unique<SharedPool>(std::make_shared<Lease::Pool>());
    check_mpi(MPI_Comm_set_attr(comm, pool_key(), made.get()), "MPI_Comm_set_attr");
    return *made.release();  // It is MPI's from now on, which calls delete_pool.
}

/// Collective.
SharedPool pool_of(MPI_Comm comm) {
    SharedPool pool;
    all_or_none(comm, [&] { pool = attached_pool(comm); });
    // All ranks have a base or none has.
    if (pool->base != MPI_COMM_NULL) return pool;
    const MPI_Comm base = duplicate(comm);
    all_or_none(comm, [&] {
        check_mpi(MPI_Comm_set_errhandler(base, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    });
    pool->base = base;
    return pool;
}

/// The lowest entry that is free on every rank: ranks may have given back different ones so far.
std::size_t lowest_free(const Lease::Pool& pool) {
    const std::vector<unsigned char> free = pool.commonly_free();
    return static_cast<std::size_t>(std::find(free.begin(), free.end(), 1) - free.begin());
}

}  // namespace

Lease::Lease(MPI_Comm comm) : pool_(pool_of(comm)), index_(lowest_free(*pool_)) {
    if (index_ == pool_->entries.size()) {
        Communicators made;
        all_or_none(pool_->base, [&] {
            made["all"] = {};
            pool_->entries.reserve(index_ + 1);
        });
        made["all"].comm = duplicate(pool_->base);
        pool_->entries.push_back({std::move(made), false});
    }
    pool_->entries[index_].free = false;
    for (auto& [key, group] : communicators()) group.windows = 0;
}

Lease::~Lease() {
    if (index_ < pool_->entries.size()) pool_->entries[index_].free = true;
}

Communicators& Lease::communicators() const { return pool_->entries[index_].communicators; }

}  // namespace weft::core
