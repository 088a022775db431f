#include "device/gpu/simple_lines.hpp"

#include <algorithm>
#include <cstdlib>

#include "device/gpu/line_kernels.hpp"
#include "weft/error.hpp"

namespace weft::core::WEFT_GPU_TARGET {

namespace {

/// change(strides) of all segments of both sides.
template <class Change>
void for_all(FusedLines& lines, const Change& change) {
    for (auto* side : {&lines.from, &lines.to}) {
        for (Segments& alike : *side) change(alike);
    }
}

void drop_loop(FusedLines& lines, std::size_t k) {
    const auto at = static_cast<std::ptrdiff_t>(k);
    lines.loops.erase(lines.loops.begin() + at);
    for_all(lines, [&](Segments& alike) { alike.strides.erase(alike.strides.begin() + at); });
}

/// Whether loop k - 1 goes on where loop k ends, everywhere.
bool continues(FusedLines& lines, std::size_t k) {
    bool result = true;
    for_all(lines, [&](Segments& alike) {
        result = result && alike.strides[k - 1] == lines.loops[k] * alike.strides[k];
    });
    return result;
}

/// The shorter of the two sides' strides.
Index shortest(const FusedLines& lines, std::size_t k) {
    return std::min(std::abs(lines.from.front().strides[k]), std::abs(lines.to.front().strides[k]));
}

}  // namespace

FusedLines simplified(FusedLines lines) {
    lines.loops.push_back(lines.lanes);
    for_all(lines, [](Segments& alike) { alike.strides.push_back(alike.first.lane_step); });
    if (std::count(lines.loops.begin(), lines.loops.end(), 0) != 0) {
        return {.line = lines.line, .lanes = 0};
    }
    for (std::size_t k = lines.loops.size(); k-- > 0;) {
        if (lines.loops[k] == 1) drop_loop(lines, k);
    }
    for (std::size_t k = lines.loops.size(); k-- > 1;) {
        if (!continues(lines, k)) continue;
        lines.loops[k] *= lines.loops[k - 1];
        drop_loop(lines, k - 1);
    }
    lines.lanes = 1;
    if (lines.loops.empty()) return lines;
    std::size_t best = lines.loops.size() - 1;
    for (std::size_t k = best; k-- > 0;) {
        if (shortest(lines, k) < shortest(lines, best)) best = k;
    }
    lines.lanes = lines.loops[best];
    for_all(lines, [&](Segments& alike) { alike.first.lane_step = alike.strides[best]; });
    drop_loop(lines, best);
    return lines;
}

FusedLines lines_of(const FftTask& task) {
    if (!task.complex_axes.empty()) {
        throw Error(ErrorCode::not_available,
                    "a kernel transforms lines along one axis; make a batch of each axis");
    }
    FusedLines lines{.line = task.line, .caches = task.caches};
    Segments from{{0, task.line.source_length(), task.from_step, 0}, {}, {{0, task.from_offset}}};
    Segments to{{0, task.line.target_length(), task.to_step, 0}, {}, {{1, task.to_offset}}};
    for (const Loop& loop : task.looped) {
        lines.loops.push_back(loop.extent);
        from.strides.push_back(loop.from);
        to.strides.push_back(loop.to);
    }
    lines.from = {from};
    lines.to = {to};
    return lines;
}

}  // namespace weft::core::WEFT_GPU_TARGET
