// Collective agreement: either all ranks go on, or all throw the same error.
#pragma once

#include <mpi.h>

#include <functional>
#include <string>

#include "weft/error.hpp"

namespace weft::core {

/// What an exception said, as a value.
struct Failure {
    bool happened = false;
    ErrorCode code = ErrorCode::system;
    std::string message;
};

/// Runs `work` and catches whatever it throws.
Failure attempt(const std::function<void()>& work);

/// Throws Error(system) if MPI is not initialised or already finalised, or the communicator is
/// null.
void require_mpi(MPI_Comm comm);

/// Collective. Runs `work`, which communicates with nobody, on every rank. If it throws anywhere,
/// every rank throws the error of the lowest rank that failed, which the message names unless all
/// ranks failed.
void all_or_none(MPI_Comm comm, const std::function<void()>& work);

/// Collective. Whether it is so on some rank.
bool on_any_rank(MPI_Comm comm, bool here);

/// Collective. Throws Error(bad_request) on every rank unless `text` is the same everywhere; the
/// message quotes the text of rank 0 and that of the lowest rank that differs.
void require_same(MPI_Comm comm, const std::string& what, const std::string& text);

}  // namespace weft::core
