#include "net/mpi_collective.hpp"

#include <atomic>
#include <memory>
#include <vector>

#include "base/index.hpp"
#include "base/no_copy.hpp"
#include "net/agree.hpp"
#include "net/mpi_error.hpp"
#include "net/rank_in.hpp"

namespace weft::core {

namespace {

/// Of all pools. MPICH has 2048 communicators, windows included, for everything in the process.
constexpr int most_own = 256;

std::atomic<int>& own_count() {
    static std::atomic<int> count = 0;
    return count;
}

/// Freed with the pool, unless MPI is finalised.
struct OwnComm : NoCopy {
    MPI_Comm comm = MPI_COMM_NULL;
    OwnCount count;

    ~OwnComm() {
        if (!mpi_is_finalised() && comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
    }
};

/// A communicator that MPI made on some ranks only cannot be freed, so it is lost.
MPI_Comm split(const GroupComm& group, const GroupComm& all) {
    MPI_Comm made = MPI_COMM_NULL;
    all_or_none(all.comm, [&] {
        check_mpi(MPI_Comm_split(all.comm, group.first, rank_in(all.comm), &made),
                  "MPI_Comm_split");
    });
    return made;
}

constexpr const char* own_key = "own communicator";

}  // namespace

OwnCount::OwnCount() { ++own_count(); }
OwnCount::~OwnCount() { --own_count(); }

bool may_have_own(const GroupComm& all) { return !on_any_rank(all.comm, own_count() >= most_own); }

MPI_Comm comm_in_turn(GroupComm& group, const GroupComm& all) {
    // All ranks have made it or none has.
    MPI_Comm& known = group.pooled->in_turn;
    if (known == MPI_COMM_NULL) known = split(group, all);
    return known;
}

namespace {

/// The lease's own communicator, which all ranks have made; MPI_COMM_NULL if none has.
MPI_Comm known_own_comm(const GroupComm& group) {
    const auto known = group.kept.find(own_key);
    if (known == group.kept.end() || known->second == nullptr) return MPI_COMM_NULL;
    return static_cast<const OwnComm*>(known->second.get())->comm;
}

}  // namespace

MPI_Comm own_comm(GroupComm& group, const GroupComm& all) {
    if (const MPI_Comm known = known_own_comm(group); known != MPI_COMM_NULL) return known;
    // Where one rank failed to make it, others keep theirs without a communicator.
    OwnComm* own = nullptr;
    all_or_none(all.comm, [&] {
        auto& place = group.kept[own_key];
        if (place == nullptr) place = std::make_shared<OwnComm>();
        own = static_cast<OwnComm*>(place.get());
    });
    return own->comm = split(group, all);
}

ExchangeComm exchange_comm(GroupComm& group, const GroupComm& all) {
    if (known_own_comm(group) != MPI_COMM_NULL || may_have_own(all)) {
        return {own_comm(group, all), false};
    }
    return {comm_in_turn(group, all), true};
}

void require_communicators(const GroupComm& group, const GroupComm& all, int count) {
    std::vector<MPI_Comm> made;
    all_or_none(all.comm, [&] { made.assign(usize(count), MPI_COMM_NULL); });
    const auto free = [&] {
        for (MPI_Comm& one : made) {
            if (one != MPI_COMM_NULL) MPI_Comm_free(&one);
        }
    };
    try {
        for (MPI_Comm& one : made) {
            all_or_none(all.comm,
                        [&] { check_mpi(MPI_Comm_dup(group.comm, &one), "MPI_Comm_dup"); });
        }
    } catch (const Error&) {  // On all ranks.
        free();
        throw;
    }
    free();
}

}  // namespace weft::core
