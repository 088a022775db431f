#include "device/gpu/copy_tables.hpp"

#include <algorithm>

#include "base/index.hpp"

namespace weft::core::WEFT_GPU_TARGET {

namespace {

/// What tells how a shape is aligned: every bit that is set in an offset, a stride or an extent.
std::uint64_t bits_of(const CopyShape& shape) {
    auto bits = static_cast<std::uint64_t>(shape.run | shape.from | shape.to);
    for (const Loop& loop : shape.loops) bits |= static_cast<std::uint64_t>(loop.from | loop.to);
    return bits;
}

/// The steps of one loop from `begin` to `end`.
CopyShape part_of_shape(CopyShape shape, std::size_t loop, Index begin, Index end) {
    Loop& cut = shape.loops[loop];
    cut.extent = end - begin;
    shape.from += begin * cut.from;
    shape.to += begin * cut.to;
    if (cut.extent == 1) shape.loops.erase(shape.loops.begin() + static_cast<std::ptrdiff_t>(loop));
    return shape;
}

void cut(const CopyShape& shape, Index most_units, std::vector<CopyShape>& result) {
    // Units may be as small as a byte. Runs are cut where units of any size end.
    constexpr Index grain = 16;
    const auto add = [&](const CopyShape& part) { cut(part, most_units, result); };
    const auto loops = shape.loops.begin();
    if (count_of(shape.loops) > most_units / shape.run) {
        const auto longest =
            std::max_element(loops, shape.loops.end(),
                             [](const Loop& a, const Loop& b) { return a.extent < b.extent; });
        if (longest == shape.loops.end() || shape.run / grain > longest->extent) {
            CopyShape part = shape;
            part.run = std::max<Index>(shape.run / 2 / grain, 1) * grain;
            add(part);
            part.from += part.run;
            part.to += part.run;
            part.run = shape.run - part.run;
            return add(part);
        }
        const auto loop = usize(longest - loops);
        const Index half = longest->extent / 2;
        add(part_of_shape(shape, loop, 0, half));
        return add(part_of_shape(shape, loop, half, longest->extent));
    }
    if (shape.loops.size() > most_entry_loops) {
        const auto shortest =
            std::min_element(loops, shape.loops.end(),
                             [](const Loop& a, const Loop& b) { return a.extent < b.extent; });
        const auto loop = usize(shortest - loops);
        for (Index i = 0; i < shortest->extent; ++i) add(part_of_shape(shape, loop, i, i + 1));
        return;
    }
    result.push_back(shape);
}

EntryLoops entry_loops(const std::vector<Loop>& slowest_first) {
    EntryLoops result;
    for (auto loop = slowest_first.rbegin(); loop != slowest_first.rend(); ++loop) {
        result.loop[result.count++] = {Divider(static_cast<std::uint32_t>(loop->extent)),
                                       loop->from, loop->to};
    }
    return result;
}

std::uint64_t steps_of(const EntryLoops& loops) {
    std::uint64_t result = 1;
    for (int k = 0; k < loops.count; ++k) result *= loops.loop[k].extent.divisor();
    return result;
}

/// Of the loops around runs, the one that is fastest in the source, the last one apart.
std::size_t cross_of(const CopyShape& shape) {
    const auto begin = shape.loops.begin();
    const auto fastest = std::min_element(
        begin, shape.loops.end() - 1, [](const Loop& a, const Loop& b) { return a.from < b.from; });
    return usize(fastest - begin);
}

std::uint32_t over_rounded_up(std::uint32_t n, std::uint32_t d) { return (n + d - 1) / d; }

}  // namespace

std::vector<CopyShape> shapes_of(const CopyTask& task, Index most_units) {
    if (bytes_of(task) == 0) return {};
    CopyShape shape{merged_loops(task), task.element_bytes, task.from_offset * task.element_bytes,
                    task.to_offset * task.element_bytes};
    if (!shape.loops.empty() && shape.loops.back().from == shape.run &&
        shape.loops.back().to == shape.run) {
        shape.run *= shape.loops.back().extent;
        shape.loops.pop_back();
    }
    std::vector<CopyShape> result;
    cut(shape, most_units, result);
    return result;
}

int unit_of(const CopyShape& shape, int aligned) {
    const std::uint64_t bits = bits_of(shape) | static_cast<std::uint64_t>(aligned);
    return static_cast<int>(bits & (~bits + 1));
}

bool is_tiled(const CopyShape& shape, int aligned, TileShape& how) {
    // Below 8 elements most threads of a tile have nothing to do, and caches serve as well.
    constexpr Index least = 8;
    if (shape.loops.size() < 2 || shape.run < 4 || shape.run > 16) return false;
    if (unit_of(shape, aligned) < shape.run) return false;
    const std::size_t crossing = cross_of(shape);
    const Loop& inner = shape.loops.back();
    const Loop& cross = shape.loops[crossing];
    if (cross.from >= inner.from || inner.extent < least || cross.extent < least) return false;
    how.element_bytes = static_cast<int>(shape.run);
    how.wide_from = how.wide_to = false;
    if (shape.run == 16 || aligned < 16) return true;
    Index from_bits = shape.from | inner.from | cross.extent * shape.run;
    Index to_bits = shape.to | cross.to | inner.extent * shape.run;
    for (std::size_t k = 0; k + 1 < shape.loops.size(); ++k) {
        if (k == crossing) continue;
        from_bits |= shape.loops[k].from;
        to_bits |= shape.loops[k].to;
    }
    how.wide_from = cross.from == shape.run && from_bits % 16 == 0;
    how.wide_to = inner.to == shape.run && to_bits % 16 == 0;
    return true;
}

RowsEntry rows_entry(const CopyShape& shape, int unit) {
    RowsEntry entry;
    entry.from = shape.from;
    entry.to = shape.to;
    entry.row = Divider(static_cast<std::uint32_t>(shape.run / unit));
    entry.units = static_cast<std::uint32_t>(count_of(shape.loops) * (shape.run / unit));
    entry.outer = entry_loops(shape.loops);
    return entry;
}

TilesEntry tiles_entry(const CopyShape& shape) {
    const std::size_t crossing = cross_of(shape);
    TilesEntry entry;
    entry.from = shape.from;
    entry.to = shape.to;
    entry.inner = shape.loops.back();
    entry.cross = shape.loops[crossing];
    entry.inner_extent = static_cast<std::uint32_t>(entry.inner.extent);
    entry.cross_extent = static_cast<std::uint32_t>(entry.cross.extent);
    const std::uint32_t tile = tile_extent(static_cast<int>(shape.run));
    entry.inner_tiles = Divider(over_rounded_up(entry.inner_extent, tile));
    entry.cross_tiles = Divider(over_rounded_up(entry.cross_extent, tile));
    std::vector<Loop> outer = shape.loops;
    outer.pop_back();
    outer.erase(outer.begin() + static_cast<std::ptrdiff_t>(crossing));
    entry.outer = entry_loops(outer);
    return entry;
}

std::uint64_t chunks_of(const RowsEntry& entry) { return over_rounded_up(entry.units, row_chunk); }

std::uint64_t chunks_of(const TilesEntry& entry) {
    return std::uint64_t{entry.inner_tiles.divisor()} * entry.cross_tiles.divisor() *
           steps_of(entry.outer);
}

}  // namespace weft::core::WEFT_GPU_TARGET
