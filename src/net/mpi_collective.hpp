// Communicators for what MPI tells apart by communicators only: collective calls and windows.
#pragma once

#include <mpi.h>

#include "base/no_copy.hpp"
#include "net/mpi.hpp"

namespace weft::core {

/// Collective over all ranks, as are those below. The group's communicator for collective calls
/// that are entered in turn, which all leases share.
MPI_Comm comm_in_turn(GroupComm& group, const GroupComm& all);

/// A communicator of the group that this lease alone uses.
MPI_Comm own_comm(GroupComm& group, const GroupComm& all);

/// A communicator for calls that other transforms' calls may overtake.
struct ExchangeComm {
    MPI_Comm comm = MPI_COMM_NULL;
    bool in_turn = false;  ///< it is comm_in_turn(), and calls have to be entered in turn
};

/// The lease's own, unless the process has made so many that MPI could run out of them.
ExchangeComm exchange_comm(GroupComm& group, const GroupComm& all);

/// Whether the process may make another communicator or window for one lease alone.
bool may_have_own(const GroupComm& all);

/// Counts one such while it exists.
class OwnCount : NoCopy {
  public:
    OwnCount();
    ~OwnCount();
};

/// Throws Error(system) on all ranks unless MPI has so many more communicators for each group.
void require_communicators(const GroupComm& group, const GroupComm& all, int count);

}  // namespace weft::core
