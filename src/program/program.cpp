#include "program/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "base/index.hpp"
#include "base/text.hpp"
#include "weft/problem.hpp"

namespace weft::core {

namespace {

Index work_bytes(const Program& program, MemorySpace space) {
    Index total = 0;
    for (const BufferSpec& buffer : program.buffers) {
        if (buffer.role == Role::work && buffer.space == space) total += buffer.room();
    }
    return total;
}

}  // namespace

Index Program::workspace_bytes() const {
    return work_bytes(*this, on_device ? MemorySpace::device : MemorySpace::host);
}

Index Program::staging_bytes() const {
    return on_device ? work_bytes(*this, MemorySpace::host) : 0;
}

Index Memory::all_region_bytes() const {
    return std::accumulate(region_bytes.begin(), region_bytes.end(), Index{0});
}

Memory memory_of(const Program& program) {
    Memory result{program.workspace_bytes(), {}, program.staging_bytes()};
    for (const BufferSpec& buffer : program.buffers) {
        if (buffer.role == Role::region) result.region_bytes.push_back(buffer.bytes);
    }
    return result;
}

Memory memory_of(const Program& forward, const Program& backward) {
    return memory_of(memory_of(forward), memory_of(backward));
}

Memory memory_of(const Memory& forward, const Memory& backward) {
    Memory result{std::max(forward.workspace_bytes, backward.workspace_bytes), forward.region_bytes,
                  std::max(forward.staging_bytes, backward.staging_bytes)};
    const std::vector<Index>& other = backward.region_bytes;
    result.region_bytes.resize(std::max(result.region_bytes.size(), other.size()), 0);
    for (std::size_t i = 0; i < other.size(); ++i) {
        result.region_bytes[i] = std::max(result.region_bytes[i], other[i]);
    }
    return result;
}

namespace {

/// What is printed of a buffer's role, and what buffers of that role are called.
struct RoleText {
    const char* role;
    const char* name;
};

const RoleText& text_of(Role role) {
    // In the order of the enumeration.
    static constexpr std::array<RoleText, 5> texts = {{{"input", "in"},
                                                       {"output", "out"},
                                                       {"input and output", "array"},
                                                       {"work", "work"},
                                                       {"region", "region"}}};
    return texts[static_cast<std::size_t>(role)];
}

std::string loops_text(const std::vector<Loop>& loops) {
    std::string text;
    for (const Loop& loop : loops) {
        text += fmt::format("{}{}:{}:{}", text.empty() ? "" : " ", loop.extent, loop.from, loop.to);
    }
    return "[" + text + "]";
}

/// Whether it is memory of the host beside a device's.
bool is_staging(const Program& program, const BufferSpec& buffer) {
    return buffer.role == Role::work && buffer.space == MemorySpace::host && program.on_device;
}

/// `in`, `out`, `array` (both), `work0`, `staging0`, `region1`: by role, numbered where a program
/// may have several.
std::string buffer_name(const Program& program, int buffer) {
    const BufferSpec& named = program.buffers[usize(buffer)];
    if (named.role != Role::work && named.role != Role::region) return text_of(named.role).name;
    const bool staging = is_staging(program, named);
    const auto number = std::count_if(
        program.buffers.begin(), program.buffers.begin() + buffer, [&](const BufferSpec& one) {
            return one.role == named.role && is_staging(program, one) == staging;
        });
    return fmt::format("{}{}", staging ? "staging" : text_of(named.role).name, number);
}

/// One operation in words, without what all have in common.
class OperationText {
  public:
    explicit OperationText(const Program& program) : program_(program) {}

    std::string operator()(const TransformOp& op) const {
        const FftTask& task = op.task;
        return fmt::format("{}, {}+{} -> {}+{}, lines {}, loops {}", transform(task.line),
                           name(op.from), task.from_offset, name(op.to), task.to_offset,
                           loops_text(task.axes()), loops_text(task.looped));
    }
    std::string operator()(const CopyOp& op) const {
        return fmt::format("{}+{} -> {}+{}, loops {}", name(op.from), op.task.from_offset,
                           name(op.to), op.task.to_offset, loops_text(op.task.loops));
    }
    std::string operator()(const ScaleOp& op) const {
        return fmt::format("{} -> {} by {}", name(op.from), name(op.to), real_text(op.factor));
    }
    std::string operator()(const ConvertOp& op) const {
        const bool wide = op.precision == Precision::f64;
        const char* halves = wide ? "to f32" : "to bf16";
        const char* widens = wide ? "from f32" : "from bf16";
        return fmt::format("{} -> {} {}, {}", name(op.from), name(op.to),
                           op.halves ? halves : widens, number_of(op.slice.count(), "number"));
    }
    std::string operator()(const ClearOp& op) const {
        Index count = 0;
        for (const Slice& slice : op.slices) count += slice.count();
        return fmt::format("clear {}, {} bytes", name(op.to), count * op.element_bytes);
    }
    std::string operator()(const StartOp& op) const {
        return fmt::format("start by {}, {} from {}, {} into {}, {}", name_of(op.task.transport),
                           number_of(op.task.sends.size(), "message"), name(op.from),
                           op.task.receives.size(), name(op.to),
                           number_of(op.task.group.ranks.size(), "rank"));
    }
    std::string operator()(const FinishOp& op) const { return fmt::format("finish {}", op.start); }
    std::string operator()(const PublishOp& op) const {
        const std::string verb = op.task.access == RegionAccess::write ? "write" : "read";
        const std::size_t users = op.task.offered.size();
        return fmt::format("publish {}, {} {}{} it", name(op.region), number_of(users, "rank"),
                           verb, users == 1 ? "s" : "");
    }
    std::string operator()(const AwaitOp& op) const { return "await " + others_of(op.publish); }
    std::string operator()(const ReleaseOp& op) const { return "release " + others_of(op.publish); }
    std::string operator()(const ReclaimOp& op) const {
        return fmt::format("reclaim {}", name(op.region));
    }
    std::string operator()(const PollOp& /*op*/) const { return "all that is under way"; }
    std::string operator()(const HopOp& op) const {
        Index bytes = 0;
        for (const CopyTask& copy : op.copies) bytes += bytes_of(copy);
        return fmt::format("{} -> {}, {} bytes", name(op.from), name(op.to), bytes);
    }
    std::string operator()(const ArrivalOp& op) const {
        const auto& start = std::get<StartOp>(program_.operations[op.start].what);
        return fmt::format("arrival {} of {} of {}", op.turn + 1, start.task.receives.size(),
                           op.start);
    }
    std::string operator()(const OnwardOp& op) const {
        return fmt::format("what arrived, {} -> {}", name(op.from), name(op.to));
    }
    std::string operator()(const FusedOp& op) const {
        std::string text = fmt::format("{} times", op.repeat);
        for (const auto& work : op.work) {
            if (const auto* batch = std::get_if<TransformOp>(&work)) {
                text += fmt::format("\n      {}, steps {} {}", (*this)(*batch), batch->from_step,
                                    batch->to_step);
            } else if (const auto* copy = std::get_if<FusedCopy>(&work)) {
                text += fmt::format("\n      {} bytes, {}+{} -> {}+{}, steps {} {}",
                                    bytes_of(copy->task), name(op.places[usize(copy->from)]),
                                    copy->task.from_offset, name(op.places[usize(copy->to)]),
                                    copy->task.to_offset, copy->from_step, copy->to_step);
            } else if (const auto* clear = std::get_if<FusedClear>(&work)) {
                text += fmt::format("\n      clear {} elements of {}", clear->slice.count(),
                                    name(op.places[usize(clear->place)]));
            } else {
                text += "\n      " + lines_text(op, std::get<FusedLines>(work));
            }
        }
        return text;
    }

  private:
    [[nodiscard]] std::string name(int buffer) const { return buffer_name(program_, buffer); }
    [[nodiscard]] std::string name(const BufferRef& place) const {
        if (!place.rank) return name(place.buffer);
        return fmt::format("{} of rank {}", name(place.buffer), *place.rank);
    }
    /// The regions that are used after that operation has published this rank's.
    [[nodiscard]] std::string others_of(std::size_t publish) const {
        const auto& op = std::get<PublishOp>(program_.operations[publish].what);
        return fmt::format("{}: {} of {}", publish, name(op.region),
                           number_of(op.task.used.size(), "rank"));
    }
    static std::string transform(const LineTransform& line) {
        if (line.kind == Kind::r2r) return weft::to_string(line.axis);
        return fmt::format("{} {}", weft::to_string(line.kind), line.sign < 0 ? "-1" : "+1");
    }

    [[nodiscard]] std::string lines_text(const FusedOp& op, const FusedLines& lines) const {
        return fmt::format("{} of {} elements, {} -> {}, loops {}:{}", transform(lines.line),
                           lines.line.length, segments_text(op, lines.from),
                           segments_text(op, lines.to), join(lines.loops, ":"), lines.lanes);
    }
    [[nodiscard]] std::string segments_text(const FusedOp& op,
                                            const std::vector<Segments>& side) const {
        std::string text;
        for (const Segments& alike : side) {
            for (std::size_t j = 0; j < alike.begins.size(); ++j) {
                const LineSegment one = alike.segment(j);
                const auto& [place, offset] = alike.begins[j];
                text += fmt::format("{}{}+{}[{}:{}:{} {}:{}]", text.empty() ? "" : " ",
                                    name(op.places[usize(place)]), offset, one.first, one.extent,
                                    one.step, join(alike.strides, ":"), one.lane_step);
            }
        }
        return text;
    }

    const Program& program_;
};

}  // namespace

std::vector<CopyTask> same_place_copies(const std::vector<Slice>& slices, Index element_bytes) {
    std::vector<CopyTask> result;
    for (const Slice& slice : slices) {
        if (slice.count() > 0) result.push_back(copy_task(slice, slice, element_bytes));
    }
    return result;
}

std::vector<CopyTask> onward_copies(const Program& program, std::size_t number,
                                    std::size_t receive) {
    const Operation& operation = program.operations[number];
    const std::size_t from = std::get<OnwardOp>(operation.what).start;
    const auto& start = std::get<StartOp>(program.operations[from].what);
    if (operation.purpose != Purpose::hop) return start.arrivals[receive];
    return same_place_copies(start.task.receives[receive].slices, start.task.element_bytes);
}

std::size_t* named_step(Operation& operation) {
    const auto of = [](auto& op) -> std::size_t* {
        if constexpr (requires { op.start; }) return &op.start;
        if constexpr (requires { op.publish; }) return &op.publish;
        return nullptr;
    };
    return std::visit(of, operation.what);
}

std::string name(const Operation& operation) {
    // In the order of the variant.
    static const std::array<const char*, std::variant_size_v<decltype(operation.what)>> names = {
        "transform", "copy",    "scale", "pass", "start",   "finish", "publish", "await",
        "release",   "reclaim", "poll",  "hop",  "arrival", "onward", "clear",   "convert"};
    return names[operation.what.index()];
}

std::string_view name_of(Purpose purpose) {
    // In the order of the enumeration.
    static constexpr std::array<std::string_view, 9> names = {
        "transform", "pack", "keep", "unpack", "reorder", "scale", "exchange", "poll", "hop"};
    return names[static_cast<std::size_t>(purpose)];
}

std::string to_string(const Program& program) {
    std::string text;
    for (std::size_t i = 0; i < program.buffers.size(); ++i) {
        const BufferSpec& buffer = program.buffers[i];
        const bool device = buffer.space == MemorySpace::device;
        text += fmt::format("{:<8} {}, {} bytes{}\n", buffer_name(program, static_cast<int>(i)),
                            text_of(buffer.role).role, buffer.bytes, device ? ", device" : "");
    }
    for (std::size_t i = 0; i < program.operations.size(); ++i) {
        const Operation& operation = program.operations[i];
        const std::string after =
            operation.after.empty() ? "" : " after " + join(operation.after, ", ");
        const bool moved = operation.queue != queue_of(operation.purpose);
        const char* how = !moved                               ? ""
                          : operation.queue == Queue::hop_back ? " back"
                                                               : " by the host";
        text += fmt::format("{:2}  stage {} {}{}{}: {}\n", i, operation.stage,
                            name_of(operation.purpose), how, after,
                            std::visit(OperationText(program), operation.what));
    }
    return text;
}

}  // namespace weft::core
