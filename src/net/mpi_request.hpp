// Channels that complete with a single request.
#pragma once

#include <mpi.h>

#include "net/mpi_error.hpp"

namespace weft::core {

template <class Base>
class OneRequest : public Base {
  public:
    using Base::Base;

    bool test() override {
        int complete = 0;
        check_mpi(MPI_Test(&request_, &complete, MPI_STATUS_IGNORE), "MPI_Test");
        return complete != 0;
    }
    void wait() override { check_mpi(MPI_Wait(&request_, MPI_STATUS_IGNORE), "MPI_Wait"); }

  protected:
    MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace weft::core
