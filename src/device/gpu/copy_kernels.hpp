// Strided copies within the memory of a GPU, prepared once and run often.
//
// Example: a pack for 300 peers is 300 copies of, say, 20 rows each. They are one launch, whose
// blocks find their copies in a table in device memory:
//
//     const CopyKernels pack(copies, keep);
//     pack.run(stream, array, buffer);
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "device/gpu/copy_tables.hpp"

namespace weft::core::WEFT_GPU_TARGET {

/// Copies from one array to another, which do not overlap. There is a launch for each kind of
/// access: contiguous runs by units of 1 to 16 bytes, and transposes in tiles.
class CopyKernels {
  public:
    /// More than `most_units` bytes in a copy, at least 64, are several.
    CopyKernels(const std::vector<CopyTask>& tasks, KeepTable keep,
                Index most_units = std::numeric_limits<std::int32_t>::max());

    /// Puts the copies into the stream; allocates nothing. Arrays that begin at multiples of 16
    /// bytes are copied fastest.
    void run(cudaStream_t stream, const std::byte* from, std::byte* to) const;
    /// The launches of a run, for arrays at multiples of so many bytes: 1, 2, 4, 8 or 16.
    [[nodiscard]] std::size_t launches(int aligned) const;

  private:
    struct Rows {
        int unit = 0;
        EntryTable<RowsEntry> table{};
    };
    struct Tiles {
        TileShape how{};
        EntryTable<TilesEntry> table{};
    };
    /// For arrays that begin at multiples of a number of bytes.
    struct Variant {
        std::vector<Rows> rows{};
        std::vector<Tiles> tiles{};
    };

    static Variant variant(const std::vector<CopyShape>& shapes, int aligned, KeepTable keep);
    [[nodiscard]] const Variant& variant_for(std::uintptr_t addresses) const;

    std::vector<Variant> variants_{};
    std::array<std::size_t, 5> variant_of_{};  ///< for 1, 2, 4, 8, 16 bytes
};

/// to = factor * from for the real numbers of a slice, prepared; from and to may be equal.
class ScaleKernel {
  public:
    ScaleKernel(Precision precision, const Slice& slice, double factor, KeepTable keep);
    /// Puts it into the stream; allocates nothing.
    void run(cudaStream_t stream, const std::byte* from, std::byte* to) const;

  private:
    Precision precision_;
    double factor_;
    EntryTable<RowsEntry> narrow_{};  ///< number by number
    EntryTable<RowsEntry> wide_{};    ///< 16 bytes at once; none if the slice does not allow it
};

}  // namespace weft::core::WEFT_GPU_TARGET
