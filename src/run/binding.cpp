#include "run/binding.hpp"

#include <utility>

#include "program/lower.hpp"
#include "program/memory.hpp"

namespace weft::core {

Programs::Programs(const Plan& plan, int rank, const Environment& environment)
    : forward(lower(plan, rank, environment)),
      backward(lower(reverse(plan), rank, environment.reversed())) {}

Index Programs::workspace_bytes() const { return memory_of(forward, backward).workspace_bytes; }

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
    std::vector<Index> regions;
    net.all_or_none([&] { regions = region_bytes(); });
    if (!regions.empty()) net.share(regions);
}

std::vector<Index> Programs::region_bytes() const {
    return memory_of(forward, backward).region_bytes;
}

namespace {

/// Which of the net's regions each buffer of a program is; null: it is none.
std::vector<SharedRegion*> regions_of(const Program& program, const BoundArrays& arrays, Net& net) {
    std::vector<SharedRegion*> result;
    result.reserve(program.buffers.size());
    for (std::size_t b = 0; b < program.buffers.size(); ++b) {
        const std::optional<RegionId> id = program.region_of(static_cast<int>(b));
        if (!id) {
            result.push_back(nullptr);
        } else if (id->kind == RegionKind::work) {
            result.push_back(&net.region(id->number));
        } else {
            result.push_back(id->kind == RegionKind::input ? arrays.in_region : arrays.out_region);
        }
    }
    return result;
}

/// Where a program's buffers lie: the arrays, its work buffers one after the other, and regions.
std::vector<std::byte*> places(const Program& program, const BoundArrays& arrays,
                               const std::vector<SharedRegion*>& regions, std::byte* workspace,
                               int rank) {
    std::vector<std::byte*> result;
    result.reserve(program.buffers.size());
    for (const BufferSpec& buffer : program.buffers) {
        switch (buffer.role) {
            case Role::input:
                result.push_back(arrays.in);
                break;
            case Role::output:
            case Role::both:
                result.push_back(arrays.out);
                break;
            case Role::work:
                result.push_back(workspace);
                workspace += buffer.room();
                break;
            case Role::region:
                result.push_back(regions[result.size()]->of(rank));
                break;
        }
    }
    return result;
}

}  // namespace

Binding::Binding(const Programs& programs, const Choice& choice, const Workers& workers, Net& net,
                 const BoundArrays& arrays, std::byte* workspace)
    : Binding(programs, core::engine(choice.engine), choice.effort, workers, net, arrays,
              workspace) {}

Binding::Binding(const Programs& programs, const FftEngine& engine, Effort effort,
                 const Workers& workers, Net& net, const BoundArrays& arrays,
                 std::byte* workspace) {
    EnginePlans plans(engine, effort, workers.team, workers.least_seconds);
    make(programs, plans, workers, net, arrays, workspace);
}

Binding::Binding(const Programs& programs, EnginePlans& plans, const Workers& workers, Net& net,
                 const BoundArrays& arrays, std::byte* workspace) {
    make(programs, plans, workers, net, arrays, workspace);
}

void Binding::make(const Programs& programs, EnginePlans& plans, const Workers& workers, Net& net,
                   const BoundArrays& arrays, std::byte* workspace) {
    const Index unit = plans.engine().alignment();
    const bool any_alignment = arrays.any_alignment || past_alignment(arrays.in) % unit != 0 ||
                               past_alignment(arrays.out) % unit != 0;
    const auto bound = [&](const Program& program, const BoundArrays& ends) {
        std::vector<SharedRegion*> regions = regions_of(program, ends, net);
        std::vector<std::byte*> buffers = places(program, ends, regions, workspace, net.rank());
        return Bound{program, std::move(buffers), std::move(regions), arrays.fixed, any_alignment};
    };
    const BoundArrays reversed{arrays.out, arrays.in, arrays.out_region, arrays.in_region};
    forward_.emplace(bound(programs.forward, arrays), plans, workers, net);
    backward_.emplace(bound(programs.backward, reversed), plans, workers, net);
}

void Binding::connect() {
    forward_->connect();
    backward_->connect();
}

}  // namespace weft::core
