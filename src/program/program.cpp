#include "program/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

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

std::vector<Index> Program::window_bytes() const {
    std::vector<Index> result;
    for (const BufferSpec& buffer : buffers) {
        if (buffer.role == Role::window) result.push_back(buffer.bytes);
    }
    return result;
}

int Program::window_number(int buffer) const {
    const BufferSpec& spec = buffers[static_cast<std::size_t>(buffer)];
    if (spec.shown) return spec.role == Role::input ? input_window : output_window;
    if (spec.role != Role::window) return -1;
    return static_cast<int>(
        std::count_if(buffers.begin(), buffers.begin() + buffer,
                      [](const BufferSpec& one) { return one.role == Role::window; }));
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
        case Role::window:
            return "window";
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

std::string place_text(const Place& place) {
    if (place.rank == -1) return fmt::format("b{}", place.buffer);
    return fmt::format("b{} of rank {}", place.buffer, place.rank);
}

std::string parts_text(const FusedOp& op, const std::vector<LinePart>& parts) {
    std::string text;
    for (const LinePart& part : parts) {
        text +=
            fmt::format("{}{}+{}[{}:{}:{} {}]", text.empty() ? "" : " ",
                        place_text(op.places[static_cast<std::size_t>(part.place)]), part.offset,
                        part.first, part.extent, part.step, join(part.strides, ":"));
    }
    return text;
}

std::string work_text(const FusedOp& op, const FusedBatch& batch) {
    const auto place = [&](int number) {
        return place_text(op.places[static_cast<std::size_t>(number)]);
    };
    return fmt::format("transform {} {} {}+{} -> {}+{} lines {} loops {} steps {} {}",
                       weft::to_string(batch.task.kind), batch.task.sign < 0 ? "-1" : "+1",
                       place(batch.from), batch.task.from_offset, place(batch.to),
                       batch.task.to_offset, loops_text(batch.task.transformed),
                       loops_text(batch.task.looped), batch.from_step, batch.to_step);
}

std::string work_text(const FusedOp& op, const PartsTask& task) {
    return fmt::format("transform {} {} of {} {} -> {} loops {}", weft::to_string(task.kind),
                       task.sign < 0 ? "-1" : "+1", task.length, parts_text(op, task.from),
                       parts_text(op, task.to), join(task.loops, ":"));
}

struct OperationText {
    std::string operator()(const TransformOp& op) const {
        return fmt::format("transform {} {} b{}+{} -> b{}+{} lines {} loops {}",
                           weft::to_string(op.task.kind), op.task.sign < 0 ? "-1" : "+1", op.from,
                           op.task.from_offset, op.to, op.task.to_offset,
                           loops_text(op.task.transformed), loops_text(op.task.looped));
    }
    std::string operator()(const CopyOp& op) const {
        return fmt::format("copy {}+{} -> b{}+{} loops {}", place_text({op.from, op.peer}),
                           op.task.from_offset, op.to, op.task.to_offset,
                           loops_text(op.task.loops));
    }
    std::string operator()(const ScaleOp& op) const {
        return fmt::format("scale b{} -> b{} by {}", op.from, op.to, real_text(op.factor));
    }
    std::string operator()(const PostOp& op) const {
        if (op.task.window != -1) {
            return fmt::format("post {} b{}, {} readers, {} to read, {} ranks", op.task.transport,
                               op.from, op.task.sends.size(), op.task.receives.size(),
                               op.task.group.ranks.size());
        }
        return fmt::format("post {} b{} -> b{}, {} sends, {} receives, {} ranks", op.task.transport,
                           op.from, op.to, op.task.sends.size(), op.task.receives.size(),
                           op.task.group.ranks.size());
    }
    std::string operator()(const DrainOp& op) const {
        if (op.onward.empty()) return fmt::format("drain {}", op.post);
        return fmt::format("drain {}, of each message as it arrives b{} -> b{}", op.post, op.from,
                           op.to);
    }
    std::string operator()(const ClaimOp& op) const { return fmt::format("claim b{}", op.window); }
    std::string operator()(const ReleaseOp& op) const {
        return fmt::format("release what {} posted", op.post);
    }
    std::string operator()(const PollOp& /*op*/) const { return "poll"; }
    std::string operator()(const FusedOp& op) const {
        std::string text = fmt::format("{} times", op.repeat);
        for (const auto& work : op.work) {
            const auto one = [&](const auto& task) { return work_text(op, task); };
            text += fmt::format("\n      {}", std::visit(one, work));
        }
        return text;
    }
};

}  // namespace

std::string name(const Operation& operation) {
    // In the order of the variant.
    static const std::array<const char*, std::variant_size_v<decltype(operation.what)>> names = {
        "transform", "copy", "scale", "post", "drain", "claim", "release", "pass", "poll"};
    return names[operation.what.index()];
}

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
