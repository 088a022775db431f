#include "net/mpi_collective.hpp"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "net/agree.hpp"
#include "net/mpi_error.hpp"

namespace weft::core {

namespace {

/// Of all pools. MPICH has 2048 communicators, windows included, for everything in the process.
constexpr int most_own = 256;

std::atomic<int>& own_count() {
    static std::atomic<int> count = 0;
    return count;
}

/// Freed with the pool, unless MPI is finalised.
struct OwnComm {
    MPI_Comm comm = MPI_COMM_NULL;
    OwnCount count;

    OwnComm() = default;
    ~OwnComm() {
        if (!mpi_is_finalised() && comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
    }
    OwnComm(const OwnComm&) = delete;
    OwnComm& operator=(const OwnComm&) = delete;
};

/// A communicator that MPI made on some ranks only cannot be freed, so it is lost.
MPI_Comm split(const GroupComm& group, const GroupComm& all) {
    MPI_Comm made = MPI_COMM_NULL;
    all_or_none(all.comm, [&] {
        int rank = 0;
        check_mpi(MPI_Comm_rank(all.comm, &rank), "MPI_Comm_rank");
        check_mpi(MPI_Comm_split(all.comm, group.first, rank, &made), "MPI_Comm_split");
    });
    return made;
}

constexpr const char* own_key = "own communicator";

}  // namespace

OwnCount::OwnCount() { ++own_count(); }
OwnCount::~OwnCount() { --own_count(); }

bool may_have_own(const GroupComm& all) { return !on_any_rank(all.comm, own_count() >= most_own); }

bool all_keep(const GroupComm& group, const GroupComm& all, std::string_view name) {
    bool known = false;
    all_or_none(all.comm, [&] { known = group.kept.contains(std::string(name)); });
    return !on_any_rank(all.comm, !known);
}

MPI_Comm comm_in_turn(GroupComm& group, const GroupComm& all) {
    // All ranks have made it or none has.
    MPI_Comm& known = group.pooled->in_turn;
    if (known == MPI_COMM_NULL) known = split(group, all);
    return known;
}

MPI_Comm own_comm(GroupComm& group, const GroupComm& all) {
    std::shared_ptr<OwnComm> own;
    all_or_none(all.comm, [&] {
        auto& place = group.kept[own_key];
        if (place == nullptr) place = std::make_shared<OwnComm>();
        own = std::static_pointer_cast<OwnComm>(place);
    });
    if (own->comm == MPI_COMM_NULL) own->comm = split(group, all);
    return own->comm;
}

ExchangeComm exchange_comm(GroupComm& group, const GroupComm& all) {
    if (all_keep(group, all, own_key) || may_have_own(all)) return {own_comm(group, all), false};
    return {comm_in_turn(group, all), true};
}

void require_communicators(const GroupComm& group, const GroupComm& all, int count) {
    std::vector<MPI_Comm> made;
    all_or_none(all.comm, [&] { made.assign(static_cast<std::size_t>(count), MPI_COMM_NULL); });
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
