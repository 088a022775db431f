#include "fft/native/lines/tile_runs.hpp"

#include <algorithm>

namespace weft::core::native {

namespace {

/// Whether `next` was made part of the runs before it.
bool joins(TileRun& last, const TileRun& next, Index step) {
    Runs& runs = last.runs;
    const Index direction = next.runs.direction;
    if (last.segment != next.segment || runs.direction != direction) return false;
    const Index further = next.position - last.position - (runs.count - 1) * runs.tile_stride;
    const Index beyond = next.offset - last.offset - (runs.count - 1) * runs.step;
    if (runs.count == 1 && direction > 0 && further == runs.length &&
        beyond == runs.length * step) {
        runs.length += next.runs.length;
        return true;
    }
    if (next.runs.length != runs.length) return false;
    if (runs.count > 1 && (further != runs.tile_stride || beyond != runs.step)) return false;
    runs.tile_stride = further;
    runs.step = beyond;
    ++runs.count;
    return true;
}

bool holds(const LineSegment& segment, Index element) {
    return element >= segment.first && element < segment.first + segment.extent;
}

/// Of elements from j on, at most `most` of them and those of one segment.
TileRun run_from(const std::vector<LineSegment>& segments, Index n, Index j, Index most,
                 bool backward) {
    const bool down = backward && j > 0;
    const Index element = down ? n - j : j;
    const auto segment = std::find_if(segments.begin(), segments.end(),
                                      [&](const LineSegment& one) { return holds(one, element); });
    Index length = down ? element - segment->first + 1 : segment->first + segment->extent - element;
    // Element 0 is its own opposite.
    if (backward && j == 0) length = 1;
    length = std::min(length, most);
    const Index first = down ? element - length + 1 : element;
    return {static_cast<std::size_t>(segment - segments.begin()),
            (first - segment->first) * segment->step * 2,
            down ? length - 1 : 0,
            {1, length, 0, 0, down ? -1 : 1}};
}

}  // namespace

std::vector<Portion> portions(const std::vector<LineSegment>& segments, const PortionGrid& grid) {
    std::vector<Portion> result;
    if (segments.empty()) return result;
    const Index n = grid.rows * grid.count;
    for (Range some; some.end < grid.count; some.first = some.end) {
        some.end += grid.at_a_time;
        // The last one takes a rest that is too small to be transposed in registers.
        if (grid.count - some.end < grid.at_a_time / 2) some.end = grid.count;
        Portion& portion = result.emplace_back();
        portion.some = some;
        for (Index row = 0; row < grid.rows; ++row) {
            for (Index c = some.first; c < some.end;) {
                const Index element = row * grid.count + c;
                if (!grid.backward &&
                    std::none_of(segments.begin(), segments.end(),
                                 [&](const LineSegment& one) { return holds(one, element); })) {
                    ++c;
                    continue;
                }
                TileRun run = run_from(segments, n, element, some.end - c, grid.backward);
                const Index length = run.runs.length;
                run.position += grid.stride == 0 ? row * (some.end - some.first) + c - some.first
                                                 : row * grid.stride + c;
                const Index step = segments[run.segment].step * 2;
                if (portion.runs.empty() || !joins(portion.runs.back(), run, step)) {
                    portion.runs.push_back(run);
                }
                c += length;
            }
        }
    }
    return result;
}

}  // namespace weft::core::native
