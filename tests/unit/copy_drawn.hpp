// Random strided copies, and a copy by plain loops that judges the library's.
#pragma once

#include <cstring>
#include <numeric>
#include <vector>

#include "base/random.hpp"
#include "base/work.hpp"
#include "property/whole_array.hpp"

namespace weft::core::test {

/// Distinct strides for the loops, in random order, with gaps; returns the elements spanned.
inline Index draw_strides(Random& random, std::vector<Loop>& loops, Index Loop::*stride,
                          bool gaps) {
    std::vector<std::size_t> order(loops.size());
    std::iota(order.begin(), order.end(), 0);
    random.shuffle(order);
    Index next = gaps ? random.between(1, 3) : 1;
    for (const std::size_t k : order) {
        loops[k].*stride = next;
        next *= loops[k].extent;
        if (gaps && random.once_in(3)) next += random.between(1, 4);
    }
    return next;
}

struct Drawn {
    CopyTask task;
    Index from_elements = 0;
    Index to_elements = 0;
};

inline Drawn random_task(Random& random, Index element_bytes) {
    Drawn drawn;
    Index total = 1;
    const Index loops = random.between(1, 7);
    for (Index k = 0; k < loops; ++k) {
        const Index extent = loops < 3 ? random.between(1, 70) : random.between(1, 5);
        drawn.task.loops.push_back({total * extent > 6000 ? 1 : extent, 0, 0});
        total *= drawn.task.loops.back().extent;
    }
    drawn.task.element_bytes = element_bytes;
    drawn.task.from_offset = random.between(0, 5);
    drawn.task.to_offset = random.between(0, 5);
    const bool gaps = random.once_in(2);
    drawn.from_elements =
        drawn.task.from_offset + draw_strides(random, drawn.task.loops, &Loop::from, gaps);
    drawn.to_elements =
        drawn.task.to_offset + draw_strides(random, drawn.task.loops, &Loop::to, gaps);
    return drawn;
}

/// Element by element, in the order of the loops.
inline void naive_copy(const CopyTask& task, const std::byte* from, std::byte* to) {
    std::vector<Index> extents;
    Index count = 1;
    for (const Loop& loop : task.loops) {
        extents.push_back(loop.extent);
        count *= loop.extent;
    }
    for (Index i = 0; i < count; ++i) {
        const std::vector<Index> step = point_of(i, extents);
        Index source = task.from_offset;
        Index target = task.to_offset;
        for (std::size_t k = 0; k < step.size(); ++k) {
            source += step[k] * task.loops[k].from;
            target += step[k] * task.loops[k].to;
        }
        std::memcpy(to + target * task.element_bytes, from + source * task.element_bytes,
                    static_cast<std::size_t>(task.element_bytes));
    }
}

inline std::vector<std::byte> noise(Random& random, Index bytes) {
    std::vector<std::byte> result(static_cast<std::size_t>(bytes));
    for (std::byte& b : result) b = static_cast<std::byte>(random.next() & 0xff);
    return result;
}

}  // namespace weft::core::test
