// What is done before MPI ends.
#pragma once

#include <mpi.h>

namespace weft::core {

/// Has MPI_Finalize call that function first of all, while messages can still be sent and
/// communicators freed, with `argument` as its third: attributes of MPI_COMM_SELF are deleted then.
void call_in_finalize(MPI_Comm_delete_attr_function* function, void* argument);

}  // namespace weft::core
