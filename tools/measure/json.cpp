#include "measure/json.hpp"

namespace weft::cli {

Json json(const Quartiles& seconds) {
    return {{"median", seconds.median}, {"q1", seconds.q1}, {"q3", seconds.q3}};
}

void add_machine(Json& record, const Machine& machine) {
    record["mpi"] = machine.mpi;
    record["processor"] = machine.processor;
    record["cores"] = machine.cores;
    record["nodes"] = machine.nodes;
    record["compiler"] = machine.compiler;
}

}  // namespace weft::cli
