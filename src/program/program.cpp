#include "program/program.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "weft/problem.hpp"

namespace weft::core {

Index Program::workspace_bytes() const {
    Index total = 0;
    for (const BufferSpec& buffer : buffers) {
        if (buffer.role == Role::work) total += buffer.room();
    }
    return total;
}

namespace {

const char* role_name(Role role) {
    switch (role) {
        case Role::input:
            return "input";
        case Role::output:
            return "output";
        case Role::both:
            return "input and output";
        case Role::work:
            return "work";
    }
    return "?";
}

std::string loops_text(const std::vector<Loop>& loops) {
    std::string text;
    for (const Loop& loop : loops) {
        text += fmt::format("{}{}:{}:{}", text.empty() ? "" : " ", loop.extent, loop.from, loop.to);
    }
    return "[" + text + "]";
}

struct OperationText {
    std::string operator()(const TransformOp& op) const {
        return fmt::format("transform {} {} b{}+{} -> b{}+{} lines {} loops {}",
                           weft::to_string(op.task.kind), op.task.sign < 0 ? "-1" : "+1", op.from,
                           op.task.from_offset, op.to, op.task.to_offset,
                           loops_text(op.task.transformed), loops_text(op.task.looped));
    }
    std::string operator()(const CopyOp& op) const {
        return fmt::format("copy b{}+{} -> b{}+{} loops {}", op.from, op.task.from_offset, op.to,
                           op.task.to_offset, loops_text(op.task.loops));
    }
    std::string operator()(const ScaleOp& op) const {
        return fmt::format("scale b{} -> b{} by {}", op.from, op.to, real_text(op.factor));
    }
    std::string operator()(const PostOp& op) const {
        return fmt::format("post {} b{} -> b{}, {} sends, {} receives, {} ranks", op.task.transport,
                           op.from, op.to, op.task.sends.size(), op.task.receives.size(),
                           op.task.group.ranks.size());
    }
    std::string operator()(const DrainOp& op) const {
        if (op.onward.empty()) return fmt::format("drain {}", op.post);
        return fmt::format("drain {}, of each message as it arrives b{} -> b{}", op.post, op.from,
                           op.to);
    }
};

}  // namespace

std::string to_string(const Program& program) {
    std::string text;
    for (std::size_t i = 0; i < program.buffers.size(); ++i) {
        const BufferSpec& buffer = program.buffers[i];
        text += fmt::format("b{}  {} {} bytes\n", i, role_name(buffer.role), buffer.bytes);
    }
    for (std::size_t i = 0; i < program.operations.size(); ++i) {
        const Operation& operation = program.operations[i];
        text += fmt::format("{:2}  stage {}: {}\n", i, operation.stage,
                            std::visit(OperationText{}, operation.what));
    }
    return text;
}

}  // namespace weft::core
