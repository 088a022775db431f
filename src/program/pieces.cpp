#include "program/pieces.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "base/mapped.hpp"

namespace weft::core {

namespace {

/// All loops of a task, those of its axes behind the others, the line's last. Extents are those of
/// one side.
std::vector<Loop> all_loops(const FftTask& task, Index line_extent) {
    std::vector<Loop> loops = task.looped;
    const std::vector<Loop> axes = task.axes();
    loops.insert(loops.end(), axes.begin(), axes.end());
    loops.back().extent = line_extent;
    return loops;
}

/// The steps of loops over compact memory, in an order like that of the array's: the loops that are
/// not transformed together around the axes or, where the fastest loop of the array is one of them,
/// within, so that an engine finds all lines in one loop.
std::vector<Index> compact_steps(const std::vector<Loop>& loops, Index Loop::*step,
                                 std::size_t looped) {
    std::vector<std::size_t> order(loops.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto is_faster = [&](std::size_t a, std::size_t b) {
        return loops[a].*step < loops[b].*step;
    };
    std::stable_sort(order.begin(), order.end(), is_faster);
    const auto fastest = std::find_if(order.begin(), order.end(),
                                      [&](std::size_t i) { return loops[i].extent > 1; });
    const bool axes_first = fastest == order.end() || *fastest >= looped;
    std::stable_partition(order.begin(), order.end(),
                          [&](std::size_t i) { return (i >= looped) == axes_first; });
    std::vector<Index> steps(loops.size());
    Index next = 1;
    for (const std::size_t i : order) {
        steps[i] = next;
        next *= loops[i].extent;
    }
    return steps;
}

Piece compact(const FftTask& task) {
    const std::vector<Loop> from = all_loops(task, task.line.source_length());
    const std::vector<Loop> to = all_loops(task, task.line.target_length());
    const std::size_t looped = task.looped.size();
    const std::vector<Index> source = compact_steps(from, &Loop::from, looped);
    const std::vector<Index> target = compact_steps(to, &Loop::to, looped);
    Piece piece{{{}, task.line.source().bytes(), task.from_offset, 0},
                {},
                {{}, task.line.target().bytes(), 0, task.to_offset}};
    std::vector<Loop> inside;
    for (std::size_t i = 0; i < from.size(); ++i) {
        piece.bring.loops.push_back({from[i].extent, from[i].from, source[i]});
        piece.take.loops.push_back({to[i].extent, target[i], to[i].to});
        inside.push_back({from[i].extent, source[i], target[i]});
    }
    piece.task.line = task.line;
    inside.back().extent = task.line.length;
    const auto axes = inside.begin() + static_cast<std::ptrdiff_t>(looped);
    piece.task.set_axes({axes, inside.end()});
    piece.task.kinds = task.kinds;
    piece.task.looped = merged({inside.begin(), axes});
    piece.task.may_destroy_input = true;
    return piece;
}

/// Bytes of a line (plane) on the side where they are more.
Index bytes_together(const FftTask& task) {
    return count_of(task.complex_axes) *
           std::max(task.line.source_length() * task.line.source().bytes(),
                    task.line.target_length() * task.line.target().bytes());
}

/// The task in the steps of its loops up to number `end`, each by itself.
void add_steps(const FftTask& task, std::size_t loop, std::size_t end,
               std::vector<FftTask>& result) {
    if (loop == end) return result.push_back(task);
    for (Index i = 0; i < task.looped[loop].extent; ++i) {
        add_steps(part_of(task, loop, i, i + 1), loop + 1, end, result);
    }
}

}  // namespace

bool fits(const FftTask& task, Index most_bytes) { return bytes_together(task) <= most_bytes; }

std::vector<Piece> pieces_of(const FftTask& task, Index most_bytes) {
    if (is_empty(task)) return {};
    FftTask whole = task;
    whole.looped = merged(task.looped);
    const Index most = most_bytes / bytes_together(task);
    // The loops behind the one that is cut are whole in each piece, of those before it one step.
    std::size_t cut = whole.looped.size();
    Index lines = 1;
    while (cut > 0 && lines * whole.looped[cut - 1].extent <= most) {
        lines *= whole.looped[--cut].extent;
    }
    std::vector<FftTask> tasks;
    if (cut == 0) {
        tasks.push_back(whole);
    } else {
        const Index extent = whole.looped[--cut].extent;
        const Index steps = most / lines;
        const Index parts = (extent + steps - 1) / steps;
        std::vector<FftTask> around;
        add_steps(whole, 0, cut, around);
        for (const FftTask& one : around) {
            for (Index i = 0; i < parts; ++i) {
                tasks.push_back(part_of(one, cut, part_begin(extent, parts, i),
                                        part_begin(extent, parts, i + 1)));
            }
        }
    }
    return mapped(tasks, compact);
}

}  // namespace weft::core
