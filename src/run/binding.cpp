#include "run/binding.hpp"

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
            if (const auto* post = std::get_if<PostOp>(&operation.what)) net.join(post->task.group);
        }
    }
}

void Programs::share(Net& net) const {
    std::vector<Index> windows;
    net.all_or_none([&] { windows = window_bytes(); });
    if (!windows.empty()) net.share(windows);
}

std::vector<Index> Programs::window_bytes() const {
    return memory_of(forward, backward).window_bytes;
}

namespace {

/// Where a program's buffers lie: the arrays, its work buffers one after the other, and windows.
std::vector<std::byte*> places(const Program& program, std::byte* in, std::byte* out,
                               std::byte* workspace, Net& net) {
    std::vector<std::byte*> result;
    for (const BufferSpec& buffer : program.buffers) {
        switch (buffer.role) {
            case Role::input:
                result.push_back(in);
                break;
            case Role::output:
            case Role::both:
                result.push_back(out);
                break;
            case Role::work:
                result.push_back(workspace);
                workspace += buffer.room();
                break;
            case Role::window:
                result.push_back(net.window(program.window_number(static_cast<int>(result.size())))
                                     .of(net.rank()));
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
    forward_.emplace(
        Bound{programs.forward, places(programs.forward, arrays.in, arrays.out, workspace, net),
              arrays.in_window, arrays.out_window, arrays.fixed, any_alignment},
        plans, workers, net);
    backward_.emplace(
        Bound{programs.backward, places(programs.backward, arrays.out, arrays.in, workspace, net),
              arrays.out_window, arrays.in_window, arrays.fixed, any_alignment},
        plans, workers, net);
}

void Binding::connect() {
    forward_->connect();
    backward_->connect();
}

}  // namespace weft::core
