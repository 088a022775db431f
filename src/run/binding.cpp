#include "run/binding.hpp"

#include <algorithm>

#include "program/lower.hpp"

namespace weft::core {

Programs::Programs(const Plan& plan, int rank)
    : forward(lower(plan, rank)), backward(lower(reverse(plan), rank)) {}

Index Programs::workspace_bytes() const {
    return std::max(forward.workspace_bytes(), backward.workspace_bytes());
}

void Programs::join(Net& net) const {
    for (const Program* program : {&forward, &backward}) {
        for (const Operation& operation : program->operations) {
            if (const auto* post = std::get_if<PostOp>(&operation.what)) net.join(post->task.group);
        }
    }
}

namespace {

/// Where a program's buffers lie: the arrays, and its work buffers one after the other.
std::vector<std::byte*> places(const Program& program, std::byte* in, std::byte* out,
                               std::byte* workspace) {
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
        }
    }
    return result;
}

}  // namespace

Binding::Binding(const Programs& programs, const Choice& choice, const Workers& workers, Net& net,
                 std::byte* in, std::byte* out, std::byte* workspace) {
    const FftEngine& fft = engine(choice.engine);
    forward_.emplace(programs.forward, places(programs.forward, in, out, workspace), fft,
                     choice.effort, workers, net);
    backward_.emplace(programs.backward, places(programs.backward, out, in, workspace), fft,
                      choice.effort, workers, net);
}

void Binding::connect() {
    forward_->connect();
    backward_->connect();
}

}  // namespace weft::core
