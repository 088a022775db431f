#include "net/mpi_finalize.hpp"

#include "net/mpi_error.hpp"

namespace weft::core {

void call_in_finalize(MPI_Comm_delete_attr_function* function, void* argument) {
    int key = MPI_KEYVAL_INVALID;
    check_mpi(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, function, &key, nullptr),
              "MPI_Comm_create_keyval");
    check_mpi(MPI_Comm_set_attr(MPI_COMM_SELF, key, argument), "MPI_Comm_set_attr");
}

}  // namespace weft::core
