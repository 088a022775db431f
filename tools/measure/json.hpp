// The parts that measurements share in their JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "measure/machine.hpp"
#include "measure/quartiles.hpp"

namespace weft::cli {

using Json = nlohmann::ordered_json;

/// `{median, q1, q3}`
Json json(const Quartiles& seconds);
/// Adds `mpi`, `processor`, `cores`, `nodes` and `compiler` to a record.
void add_machine(Json& record, const Machine& machine);

}  // namespace weft::cli
