#include "base/work.hpp"

#include <algorithm>

namespace weft::core {

namespace {

/// Slowest first: those that follow each other without a gap on both sides are one.
std::vector<Loop> joined(const std::vector<Loop>& loops) {
    std::vector<Loop> result;
    for (const Loop& loop : loops) {
        const bool one = !result.empty() && result.back().from == loop.extent * loop.from &&
                         result.back().to == loop.extent * loop.to;
        if (one) {
            result.back() = {result.back().extent * loop.extent, loop.from, loop.to};
        } else {
            result.push_back(loop);
        }
    }
    return result;
}

}  // namespace

std::vector<Loop> merged(std::vector<Loop> loops) {
    std::erase_if(loops, [](const Loop& loop) { return loop.extent == 1; });
    std::sort(loops.begin(), loops.end(),
              [](const Loop& a, const Loop& b) { return a.from + a.to > b.from + b.to; });
    return joined(loops);
}

Index count_of(const std::vector<Loop>& loops) {
    Index n = 1;
    for (const Loop& loop : loops) n *= loop.extent;
    return n;
}

Index Slice::count() const {
    Index n = 1;
    for (const Run& run : runs) n *= run.extent;
    return n;
}

bool contiguous(const Slice& slice) {
    Index stride = 1;
    for (auto run = slice.runs.rbegin(); run != slice.runs.rend(); ++run) {
        if (run->extent != 1 && run->stride != stride) return false;
        stride *= run->extent;
    }
    return true;
}

Index end_of(const Slice& slice) {
    Index last = slice.offset;
    for (const Run& run : slice.runs) last += (run.extent - 1) * run.stride;
    return slice.count() > 0 ? last + 1 : 0;
}

Index Message::count() const {
    Index n = 0;
    for (const Slice& slice : slices) n += slice.count();
    return n;
}

CopyTask copy_task(const Slice& from, const Slice& to, Index element_bytes) {
    CopyTask copy{{}, element_bytes, from.offset, to.offset};
    copy.loops.reserve(from.runs.size());
    for (std::size_t i = 0; i < from.runs.size(); ++i) {
        copy.loops.push_back({from.runs[i].extent, from.runs[i].stride, to.runs[i].stride});
    }
    return copy;
}

Index bytes_of(const CopyTask& task) { return task.element_bytes * count_of(task.loops); }

std::vector<Loop> merged_loops(const CopyTask& task) {
    std::vector<Loop> loops;
    for (const Loop& loop : task.loops) {
        if (loop.extent == 1) continue;
        loops.push_back(
            {loop.extent, loop.from * task.element_bytes, loop.to * task.element_bytes});
    }
    std::stable_sort(loops.begin(), loops.end(),
                     [](const Loop& a, const Loop& b) { return a.to > b.to; });
    return joined(loops);
}

bool contiguous(const Message& message) {
    if (message.slices.empty()) return true;
    Index next = message.offset();
    for (const Slice& slice : message.slices) {
        if (slice.offset != next || !contiguous(slice)) return false;
        next += slice.count();
    }
    return true;
}

}  // namespace weft::core
