// Environment variables: how weft reads one, and how it refuses a value.
//
//     WEFT_WINDOWS is 'foo', but can be mpi
//
// An empty variable says as little as one that is not set.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "weft/error.hpp"

namespace weft::core {

/// Nothing if it is not set, or empty.
std::optional<std::string> variable(const char* name);

/// Throws an Error that quotes the variable and its value, and says what the value can be.
[[noreturn]] void refuse_variable(const char* name, std::string_view value,
                                  std::string_view allowed,
                                  ErrorCode code = ErrorCode::bad_request);

/// `yes` or `no`; throws Error(bad_request) if it is anything else.
std::optional<bool> yes_or_no(const char* name);
/// A whole number of these; throws Error(bad_request) if it is anything else.
std::optional<int> whole_number(const char* name, int least, int most);

/// WEFT_RANKS_PER_NODE; 0: not set.
int ranks_per_node_of_environment();
/// WEFT_WINDOWS=mpi: the shared memory of a node is MPI's, not weft's own.
bool wants_windows_of_mpi();
/// WEFT_DEVICE_PIN=no: arrays of the host stay pageable.
bool wants_pinned_arrays();
/// WEFT_DEVICE_GRAPHS=no: transforms that are repeated are not recorded.
bool wants_graphs();
/// WEFT_DEVICE_MPI: whether MPI may be handed memory of a device; nothing: ask MPI.
std::optional<bool> said_to_reach_devices();

/// Throws Error(bad_request) if one of these five has a value that it cannot have. Plans call it,
/// so that a misspelt value is refused even where the variable would not be read.
void check_variables();

}  // namespace weft::core
