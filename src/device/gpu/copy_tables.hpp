// What the kernels that copy are told: a table with an entry for each copy, in device memory, so
// that one launch does many copies.
//
// The work of a table is cut into chunks, which blocks of threads do: 1024 units of rows, or a
// tile. Example: copies of 2 rows of 640 units and of 1 row of 100 units are 2 chunks and 1 chunk;
// the entries' first chunks are 0 and 2.
#pragma once

#include <cstdint>
#include <vector>

#include "base/function_ref.hpp"
#include "base/work.hpp"
#include "device/gpu/divider.hpp"

namespace weft::core::WEFT_GPU_TARGET {

/// Copies so many bytes of a table to device memory that stays as long as the kernels are used, and
/// returns its address there, a multiple of 16.
using KeepTable = FunctionRef<const std::byte*(const std::byte* table, Index bytes)>;

/// A loop around rows or tiles; strides in bytes.
struct EntryLoop {
    Divider extent;
    Index from = 0;
    Index to = 0;
};

inline constexpr int most_entry_loops = 6;

/// Loops around what is copied, fastest first.
struct EntryLoops {
    int count = 0;
    EntryLoop loop[most_entry_loops];
};

/// Rows of adjacent bytes on both sides. Offsets in bytes; a unit is what one access moves.
struct RowsEntry {
    std::uint32_t first_chunk = 0;
    Index from = 0;
    Index to = 0;
    std::uint32_t units = 0;  ///< of all rows, below 2^31
    Divider row;              ///< units of one
    EntryLoops outer;
};

/// A transpose: elements that are near each other along `inner` in the destination and along
/// `cross` in the source. Strides in bytes.
struct TilesEntry {
    std::uint32_t first_chunk = 0;
    Index from = 0;
    Index to = 0;
    std::uint32_t inner_extent = 0;  ///< the product of all extents is below 2^31
    std::uint32_t cross_extent = 0;
    Divider inner_tiles;
    Divider cross_tiles;
    Loop inner;
    Loop cross;
    EntryLoops outer;
};

template <class Entry>
struct EntryTable {
    const Entry* entries = nullptr;
    std::uint32_t count = 0;
    std::uint32_t chunks = 0;

    /// As device/gpu/kernel.hpp says of arguments.
    template <class Reach>
    void reach(const Reach& reach) {
        entries = reach(entries);
    }
};

/// How elements of a tile are moved.
struct TileShape {
    int element_bytes = 0;   ///< 4, 8 or 16
    bool wide_from = false;  ///< 16 bytes at once are read
    bool wide_to = false;    ///< 16 bytes at once are written
    auto operator<=>(const TileShape&) const = default;
};

inline constexpr std::uint32_t copy_threads = 256;
/// Units that a thread has under way at once.
inline constexpr std::uint32_t copy_unroll = 4;
inline constexpr std::uint32_t row_chunk = copy_threads * copy_unroll;
/// Elements along either side of a tile: 8 to 16 KiB.
WEFT_BOTH_CODE constexpr std::uint32_t tile_extent(int element_bytes) {
    return element_bytes == 4 ? 64 : 32;
}

/// A copy of at most a number of units, in the form that suits the kernels.
struct CopyShape {
    std::vector<Loop> loops;  ///< around runs, slowest in the destination first; bytes
    Index run = 0;            ///< adjacent bytes on both sides
    Index from = 0;           ///< bytes
    Index to = 0;
    bool operator==(const CopyShape&) const = default;
};

/// The copies that a task is for the kernels: loops merged, none of them too long or too deep.
std::vector<CopyShape> shapes_of(const CopyTask& task, Index most_units);
/// The most bytes, at most `aligned`, that every run's begin and extent is a multiple of if the
/// arrays begin at multiples of `aligned`.
int unit_of(const CopyShape& shape, int aligned);
/// Whether it is done in tiles; then how.
bool is_tiled(const CopyShape& shape, int aligned, TileShape& how);
/// Its entry in a table, the first chunk not set; and how many chunks it is.
RowsEntry rows_entry(const CopyShape& shape, int unit);
TilesEntry tiles_entry(const CopyShape& shape);
std::uint64_t chunks_of(const RowsEntry& entry);
std::uint64_t chunks_of(const TilesEntry& entry);

// The launches; they allocate nothing.
void launch_rows(int unit, const EntryTable<RowsEntry>& table, const std::byte* from, std::byte* to,
                 cudaStream_t stream);
void launch_tiles(const TileShape& how, const EntryTable<TilesEntry>& table, const std::byte* from,
                  std::byte* to, cudaStream_t stream);
/// to = factor * from; a unit is `wide` ? 16 bytes : a number.
void launch_scale(Precision precision, bool wide, const EntryTable<RowsEntry>& table, double factor,
                  const std::byte* from, std::byte* to, cudaStream_t stream);

}  // namespace weft::core::WEFT_GPU_TARGET
