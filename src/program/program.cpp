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

/// `in`, `out`, `array` (both), `work0`, `window1`: by role, numbered where a program may have
/// several.
std::string buffer_name(const Program& program, int buffer) {
    const Role role = program.buffers[static_cast<std::size_t>(buffer)].role;
    const auto number = [&] {
        return std::count_if(program.buffers.begin(), program.buffers.begin() + buffer,
                             [&](const BufferSpec& one) { return one.role == role; });
    };
    switch (role) {
        case Role::input:
            return "in";
        case Role::output:
            return "out";
        case Role::both:
            return "array";
        case Role::work:
            return fmt::format("work{}", number());
        case Role::window:
            return fmt::format("window{}", number());
    }
    return "?";
}

/// One operation in words, without what all have in common.
class OperationText {
  public:
    explicit OperationText(const Program& program) : program_(program) {}

    std::string operator()(const TransformOp& op) const {
        return fmt::format("{}, {}+{} -> {}+{}, lines {}, loops {}", transform(op.task.line),
                           name(op.from), op.task.from_offset, name(op.to), op.task.to_offset,
                           loops_text(op.task.axes()), loops_text(op.task.looped));
    }
    std::string operator()(const CopyOp& op) const {
        return fmt::format("{}+{} -> {}+{}, loops {}", name({op.from, op.peer}),
                           op.task.from_offset, name(op.to), op.task.to_offset,
                           loops_text(op.task.loops));
    }
    std::string operator()(const ScaleOp& op) const {
        return fmt::format("{} -> {} by {}", name(op.from), name(op.to), real_text(op.factor));
    }
    std::string operator()(const PostOp& op) const {
        const std::size_t ranks = op.task.group.ranks.size();
        if (op.task.window != -1) {
            return fmt::format("post {} to {} readers, {} to read, {} ranks", name(op.from),
                               op.task.sends.size(), op.task.receives.size(), ranks);
        }
        return fmt::format("post by {}, {} sends of {}, {} receives into {}, {} ranks",
                           name_of(op.task.transport), op.task.sends.size(), name(op.from),
                           op.task.receives.size(), name(op.to), ranks);
    }
    std::string operator()(const DrainOp& op) const {
        if (op.onward.empty()) return fmt::format("wait for {}", op.post);
        return fmt::format("wait for {}, and unpack each message as it arrives, {} -> {}", op.post,
                           name(op.from), name(op.to));
    }
    std::string operator()(const ClaimOp& op) const {
        return fmt::format("claim {}", name(op.window));
    }
    std::string operator()(const ReleaseOp& op) const {
        return fmt::format("release what {} posted", op.post);
    }
    std::string operator()(const PollOp& /*op*/) const { return "all that is under way"; }
    std::string operator()(const FusedOp& op) const {
        std::string text = fmt::format("{} times", op.repeat);
        for (const auto& work : op.work) {
            const auto one = [&](const auto& task) { return work_text(op, task); };
            text += fmt::format("\n      {}", std::visit(one, work));
        }
        return text;
    }

  private:
    [[nodiscard]] std::string name(int buffer) const { return buffer_name(program_, buffer); }
    [[nodiscard]] std::string name(const Place& place) const {
        if (place.rank == -1) return name(place.buffer);
        return fmt::format("{} of rank {}", name(place.buffer), place.rank);
    }
    static std::string transform(const LineTransform& line) {
        return fmt::format("{} {}", weft::to_string(line.kind), line.sign < 0 ? "-1" : "+1");
    }

    [[nodiscard]] std::string work_text(const FusedOp& op, const FusedBatch& batch) const {
        const auto place = [&](int number) {
            return name(op.places[static_cast<std::size_t>(number)]);
        };
        return fmt::format("{}, {}+{} -> {}+{}, lines {}, loops {}, steps {} {}",
                           transform(batch.task.line), place(batch.from), batch.task.from_offset,
                           place(batch.to), batch.task.to_offset, loops_text(batch.task.axes()),
                           loops_text(batch.task.looped), batch.from_step, batch.to_step);
    }
    [[nodiscard]] std::string work_text(const FusedOp& op, const FusedLines& lines) const {
        const TileTask& tile = lines.tile;
        return fmt::format("{} of {} elements, {} -> {}, loops {}:{}", transform(tile.line),
                           tile.line.length, segments_text(op, tile.from, lines.from),
                           segments_text(op, tile.to, lines.to), join(lines.loops, ":"),
                           lines.lanes);
    }
    [[nodiscard]] std::string segments_text(const FusedOp& op,
                                            const std::vector<LineSegment>& segments,
                                            const std::vector<SegmentBegin>& begins) const {
        std::string text;
        for (std::size_t i = 0; i < segments.size(); ++i) {
            const LineSegment& one = segments[i];
            const SegmentBegin& begin = begins[i];
            text += fmt::format("{}{}+{}[{}:{}:{} {}:{}]", text.empty() ? "" : " ",
                                name(op.places[static_cast<std::size_t>(begin.place)]),
                                begin.offset, one.first, one.extent, one.step,
                                join(begin.strides, ":"), one.lane_step);
        }
        return text;
    }

    const Program& program_;
};

}  // namespace

std::string name(const Operation& operation) {
    // In the order of the variant.
    static const std::array<const char*, std::variant_size_v<decltype(operation.what)>> names = {
        "transform", "copy", "scale", "post", "drain", "claim", "release", "pass", "poll"};
    return names[operation.what.index()];
}

std::string_view name_of(Purpose purpose) {
    // In the order of the enumeration.
    static constexpr std::array<std::string_view, 8> names = {
        "transform", "pack", "keep", "unpack", "reorder", "scale", "exchange", "poll"};
    return names[static_cast<std::size_t>(purpose)];
}

std::string to_string(const Program& program) {
    std::string text;
    for (std::size_t i = 0; i < program.buffers.size(); ++i) {
        const BufferSpec& buffer = program.buffers[i];
        text += fmt::format("{:<8} {}, {} bytes\n", buffer_name(program, static_cast<int>(i)),
                            role_name(buffer.role), buffer.bytes);
    }
    for (std::size_t i = 0; i < program.operations.size(); ++i) {
        const Operation& operation = program.operations[i];
        text +=
            fmt::format("{:2}  stage {} {}: {}\n", i, operation.stage, name_of(operation.purpose),
                        std::visit(OperationText(program), operation.what));
    }
    return text;
}

}  // namespace weft::core
