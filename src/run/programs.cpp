#include "run/programs.hpp"

#include <map>

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

namespace {

/// Throws if a region cannot be reached that the program uses.
void reach_regions(const Program& program, Net& net) {
    std::map<int, int> numbers;  // By buffer.
    for (std::size_t i = 0; i < program.buffers.size(); ++i) {
        if (program.buffers[i].role != Role::region) continue;
        numbers.emplace(static_cast<int>(i), static_cast<int>(numbers.size()));
    }
    for (const Operation& operation : program.operations) {
        const auto* publish = std::get_if<PublishOp>(&operation.what);
        if (publish == nullptr) continue;
        const auto number = numbers.find(publish->region);
        if (number != numbers.end()) (void)net.region(number->second).open(publish->task);
    }
}

}  // namespace

void Programs::share(Net& net) const {
    if (memory.region_bytes.empty()) return;
    net.share(memory.region_bytes);
    net.all_or_none([&] {
        reach_regions(forward, net);
        reach_regions(backward, net);
    });
}

}  // namespace weft::core
