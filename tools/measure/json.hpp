// The parts that measurements share in their JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "measure/machine.hpp"
#include "measure/quartiles.hpp"

namespace weft::cli {

using Json = nlohmann::ordered_json;

/// `{median, q1, q3}`
Json json(const Quartiles& seconds);
/// Adds where a result is from to a record: `processor`, `mpi`, `versions` of weft, its compiler
/// and the libraries of its engines, `vectors` of the native engine, and `commit`, null where weft
/// was not built from a checkout. Every file of results has these five. Needs no MPI.
void add_origin(Json& record);
/// Adds the origin, `cores`, `nodes` and `compiler`.
void add_machine(Json& record, const Machine& machine);

}  // namespace weft::cli
