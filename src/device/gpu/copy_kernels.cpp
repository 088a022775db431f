#include "device/gpu/copy_kernels.hpp"

#include <fmt/format.h>

#include <map>

#include "base/mapped.hpp"
#include "weft/error.hpp"

namespace weft::core::WEFT_GPU_TARGET {

namespace {

/// Numbers the chunks of the entries, and keeps them.
template <class Entry>
EntryTable<Entry> table_of(std::vector<Entry> entries, KeepTable keep) {
    constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max();
    std::uint64_t chunks = 0;
    for (Entry& entry : entries) {
        entry.first_chunk = static_cast<std::uint32_t>(chunks);
        chunks += chunks_of(entry);
        if (chunks > most) {
            throw Error(ErrorCode::not_available,
                        fmt::format("copies of more than {} chunks are too many for one launch; "
                                    "use more ranks",
                                    most));
        }
    }
    EntryTable<Entry> table;
    table.count = static_cast<std::uint32_t>(entries.size());
    table.chunks = static_cast<std::uint32_t>(chunks);
    const auto* content = reinterpret_cast<const std::byte*>(entries.data());
    const auto bytes = static_cast<Index>(entries.size() * sizeof(Entry));
    table.entries = reinterpret_cast<const Entry*>(keep(content, bytes));
    return table;
}

/// How a shape is copied: the unit, if not in tiles.
std::pair<int, TileShape> way_of(const CopyShape& shape, int aligned) {
    TileShape how;
    if (is_tiled(shape, aligned, how)) return {0, how};
    return {unit_of(shape, aligned), {}};
}

std::uintptr_t bits(const std::byte* from, const std::byte* to) {
    return reinterpret_cast<std::uintptr_t>(from) | reinterpret_cast<std::uintptr_t>(to);
}

constexpr std::array<int, 5> alignments = {1, 2, 4, 8, 16};

}  // namespace

CopyKernels::CopyKernels(const std::vector<CopyTask>& tasks, KeepTable keep, Index most_units) {
    std::vector<CopyShape> shapes;
    for (const CopyTask& task : tasks) {
        for (CopyShape& shape : shapes_of(task, most_units)) shapes.push_back(std::move(shape));
    }
    std::vector<std::pair<int, TileShape>> before;
    for (std::size_t i = 0; i < alignments.size(); ++i) {
        std::vector<std::pair<int, TileShape>> ways =
            mapped(shapes, [&](const CopyShape& shape) { return way_of(shape, alignments[i]); });
        if (i == 0 || ways != before) variants_.push_back(variant(shapes, alignments[i], keep));
        variant_of_[i] = variants_.size() - 1;
        before = std::move(ways);
    }
}

CopyKernels::Variant CopyKernels::variant(const std::vector<CopyShape>& shapes, int aligned,
                                          KeepTable keep) {
    std::map<int, std::vector<RowsEntry>> rows;
    std::map<TileShape, std::vector<TilesEntry>> tiles;
    for (const CopyShape& shape : shapes) {
        const auto [unit, how] = way_of(shape, aligned);
        if (unit == 0) {
            tiles[how].push_back(tiles_entry(shape));
        } else {
            rows[unit].push_back(rows_entry(shape, unit));
        }
    }
    Variant result;
    for (auto& [unit, entries] : rows) result.rows.push_back({unit, table_of(entries, keep)});
    for (auto& [how, entries] : tiles) result.tiles.push_back({how, table_of(entries, keep)});
    return result;
}

const CopyKernels::Variant& CopyKernels::variant_for(std::uintptr_t addresses) const {
    std::size_t i = 0;
    while (i + 1 < alignments.size() && addresses % (std::uintptr_t{2} << i) == 0) ++i;
    return variants_[variant_of_[i]];
}

void CopyKernels::run(cudaStream_t stream, const std::byte* from, std::byte* to) const {
    const Variant& variant = variant_for(bits(from, to));
    for (const Rows& rows : variant.rows) launch_rows(rows.unit, rows.table, from, to, stream);
    for (const Tiles& tiles : variant.tiles) launch_tiles(tiles.how, tiles.table, from, to, stream);
}

std::size_t CopyKernels::launches(int aligned) const {
    const Variant& variant = variant_for(static_cast<std::uintptr_t>(aligned));
    return variant.rows.size() + variant.tiles.size();
}

ScaleKernel::ScaleKernel(Precision precision, const Slice& slice, double factor, KeepTable keep)
    : precision_(precision), factor_(factor) {
    const auto number = static_cast<int>(Scalar{precision, false}.bytes());
    CopyTask task = copy_task(slice, slice, number);
    const auto shapes = shapes_of(task, std::numeric_limits<std::int32_t>::max());
    if (shapes.empty()) return;
    const auto entries = [&](int unit) {
        std::vector<RowsEntry> result;
        result.reserve(shapes.size());
        for (const CopyShape& shape : shapes) result.push_back(rows_entry(shape, unit));
        return result;
    };
    narrow_ = table_of(entries(number), keep);
    bool wide = true;
    for (const CopyShape& shape : shapes) wide = wide && unit_of(shape, 16) == 16;
    if (wide) wide_ = table_of(entries(16), keep);
}

void ScaleKernel::run(cudaStream_t stream, const std::byte* from, std::byte* to) const {
    if (narrow_.chunks == 0) return;
    const bool wide = wide_.chunks != 0 && bits(from, to) % 16 == 0;
    launch_scale(precision_, wide, wide ? wide_ : narrow_, factor_, from, to, stream);
}

}  // namespace weft::core::WEFT_GPU_TARGET
