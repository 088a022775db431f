// The machine that predictions start from: one that weft knows by name, or a file.
#pragma once

#include <mpi.h>

#include <optional>
#include <string>

#include "model/machine.hpp"

namespace weft {

/// A name, or the path of a file: it ends in .json or has a slash. Throws Error(system) if the file
/// cannot be read, Error(bad_request) if it is no description or there is no such name.
core::Machine described_machine(const std::string& name_or_path);

/// WEFT_MACHINE: the name or path of the machine that plans are made for which name none, such as a
/// file of weft calibrate. Empty: not set.
std::string machine_of_environment();

/// Collective: rank 0's, on all ranks; files of other ranks are not looked at. Where nothing is
/// named it is WEFT_MACHINE in the environment of rank 0; nothing if that is not set. Throws the
/// same Error on every rank.
std::optional<core::Machine> described_machine(MPI_Comm comm, const std::string& said);

}  // namespace weft
