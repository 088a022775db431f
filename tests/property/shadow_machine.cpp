#include "property/shadow_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "exchange/via.hpp"
#include "program/lower.hpp"
#include "property/whole_array.hpp"

namespace weft::core::test {

namespace {

/// Row-major numbers of a box of extents become offsets in units of the strides.
Index offset_of(const std::vector<Index>& point, const std::vector<Index>& strides) {
    return std::inner_product(point.begin(), point.end(), strides.begin(), Index{0});
}

Index product(const std::vector<Index>& extents) {
    return std::accumulate(extents.begin(), extents.end(), Index{1}, std::multiplies<>());
}

/// The loops of one side of a task, slowest first.
struct Side {
    std::vector<Index> extents;
    std::vector<Index> strides;

    void add(Index extent, Index stride) {
        extents.push_back(extent);
        strides.push_back(stride);
    }
    [[nodiscard]] Index count() const { return product(extents); }
    [[nodiscard]] Index offset(Index number) const {
        return offset_of(point_of(number, extents), strides);
    }
};

Side side_of(const std::vector<Loop>& loops, Index Loop::*stride) {
    Side side;
    for (const Loop& loop : loops) side.add(loop.extent, loop.*stride);
    return side;
}

Side side_of(const Slice& slice) {
    Side side;
    for (const Run& run : slice.runs) side.add(run.extent, run.stride);
    return side;
}

bool is_halving(Kind kind) { return kind == Kind::r2c || kind == Kind::c2r; }

/// Real numbers of an element that a transform reads (writes).
int numbers_before(Kind kind) { return kind == Kind::r2c || kind == Kind::r2r ? 1 : 2; }
int numbers_after(Kind kind) { return kind == Kind::c2r || kind == Kind::r2r ? 1 : 2; }

/// Parts of an element that have names of their own.
int parts_of(const Scalar& scalar) { return scalar.complex && scalar.opaque_bytes == 0 ? 2 : 1; }

Index cell_bytes_of(const Problem& problem) {
    if (problem.kind == Kind::redistribute) return problem.element_bytes;
    return problem.precision == Precision::f64 ? 8 : 4;
}

/// A bit for each axis, but for those along which a Fourier transform leaves what it finds, whether
/// a stage names them or not: of one element, and not the r2c axis.
unsigned mask_of(const Problem& problem, const std::vector<int>& axes) {
    unsigned mask = 0;
    for (const int axis : axes) {
        const bool changes = problem.shape[static_cast<std::size_t>(axis)] > 1 ||
                             axis_kind(problem, axis) != AxisKind::c2c;
        if (changes) mask |= 1U << static_cast<unsigned>(axis);
    }
    return mask;
}

}  // namespace

std::vector<Index> ShadowMachine::offsets_of(const std::vector<Slice>& slices) {
    std::vector<Index> offsets;
    for (const Slice& slice : slices) {
        const Side side = side_of(slice);
        for (Index i = 0; i < side.count(); ++i) offsets.push_back(slice.offset + side.offset(i));
    }
    return offsets;
}

ShadowMachine::ShadowMachine(const Plan& plan, const Environment& environment)
    : plan_(plan),
      environment_(environment),
      cell_bytes_(cell_bytes_of(plan.problem)),
      full_shape_(plan.problem.shape) {
    if (plan.problem.batch > 1) full_shape_.push_back(plan.problem.batch);
    for (int rank = 0; rank < plan.ranks; ++rank) {
        nodes_.emplace_back();
        nodes_.back().program = lower(plan, rank, environment);
    }
}

void ShadowMachine::forget_predecessors() {
    for (Node& node : nodes_) {
        for (Operation& operation : node.program.operations) operation.after.clear();
    }
}

void ShadowMachine::fail(const Node& node, const std::string& what) const {
    throw Violation(fmt::format("rank {}, operation {}: {}\n{}", node.program.rank, node.next, what,
                                core::to_string(node.program)));
}

ShadowMachine::Cell& ShadowMachine::cell(Node& node, int buffer, Index index) const {
    const auto b = static_cast<std::size_t>(buffer);
    if (b >= node.buffers.size()) fail(node, fmt::format("there is no buffer {}", buffer));
    if (index < 0 || index >= static_cast<Index>(node.buffers[b].size())) {
        fail(node, fmt::format("byte {} is outside of buffer {}", index * cell_bytes_, buffer));
    }
    node.used[b] = std::max(node.used[b], index + 1);
    return node.buffers[b][static_cast<std::size_t>(index)];
}

void ShadowMachine::read(Node& node, const Element& element, std::vector<Name>& names) const {
    for (Index i = 0; i < element.cells; ++i) {
        const Cell& here = cell(node, element.buffer, element.first + i);
        if (here.name.element == -1) {
            fail(node, fmt::format("byte {} of buffer {} is read but was never written",
                                   (element.first + i) * cell_bytes_, element.buffer));
        }
        if (here.receiving) fail(node, "an element is read that is still being received");
        if (here.written_by != -1) fail(node, "an element is read that another rank may write");
        if (!element.any_part && here.name.imaginary != (i == 1)) {
            fail(node, "an element is read from its middle");
        }
        names.push_back(here.name);
    }
    if (element.cells == 2) {
        Name imaginary = names[names.size() - 2];
        imaginary.imaginary = true;
        if (imaginary != names.back()) fail(node, "two halves of different elements are read");
    }
}

void ShadowMachine::write(Node& node, const Element& element, const std::vector<Name>& names,
                          std::size_t from) const {
    const Role role = node.program.buffers[static_cast<std::size_t>(element.buffer)].role;
    if (role == Role::input && !plan_.problem.may_destroy_input) {
        fail(node, "the input is written");
    }
    for (Index i = 0; i < element.cells; ++i) {
        Cell& here = cell(node, element.buffer, element.first + i);
        if (here.sending > 0) fail(node, "an element is written that is being sent");
        if (here.receiving) fail(node, "an element is written that is being received");
        if (here.readers > 0) fail(node, "an element is written that other ranks may read");
        if (here.written_by != -1) fail(node, "an element is written that another rank may write");
        if (here.writer == node.next + 1 && element.buffer != node.scratch) {
            fail(node, "one operation writes an element twice");
        }
        here.writer = node.next + 1;
        here.name = names[from + static_cast<std::size_t>(i)];
    }
}

/// Work regions stay as they are, since others may still read them.
void ShadowMachine::start(int rank) {
    Node& node = nodes_[static_cast<std::size_t>(rank)];
    node.next = 0;
    node.first_ordinal = node.ordinal;
    node.started.clear();
    node.arrived.clear();
    node.published.clear();
    node.awaited.clear();
    node.buffers.resize(node.program.buffers.size());
    for (std::size_t b = 0; b < node.buffers.size(); ++b) {
        const BufferSpec& spec = node.program.buffers[b];
        if (spec.bytes % (halves() ? cell_bytes_ / 2 : cell_bytes_) != 0)
            fail(node, "a buffer holds a part of an element");
        if (spec.role == Role::region && node.executions > 0) {
            for (Cell& one : node.buffers[b]) one.writer = 0;
            continue;
        }
        // Numbers of half of the bytes have cells as others do.
        const Index room = spec.role != Role::region && halves() ? 2 * spec.bytes : spec.bytes;
        node.buffers[b].assign(static_cast<std::size_t>(room / cell_bytes_), Cell{});
    }
    node.used.assign(node.buffers.size(), 0);
    ++node.executions;
    put_input(node);
}

void ShadowMachine::put_input(Node& node) {
    const Layout& layout = plan_.at.front();
    const int parts = parts_of(layout.scalar);
    for (const auto& [number, position] : elements_in_memory(layout, node.program.rank)) {
        const Index element = number_of(point_of(number, layout.where.shape()), full_shape_);
        for (int part = 0; part < parts; ++part) {
            cell(node, 0, position * parts + part).name = {element, 0, part == 1, false};
        }
    }
}

/// Along which axis an element of a line lies from the first one.
int ShadowMachine::axis_between(const Node& node, const Name& first, const Name& other) const {
    const std::vector<Index> a = point_of(first.element, full_shape_);
    const std::vector<Index> b = point_of(other.element, full_shape_);
    std::vector<int> axes;
    for (std::size_t axis = 0; axis < a.size(); ++axis) {
        if (a[axis] != b[axis]) axes.push_back(static_cast<int>(axis));
    }
    if (axes.size() != 1) fail(node, "neighbours on a line differ along several axes, or none");
    return axes.front();
}

/// What r2r has to do along an axis in this direction.
AxisKind ShadowMachine::kind_along_axis(int axis) const {
    const AxisKind kind = axis_kind(plan_.problem, axis);
    return plan_.backward ? inverse(kind) : kind;
}

/// Fails unless a line of that axis keeps what the problem says, on either side.
void ShadowMachine::check_kept(const Node& node, const LineTransform& line, int axis) const {
    if (!keeps_as_along(line, axis)) {
        fail(node, "a transform keeps another part of lines than the problem");
    }
}
bool ShadowMachine::keeps_as_along(const LineTransform& line, int axis) const {
    const Problem& problem = plan_.problem;
    const bool synthesis = plan_.backward != (problem.kind == Kind::c2r);
    const KeptPart points = points_kept(problem, axis);
    const KeptPart modes = modes_kept(problem, axis);
    return line.length == full_shape_[static_cast<std::size_t>(axis)] &&
           line.from == (synthesis ? modes : points) && line.to == (synthesis ? points : modes);
}

/// The axes of the operation's stage along which a line (or plane) lies: what it holds shows those
/// that are longer than 1; of the others it is the first ones that are not transformed yet, and keep
/// the same part (planned_case). Of all but c2c the last is the r2c axis.
std::vector<int> ShadowMachine::axes_of(const Node& node, const std::vector<Name>& line,
                                        const FftTask& task) const {
    const int stage = node.program.operations[node.next].stage;
    const TransformStage* planned = transform_at(plan_, static_cast<std::size_t>(stage));
    if (planned == nullptr) fail(node, "a transform serves a redistribution");
    const bool halves = is_halving(task.line.kind);
    const bool real = task.line.kind == Kind::r2r || planned->kind == Kind::r2r;
    if ((halves || real) && task.line.kind != planned->kind) {
        fail(node, "a transform is of another kind");
    }
    const std::vector<Loop> transformed = task.axes();
    std::vector<Index> extents;
    extents.reserve(transformed.size());
    for (const Loop& axis : transformed) extents.push_back(axis.extent);
    extents.back() = task.line.source_length();
    const std::size_t width = numbers_before(task.line.kind);
    std::vector<int> left = planned->axes;
    if (halves) left.pop_back();
    std::vector<int> axes;
    for (std::size_t j = 0; j < extents.size(); ++j) {
        int axis = planned->axes.back();
        if (extents[j] > 1) {
            std::vector<Index> next(extents.size(), 0);
            next[j] = 1;
            const auto number = static_cast<std::size_t>(number_of(next, extents));
            axis = axis_between(node, line.front(), line[number * width]);
        } else if (!halves || j + 1 != extents.size()) {
            const auto one = std::find_if(left.begin(), left.end(), [&](int each) {
                const bool fits = task.line.is_whole()
                                      ? full_shape_[static_cast<std::size_t>(each)] == 1
                                      : keeps_as_along(task.line, each);
                return fits && (!real || task.axis_kinds()[j] == kind_along_axis(each)) &&
                       (line.front().done & mask_of(plan_.problem, {each})) == 0;
            });
            axis = one == left.end() ? -1 : *one;
        }
        if (!task.line.is_whole() && axis != -1) check_kept(node, task.line, axis);
        const bool is_r2c_axis = halves && j + 1 == extents.size();
        if (is_r2c_axis ? axis != planned->axes.back() : std::erase(left, axis) == 0) {
            fail(node, "a transform has other axes than its stage");
        }
        if (transformed[j].extent != full_shape_[static_cast<std::size_t>(axis)]) {
            fail(node, "a transform has another length than its axis");
        }
        if (real && task.axis_kinds()[j] != kind_along_axis(axis)) {
            fail(node, "an axis is transformed by another kind");
        }
        axes.push_back(axis);
    }
    const bool r2c_axis_is_c2c =
        !halves && is_halving(planned->kind) &&
        std::find(axes.begin(), axes.end(), planned->axes.back()) != axes.end();
    if (r2c_axis_is_c2c) fail(node, "a transform is of another kind");
    return axes;
}

/// The axes of c2c, r2c and c2r, a bit for each.
unsigned ShadowMachine::fourier_axes() const {
    unsigned mask = 0;
    for (const int axis : transformed_axes(plan_.problem)) {
        const AxisKind kind = axis_kind(plan_.problem, axis);
        if (kind < AxisKind::dct1 || kind > AxisKind::dst4) mask |= mask_of(plan_.problem, {axis});
    }
    return mask;
}

/// The elements of one line (or plane) before the transform -> the elements after it.
std::vector<ShadowMachine::Name> ShadowMachine::named_line(const Node& node,
                                                           const std::vector<Name>& line,
                                                           const FftTask& task) const {
    const std::vector<int> axes = axes_of(node, line, task);
    Side source = side_of(task.axes(), &Loop::from);
    Side target = source;
    source.extents.back() = task.line.source_length();
    target.extents.back() = task.line.target_length();
    const std::size_t width = numbers_before(task.line.kind);
    const std::vector<Index> first = point_of(line.front().element, full_shape_);
    for (Index i = 0; i < source.count(); ++i) {
        const Name& name = line[static_cast<std::size_t>(i) * width];
        std::vector<Index> expected = first;
        const std::vector<Index> inside = point_of(i, source.extents);
        for (std::size_t j = 0; j < axes.size(); ++j) {
            expected[static_cast<std::size_t>(axes[j])] = inside[j];
        }
        if (name.element != number_of(expected, full_shape_)) {
            fail(node, fmt::format("element {} lies where {} should: not a line of its axes",
                                   name.element, number_of(expected, full_shape_)));
        }
        if (name.done != line.front().done || name.scaled) fail(node, "a line is of mixed states");
        if (name.imaginary != line.front().imaginary) fail(node, "a line is of mixed parts");
    }
    if ((line.front().done & mask_of(plan_.problem, axes)) != 0)
        fail(node, "an axis is transformed twice");
    const unsigned fourier = fourier_axes();
    if (task.line.kind == Kind::r2c && (line.front().done & fourier) != 0) {
        fail(node, "a Fourier transform precedes r2c");
    }
    const unsigned done = line.front().done | mask_of(plan_.problem, axes);
    if (task.line.kind == Kind::c2r && (done & fourier) != fourier) {
        fail(node, "a Fourier transform follows c2r");
    }

    std::vector<Name> result;
    for (Index i = 0; i < target.count(); ++i) {
        std::vector<Index> point = first;
        const std::vector<Index> inside = point_of(i, target.extents);
        for (std::size_t j = 0; j < axes.size(); ++j) {
            point[static_cast<std::size_t>(axes[j])] = inside[j];
        }
        Name name{number_of(point, full_shape_), done, line.front().imaginary, false};
        result.push_back(name);
        name.imaginary = true;
        if (numbers_after(task.line.kind) == 2) result.push_back(name);
    }
    return result;
}

/// In place, in units of reals, every line is written where it is read.
void ShadowMachine::check_in_place(const Node& node, const FftTask& task) const {
    const Index from_width = numbers_before(task.line.kind);
    const Index to_width = numbers_after(task.line.kind);
    if (task.from_offset * from_width != task.to_offset * to_width) {
        fail(node, "a transform in place shifts its lines");
    }
    const auto check = [&](bool stays) {
        if (!stays) fail(node, "a transform in place changes the strides");
    };
    const auto stays = [&](Index from, Index to) { return from * from_width == to * to_width; };
    for (const auto* loops : {&task.complex_axes, &task.looped}) {
        for (const Loop& loop : *loops) check(loop.extent == 1 || stays(loop.from, loop.to));
    }
    const bool real = is_halving(task.line.kind);
    check(task.line.length == 1 ||
          (real ? task.from_step == 1 && task.to_step == 1 : stays(task.from_step, task.to_step)));
}

void ShadowMachine::transform(Node& node, const TransformOp& op) {
    const FftTask& task = op.task;
    if (task.in_place != (op.from == op.to)) fail(node, "in_place does not say whether it is");
    if (task.in_place) check_in_place(node, task);
    if (task.line.kind == Kind::c2r && !task.may_destroy_input && !task.complex_axes.empty()) {
        fail(node, "a multi-dimensional c2r task must be allowed to destroy its input");
    }
    const bool synthesis = plan_.backward != (plan_.problem.kind == Kind::c2r);
    if (task.line.sign != (synthesis ? 1 : -1)) fail(node, "a transform has the wrong sign");
    if (task.line.precision != plan_.problem.precision)
        fail(node, "a transform's precision is wrong");

    Side from = side_of(task.axes(), &Loop::from);
    Side to = side_of(task.axes(), &Loop::to);
    from.extents.back() = task.line.source_length();
    to.extents.back() = task.line.target_length();
    const Index from_width = numbers_before(task.line.kind);
    const Index to_width = numbers_after(task.line.kind);
    const Side from_lines = side_of(task.looped, &Loop::from);
    const Side to_lines = side_of(task.looped, &Loop::to);

    // Everything is read before anything is written.
    std::vector<std::vector<Name>> lines;
    for (Index line = 0; line < from_lines.count(); ++line) {
        std::vector<Name> names;
        for (Index i = 0; i < from.count(); ++i) {
            const Index first =
                (task.from_offset + from_lines.offset(line) + from.offset(i)) * from_width;
            read(node, {op.from, first, from_width, task.line.kind == Kind::r2r}, names);
            if (task.may_destroy_input && !task.in_place) {
                std::vector<Name> lost(2);
                write(node, {op.from, first, from_width}, lost, 0);
            }
        }
        lines.push_back(named_line(node, names, task));
    }
    for (Index line = 0; line < to_lines.count(); ++line) {
        for (Index i = 0; i < to.count(); ++i) {
            const Index first = (task.to_offset + to_lines.offset(line) + to.offset(i)) * to_width;
            write(node, {op.to, first, to_width}, lines[static_cast<std::size_t>(line)],
                  static_cast<std::size_t>(i * to_width));
        }
    }
}

void ShadowMachine::copy(Node& node, const CopyOp& op) {
    const CopyTask& task = op.task;
    if (op.from == BufferRef{op.to}) fail(node, "a copy within one buffer");
    const Index width = task.element_bytes / cell_bytes_;
    const Side from = side_of(task.loops, &Loop::from);
    const Side to = side_of(task.loops, &Loop::to);
    for (Index i = 0; i < from.count(); ++i) {
        std::vector<Name> names;
        read_place(node, op.from,
                   {op.from.buffer, (task.from_offset + from.offset(i)) * width, width, width == 1},
                   names);
        write(node, {op.to, (task.to_offset + to.offset(i)) * width, width}, names, 0);
    }
}

void ShadowMachine::scale(Node& node, const ScaleOp& op) {
    if (op.factor != plan_.scale()) fail(node, "the factor is another one than the plan's");
    const Side side = side_of(op.slice);
    for (Index number = 0; number < side.count(); ++number) {
        const Index i = op.slice.offset + side.offset(number);
        Name name = cell(node, op.from, i).name;
        if (name.element == -1) fail(node, "an element is scaled that was never written");
        if (name.scaled) fail(node, "an element is scaled twice");
        name.scaled = true;
        write(node, {op.to, i, 1}, {name}, 0);
    }
}

/// Half numbers are sent, so each of an exchange's numbers is converted on either side of it.
void ShadowMachine::convert(Node& node, const ConvertOp& op) {
    if (!halves()) fail(node, "a number is converted");
    const Side side = side_of(op.slice);
    for (Index number = 0; number < side.count(); ++number) {
        const Index i = op.slice.offset + side.offset(number);
        std::vector<Name> names;
        read(node, {op.from, i, 1, true}, names);
        write(node, {op.to, i, 1}, names, 0);
    }
}

/// The elements of the layout behind the stage, as they are there if they come from nobody; others
/// are still to be written.
/// The numbers of the elements that are anybody's before that stage.
std::set<Index> ShadowMachine::owned_in(std::size_t stage) const {
    std::set<Index> owned;
    for (int rank = 0; rank < plan_.ranks; ++rank) {
        for (const auto& [number, position] : elements_in_memory(plan_.at[stage], rank)) {
            owned.insert(number);
        }
    }
    return owned;
}

/// The axes along which elements are transformed before that stage, a bit for each.
unsigned ShadowMachine::done_before(std::size_t stage) const {
    unsigned done = 0;
    for (std::size_t i = 0; i < stage; ++i) {
        const TransformStage* transform = transform_at(plan_, i);
        if (transform != nullptr) done |= mask_of(plan_.problem, transform->axes);
    }
    return done;
}

void ShadowMachine::clear(Node& node, const ClearOp& op) {
    const auto stage = static_cast<std::size_t>(node.program.operations[node.next].stage);
    if (transform_at(plan_, stage) != nullptr) fail(node, "a clear serves a transform");
    const std::set<Index> owned = owned_in(stage);
    const unsigned done = done_before(stage);
    const Layout& layout = plan_.at[stage + 1];
    const int parts = parts_of(layout.scalar);
    std::map<Index, Index> number_at;
    for (const auto& [number, position] : elements_in_memory(layout, node.program.rank)) {
        number_at[position] = number;
    }
    for (const Index offset : offsets_of(op.slices)) {
        if (!number_at.contains(offset)) fail(node, "an element is cleared that is not there");
        const Index number = number_at[offset];
        const Index element = number_of(point_of(number, layout.where.shape()), full_shape_);
        for (int part = 0; part < parts; ++part) {
            const bool nobodys = !owned.contains(number);
            write(node, {op.to, offset * parts + part, 1},
                  {nobodys ? Name{element, done, part == 1, false} : Name{}}, 0);
        }
    }
}

void ShadowMachine::check_message(const Node& node, const StartOp& op, const Message& message) {
    const auto& group = op.task.group.ranks;
    if (message.peer == node.program.rank) fail(node, "a rank sends to itself");
    if (!std::binary_search(group.begin(), group.end(), message.peer)) {
        fail(node, fmt::format("peer {} is not in the group", message.peer));
    }
    const std::vector<Index> offsets = offsets_of(message.slices);
    if (offsets.empty()) fail(node, "an empty message");
    const Transport& how = transport(op.task.transport);
    const bool one_block = !how.slot_bytes && !how.by_rounds;
    if (one_block && *std::max_element(offsets.begin(), offsets.end()) >= op.task.largest) {
        fail(node, "a message is longer than the longest");
    }
    if (op.task.slot) {
        const auto place = std::lower_bound(group.begin(), group.end(), message.peer);
        const Index begin = (place - group.begin()) * *op.task.slot;
        if (offsets.front() != begin || offsets.back() >= begin + *op.task.slot) {
            fail(node, "a message is not in its slot");
        }
    }
    bool adjacent = true;
    for (std::size_t i = 1; i < offsets.size(); ++i) {
        adjacent = adjacent && offsets[i] == offsets[i - 1] + 1;
    }
    if (how.packing == Packing::always && !adjacent) {
        fail(node, "a message of a packed method is not contiguous");
    }
}

bool ShadowMachine::takes_part(const Node& node, const StartOp& op, const ExchangeTask& theirs) {
    const Group& group = op.task.group;
    const int first = theirs.group.ranks.front();
    if (theirs.group.key != group.key || theirs.transport != op.task.transport ||
        theirs.slot != op.task.slot || theirs.on_arrival != op.task.on_arrival ||
        theirs.element_bytes != op.task.element_bytes || theirs.largest != op.task.largest) {
        fail(node, fmt::format("rank {} takes part in another exchange", first));
    }
    if (theirs.group.ranks == group.ranks) return true;
    for (const int rank : theirs.group.ranks) {
        if (std::binary_search(group.ranks.begin(), group.ranks.end(), rank)) {
            fail(node, fmt::format("the groups of rank {} and of this one overlap", first));
        }
    }
    return false;
}

/// All ranks agree on method and element size; all members of a group on its name and members.
void ShadowMachine::check_group(const Node& node, const StartOp& op) {
    const Group& group = op.task.group;
    if (!std::is_sorted(group.ranks.begin(), group.ranks.end())) fail(node, "an unsorted group");
    if (!std::binary_search(group.ranks.begin(), group.ranks.end(), node.program.rank)) {
        fail(node, "a rank is not in its own group");
    }
    if (op.task.chunk != plan_.choice.chunk) fail(node, "an exchange in other chunks");
    if (const int other = publisher(node.ordinal); other != -1) {
        fail(node, fmt::format("rank {} publishes a region meanwhile", other));
    }
    bool known = false;
    std::vector<ExchangeTask>& exchanges = started_[node.ordinal];
    for (const ExchangeTask& one : exchanges) known = takes_part(node, op, one) || known;
    if (!known) exchanges.push_back(op.task);
}

/// All slots are in the buffers, whatever is in them; a transport may touch them.
void ShadowMachine::check_slots(Node& node, const StartOp& op) {
    if (!op.task.slot) return;
    const Index width = width_of(op.task);
    const Index end = static_cast<Index>(op.task.group.ranks.size()) * *op.task.slot * width;
    for (const int buffer : {op.from, op.to}) cell(node, buffer, end - 1);
}

void ShadowMachine::start_exchange(Node& node, const StartOp& op) {
    if (op.from == op.to) fail(node, "an exchange within one buffer");
    check_group(node, op);
    const Index width = width_of(op.task);
    check_slots(node, op);
    std::set<int> peers;
    for (const Message& message : op.task.sends) {
        check_message(node, op, message);
        if (!peers.insert(message.peer).second) fail(node, "two messages to one peer");
        Parcel parcel{{}, op.task.element_bytes};
        for (const Index offset : offsets_of(message.slices)) {
            const Index first = offset * width;
            read(node, {op.from, first, width}, parcel.names);
            for (Index k = 0; k < width; ++k) ++cell(node, op.from, first + k).sending;
        }
        mail_[{node.ordinal, node.program.rank, message.peer}] = std::move(parcel);
    }
    peers.clear();
    for (const Message& message : op.task.receives) {
        check_message(node, op, message);
        if (!peers.insert(message.peer).second) fail(node, "two messages of one peer");
        for (const Index offset : offsets_of(message.slices)) {
            const Index first = offset * width;
            write(node, {op.to, first, width}, std::vector<Name>(2), 0);
            for (Index k = 0; k < width; ++k) cell(node, op.to, first + k).receiving = true;
        }
    }
    node.started[node.next] = node.ordinal++;
}

/// A message that has arrived is written.
void ShadowMachine::receive(Node& node, const StartOp& exchange, int ordinal,
                            const Message& message) {
    const Index width = width_of(exchange.task);
    const auto parcel = mail_.extract({ordinal, message.peer, node.program.rank});
    const std::vector<Name>& names = parcel.mapped().names;
    if (static_cast<Index>(names.size()) != message.count() * width) {
        fail(node, fmt::format("rank {} sends {} numbers, {} are expected", message.peer,
                               names.size(), message.count() * width));
    }
    std::size_t next = 0;
    for (const Index offset : offsets_of(message.slices)) {
        const Index first = offset * width;
        for (Index k = 0; k < width; ++k) cell(node, exchange.to, first + k).receiving = false;
        write(node, {exchange.to, first, width}, names, next);
        next += static_cast<std::size_t>(width);
    }
}

/// Of those that are there, the last one.
bool ShadowMachine::arrive(Node& node, const ArrivalOp& op) {
    const auto started = node.started.find(op.start);
    if (started == node.started.end()) fail(node, "an arrival of what was not started");
    const auto& exchange = std::get<StartOp>(node.program.operations[op.start].what);
    if (!exchange.task.on_arrival) fail(node, "arrivals are used but not asked for");
    std::vector<std::size_t>& arrived = node.arrived[op.start];
    if (arrived.size() != op.turn) fail(node, "arrivals are not asked for in turn");
    for (std::size_t i = exchange.task.receives.size(); i-- > 0;) {
        const Message& message = exchange.task.receives[i];
        if (std::find(arrived.begin(), arrived.end(), i) != arrived.end()) continue;
        if (!mail_.contains({started->second, message.peer, node.program.rank})) continue;
        receive(node, exchange, started->second, message);
        arrived.push_back(i);
        return true;
    }
    if (arrived.size() == exchange.task.receives.size()) fail(node, "more arrivals than receives");
    return false;
}

void ShadowMachine::onward(Node& node, const OnwardOp& op) {
    const std::vector<std::size_t>& arrived = node.arrived[op.start];
    if (op.turn >= arrived.size()) fail(node, "a message goes onward that has not arrived");
    for (const CopyTask& one : onward_copies(node.program, node.next, arrived[op.turn])) {
        copy(node, {one, {op.from}, op.to});
    }
}

bool ShadowMachine::finish(Node& node, const FinishOp& op) {
    const auto started = node.started.find(op.start);
    if (started == node.started.end()) fail(node, "an exchange is finished that was not started");
    const auto& exchange = std::get<StartOp>(node.program.operations[op.start].what);
    const ExchangeTask& task = exchange.task;
    const Index width = width_of(task);
    if (!exchange.arrivals.empty() && exchange.arrivals.size() != task.receives.size()) {
        fail(node, "a start does not say for every message how it goes onward");
    }
    std::vector<std::size_t>& arrived = node.arrived[op.start];
    const auto is_here = [&](std::size_t i) {
        return std::find(arrived.begin(), arrived.end(), i) != arrived.end();
    };
    for (std::size_t i = 0; i < task.receives.size(); ++i) {
        const int peer = task.receives[i].peer;
        if (is_here(i)) continue;
        if (!mail_.contains({started->second, peer, node.program.rank})) return false;
    }
    for (std::size_t i = task.receives.size(); i-- > 0;) {
        if (!is_here(i)) receive(node, exchange, started->second, task.receives[i]);
    }
    for (const Message& message : task.sends) {
        for (const Index offset : offsets_of(message.slices)) {
            for (Index k = 0; k < width; ++k) {
                --cell(node, exchange.from, offset * width + k).sending;
            }
        }
    }
    node.started.erase(started);
    return true;
}

void ShadowMachine::fused_lines(Node& node, const FusedOp& op, const FusedLines& batch,
                                Index step) {
    const LineTransform& transform = batch.line;
    if (batch.loops.front() != op.repeat) fail(node, "the first loop is not what is repeated");
    std::vector<Index> inner(batch.loops.begin() + 1, batch.loops.end());
    inner.push_back(batch.lanes);
    const Index lines = product(inner);
    const auto for_elements = [&](const std::vector<Segments>& side, Index line,
                                  const auto& visit) {
        // By the first element: where the segment begins, its elements, their step.
        struct Located {
            SegmentBegin begin;
            Index extent;
            Index step;
        };
        std::multimap<Index, Located> located;
        for (const Segments& alike : side) {
            std::vector<Index> strides(alike.strides.begin() + 1, alike.strides.end());
            strides.push_back(alike.first.lane_step);
            const Index steps =
                step * alike.strides.front() + offset_of(point_of(line, inner), strides);
            Index first = alike.first.first;
            for (SegmentBegin begin : alike.begins) {
                begin.offset += steps;
                located.emplace(first, Located{begin, alike.first.extent, alike.first.step});
                first += alike.first.extent;
            }
        }
        Index next = 0;
        for (const auto& [first, segment] : located) {
            if (first != next) fail(node, fmt::format("element {} of a line is nowhere", next));
            for (Index e = 0; e < segment.extent; ++e) {
                visit(segment.begin.place, segment.begin.offset + e * segment.step);
            }
            next += segment.extent;
        }
        return next;
    };
    const auto place = [&](int number) { return op.places[static_cast<std::size_t>(number)]; };
    const Index from_width = numbers_before(transform.kind);
    const Index to_width = numbers_after(transform.kind);
    std::vector<std::vector<Name>> results;
    for (Index line = 0; line < lines; ++line) {
        std::vector<Name> names;
        const Index length = for_elements(batch.from, line, [&](int from, Index element) {
            read_place(node, place(from),
                       {0, element * from_width, from_width, transform.kind == Kind::r2r}, names);
        });
        if (length != transform.source_length()) {
            fail(node, "a line has another length than its segments");
        }
        results.push_back(named_line(node, names, {.line = transform}));
    }
    for (Index line = 0; line < lines; ++line) {
        std::size_t next = 0;
        for_elements(batch.to, line, [&](int to, Index element) {
            const BufferRef target = place(to);
            write_place(node, target, {0, element * to_width, to_width},
                        results[static_cast<std::size_t>(line)], next);
            next += static_cast<std::size_t>(to_width);
        });
        if (next != results[static_cast<std::size_t>(line)].size()) {
            fail(node, "a segment of a line is not written");
        }
    }
}

void ShadowMachine::fused_copy(Node& node, const FusedOp& op, const FusedCopy& copy, Index step) {
    const CopyTask& task = copy.task;
    const Index width = task.element_bytes / cell_bytes_;
    const Side from = side_of(task.loops, &Loop::from);
    const Side to = side_of(task.loops, &Loop::to);
    const Index from_begin = task.from_offset + step * copy.from_step;
    const Index to_begin = task.to_offset + step * copy.to_step;
    for (Index i = 0; i < from.count(); ++i) {
        std::vector<Name> names;
        read_place(node, op.places[static_cast<std::size_t>(copy.from)],
                   {0, (from_begin + from.offset(i)) * width, width, width == 1}, names);
        write_place(node, op.places[static_cast<std::size_t>(copy.to)],
                    {0, (to_begin + to.offset(i)) * width, width}, names, 0);
    }
}

/// What somebody owns is to be brought yet.
void ShadowMachine::fused_clear(Node& node, const FusedOp& op, const FusedClear& clear,
                                Index step) {
    const auto stage = static_cast<std::size_t>(node.program.operations[node.next].stage);
    const std::set<Index> owned = owned_in(stage - 1);
    const unsigned done = done_before(stage);
    const Layout& layout = plan_.at[stage];
    const int parts = parts_of(layout.scalar);
    const std::vector<int>& order = plan_.at[stage + 1].format.order;
    std::vector<Index> extents;
    extents.reserve(order.size());
    for (const int axis : order) extents.push_back(clear.box.extent(axis));
    const std::vector<Index> offsets = offsets_of({clear.slice});
    if (static_cast<Index>(offsets.size()) != product(extents)) {
        fail(node, "a clear of another size than the box that lies there");
    }
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        const std::vector<Index> inside = point_of(static_cast<Index>(i), extents);
        std::vector<Index> point = clear.box.lo;
        for (std::size_t k = 0; k < order.size(); ++k) {
            point[static_cast<std::size_t>(order[k])] += inside[k];
        }
        if (clear.repeat) point[static_cast<std::size_t>(*clear.repeat)] += step;
        const bool nobodys = !owned.contains(number_of(point, layout.where.shape()));
        const Index element = number_of(point, full_shape_);
        for (int part = 0; part < parts; ++part) {
            write_place(node, op.places[static_cast<std::size_t>(clear.place)],
                        {0, offsets[i] * parts + part, 1},
                        {nobodys ? Name{element, done, part == 1, false} : Name{}}, 0);
        }
    }
}

/// Steps in any order, scratch memory new for each.
void ShadowMachine::fused(Node& node, const FusedOp& op) {
    if (op.scratch) {
        node.scratch = *op.scratch;
        const Index bytes = op.scratch_bytes * plan_.choice.threads;
        cell(node, node.scratch, bytes / cell_bytes_ - 1);
    }
    for (Index step = op.repeat; step-- > 0;) {
        if (node.scratch != -1) {
            for (Cell& one : node.buffers[static_cast<std::size_t>(node.scratch)]) one = Cell{};
        }
        for (const auto& work : op.work) {
            if (const auto* batch = std::get_if<TransformOp>(&work)) {
                FftTask task = batch->task;
                task.from_offset += step * batch->from_step;
                task.to_offset += step * batch->to_step;
                transform(node, {task, batch->from, batch->to});
                continue;
            }
            if (const auto* copy = std::get_if<FusedCopy>(&work)) {
                fused_copy(node, op, *copy, step);
            } else if (const auto* clear = std::get_if<FusedClear>(&work)) {
                fused_clear(node, op, *clear, step);
            } else {
                fused_lines(node, op, std::get<FusedLines>(work), step);
            }
        }
    }
    node.scratch = -1;
}

void ShadowMachine::check_spaces(const Node& node, const Operation& operation) const {
    std::set<MemorySpace> spaces;
    const auto add = [&](int buffer) {
        spaces.insert(node.program.buffers[static_cast<std::size_t>(buffer)].space);
    };
    if (const auto* pass = std::get_if<FusedOp>(&operation.what)) {
        for (const BufferRef& place : pass->places) add(place.buffer);
        if (pass->scratch) add(*pass->scratch);
    } else if (const auto* copying = std::get_if<CopyOp>(&operation.what)) {
        add(copying->from.buffer);
        add(copying->to);
    } else {
        const auto ends = [&](const auto& op) {
            if constexpr (requires { add(op.from); }) {
                add(op.from);
                add(op.to);
            }
        };
        std::visit(ends, operation.what);
    }
    if (!node.program.on_device) {
        if (spaces.contains(MemorySpace::device)) fail(node, "memory of a device, without one");
    } else if (operation.purpose == Purpose::hop) {
        if (spaces.size() != 2) fail(node, "a hop within one memory");
        const auto* hop = std::get_if<HopOp>(&operation.what);
        if (hop == nullptr) return;
        const bool back = operation.queue == Queue::hop_back;
        const BufferSpec& source = node.program.buffers[static_cast<std::size_t>(hop->from)];
        if (back && source.space == MemorySpace::host) fail(node, "a hop back to the device");
    } else {
        const Space& space = plan_.choice.space;
        const bool host = operation.queue == Queue::exchange &&
                          (space.travel == Travel::staged || space.memory > 0);
        const MemorySpace right = host ? MemorySpace::host : MemorySpace::device;
        if (!spaces.empty() && spaces != std::set{right}) fail(node, "in the wrong memory");
    }
}

bool ShadowMachine::step(int rank) {
    Node& node = nodes_[static_cast<std::size_t>(rank)];
    const Operation& operation = node.program.operations[node.next];
    check_spaces(node, operation);
    if (const auto* fft = std::get_if<TransformOp>(&operation.what)) {
        transform(node, *fft);
    } else if (const auto* copying = std::get_if<CopyOp>(&operation.what)) {
        copy(node, *copying);
    } else if (const auto* hop = std::get_if<HopOp>(&operation.what)) {
        for (const CopyTask& task : hop->copies) copy(node, {task, {hop->from}, hop->to});
    } else if (const auto* scaling = std::get_if<ScaleOp>(&operation.what)) {
        scale(node, *scaling);
    } else if (const auto* converting = std::get_if<ConvertOp>(&operation.what)) {
        convert(node, *converting);
    } else if (const auto* clearing = std::get_if<ClearOp>(&operation.what)) {
        clear(node, *clearing);
    } else if (const auto* pass = std::get_if<FusedOp>(&operation.what)) {
        fused(node, *pass);
    } else if (const auto* starting = std::get_if<StartOp>(&operation.what)) {
        start_exchange(node, *starting);
    } else if (const auto* finishing = std::get_if<FinishOp>(&operation.what)) {
        if (!finish(node, *finishing)) return false;
    } else if (const auto* arriving = std::get_if<ArrivalOp>(&operation.what)) {
        if (!arrive(node, *arriving)) return false;
    } else if (const auto* going = std::get_if<OnwardOp>(&operation.what)) {
        onward(node, *going);
    } else if (const auto* publishing = std::get_if<PublishOp>(&operation.what)) {
        publish(node, *publishing);
    } else if (const auto* awaiting = std::get_if<AwaitOp>(&operation.what)) {
        if (!await(node, *awaiting)) return false;
    } else if (const auto* releasing = std::get_if<ReleaseOp>(&operation.what)) {
        release(node, *releasing);
    } else if (const auto* reclaiming = std::get_if<ReclaimOp>(&operation.what)) {
        if (!reclaim(node, *reclaiming)) return false;
    }  // A poll looks after messages, of which none needs it here.
    return true;
}

void ShadowMachine::check_output(const Node& node) const {
    const Layout& layout = plan_.at.back();
    const unsigned done = mask_of(plan_.problem, transformed_axes(plan_.problem));
    const auto output = std::find_if(
        node.program.buffers.begin(), node.program.buffers.end(), [](const BufferSpec& spec) {
            return spec.role == Role::output || spec.role == Role::both;
        });
    const auto buffer = static_cast<std::size_t>(output - node.program.buffers.begin());
    const int parts = parts_of(layout.scalar);
    for (const auto& [number, position] : elements_in_memory(layout, node.program.rank)) {
        const Index element = number_of(point_of(number, layout.where.shape()), full_shape_);
        for (int part = 0; part < parts; ++part) {
            const Name expected{element, done, part == 1, plan_.scale() != 1};
            const auto place = static_cast<std::size_t>(position * parts + part);
            const Name found = node.buffers[buffer][place].name;
            if (found != expected) {
                fail(node, fmt::format("the output holds element {} (done {:b}, scaled {}) where "
                                       "element {} should be",
                                       found.element, found.done, found.scaled, element));
            }
        }
    }
}

/// Bytes behind a rank's last element that an end's layout has, as those of lines of n reals with
/// room for n/2+1 complex numbers.
Index ShadowMachine::bytes_behind(const Layout& layout, int rank) {
    Index end = 0;
    for (const StoredElement& element : elements_in_memory(layout, rank)) {
        end = std::max(end, element.position + 1);
    }
    return layout.bytes(rank) - end * layout.scalar.bytes();
}

void ShadowMachine::check_end(const Node& node) const {
    if (!node.started.empty()) fail(node, "an exchange is never finished");
    check_regions_at_end(node);
    const auto begun = [](const Program& program) {
        return std::count_if(program.operations.begin(), program.operations.end(),
                             [](const Operation& one) {
                                 return std::holds_alternative<StartOp>(one.what) ||
                                        std::holds_alternative<PublishOp>(one.what);
                             });
    };
    if (node.ordinal - node.first_ordinal != begun(nodes_.front().program)) {
        fail(node, "ranks take part in different exchanges");
    }
    check_output(node);
    Index workspace = 0;
    // A buffer may hold elements as they lie in an array, padding included.
    const Index behind = std::max(bytes_behind(plan_.at.front(), node.program.rank),
                                  bytes_behind(plan_.at.back(), node.program.rank));
    for (std::size_t b = 0; b < node.buffers.size(); ++b) {
        const BufferSpec& spec = node.program.buffers[b];
        if (spec.role != Role::work) continue;
        const Index used = node.used[b] * cell_bytes_;
        // Slots that MPI sends as they are, whatever is in them, do not hop.
        const bool all_touched = spec.space == MemorySpace::host;
        const Index room = halves() ? 2 * spec.bytes : spec.bytes;
        if (used > room || (all_touched && used < spec.bytes - behind)) {
            fail(node,
                 fmt::format("buffer {} has {} bytes, of which {} are used", b, spec.bytes, used));
        }
        workspace += (spec.bytes + 63) / 64 * 64;
    }
    if (workspace != node.program.workspace_bytes() + node.program.staging_bytes()) {
        fail(node, "workspace_bytes is wrong");
    }
    const BufferSpec& input = node.program.buffers.front();
    const Index in = plan_.at.front().bytes(node.program.rank);
    const Index out = plan_.at.back().bytes(node.program.rank);
    if (input.bytes != (plan_.problem.in_place ? std::max(in, out) : in)) {
        fail(node, "the input array has another size than its layout");
    }
}

}  // namespace weft::core::test
