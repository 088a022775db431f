#include "run/programs.hpp"

#include "program/lower.hpp"

namespace weft::core {

Programs::Programs(const Plan& plan, int rank, const Environment& environment)
    : forward(lower(plan, rank, environment)),
      backward(lower(reverse(plan), rank, environment.reversed())),
      memory(memory_of(forward, backward)) {}

void Programs::join(Net& net) const {
    for (const Program* program : {&forward, &backward}) {
        for (const Operation& operation : program->operations) {
            if (const auto* start = std::get_if<StartOp>(&operation.what)) {
                net.join(start->task.group);
            }
        }
    }
}

void Programs::share(Net& net) const {
    if (!memory.region_bytes.empty()) net.share(memory.region_bytes);
}

}  // namespace weft::core
