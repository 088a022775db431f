#include "program/real_parts.hpp"

#include <utility>

namespace weft::core {

namespace {

void double_steps(Loop& loop) {
    loop.from *= 2;
    loop.to *= 2;
}

void double_steps(std::vector<Segments>& side, bool lanes_too) {
    for (Segments& alike : side) {
        alike.first.step *= 2;
        if (lanes_too) alike.first.lane_step *= 2;
        for (Index& stride : alike.strides) stride *= 2;
        for (SegmentBegin& begin : alike.begins) begin.offset *= 2;
    }
}

}  // namespace

FftTask on_real_parts(FftTask task) {
    task.from_step *= 2;
    task.to_step *= 2;
    for (Loop& axis : task.complex_axes) double_steps(axis);
    for (Loop& loop : task.looped) double_steps(loop);
    task.looped.push_back({2, 1, 1});
    task.looped = merged(std::move(task.looped));
    task.from_offset *= 2;
    task.to_offset *= 2;
    return task;
}

FusedLines on_real_parts(FusedLines lines) {
    const bool single = lines.lanes == 1;
    bool adjacent = true;
    for (auto* side : {&lines.from, &lines.to}) {
        for (Segments& alike : *side) {
            if (single) alike.first.lane_step = 1;
            adjacent = adjacent && alike.first.lane_step == 1;
        }
    }
    double_steps(lines.from, !adjacent);
    double_steps(lines.to, !adjacent);
    if (adjacent) {
        lines.lanes *= 2;
        return lines;
    }
    lines.loops.push_back(2);
    for (auto* side : {&lines.from, &lines.to}) {
        for (Segments& alike : *side) alike.strides.push_back(1);
    }
    lines.reads_beyond = false;
    lines.writes_beyond = false;
    return lines;
}

}  // namespace weft::core
