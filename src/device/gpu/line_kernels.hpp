// Transforms of lines by a kernel of weft's own: strided, in lanes, in segments of several arrays,
// in one pass over memory.
//
// Example: planes of a slab, 8 x 64 x 64 complex numbers, along axis 1, out of `array` and cut into
// blocks of 32 elements for two ranks, in buffers of their own (places 1 and 2):
//
//     const FusedLines lines{.line = {Kind::c2c, -1, Precision::f64, 64},
//                            .loops = {8},
//                            .lanes = 64,
//                            .from = {{{0, 64, 64, 1}, {4096}, {{0, 0}}}},
//                            .to = {{{0, 32, 64, 1}, {2048}, {{1, 0}, {2, 0}}}}};
//     const LineKernels kernels(lines, keep);
//     kernels.run(stream, std::array{array, first_buffer, second_buffer});
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/function_ref.hpp"
#include "base/fused_lines.hpp"
#include "device/gpu/copy_tables.hpp"
#include "device/gpu/line_plan.hpp"

namespace weft::core::WEFT_GPU_TARGET {

/// A batch along one axis as lines: place 0 is the source, place 1 the destination.
FusedLines lines_of(const FftTask& task);

class LineKernels {
  public:
    /// Lengths are those of has_line_kernel(). Blocks take at most `most_shared` bytes of shared
    /// memory, unless a line takes more (4096 in double precision takes 72 KiB). Throws
    /// Error(not_available) for other lengths or more than 2^31 blocks.
    LineKernels(const FusedLines& lines, KeepTable keep, Index most_shared = Index{48} << 10);

    /// Puts the transforms into the stream; allocates nothing. places[i] is the address of place i,
    /// a multiple of the bytes of a number. One place may be source and destination if every line
    /// is written where it was read. Runs of one object are in one stream, or wait for each other.
    void run(cudaStream_t stream, std::span<std::byte* const> places) const;

    /// Bytes of shared memory of a block.
    [[nodiscard]] std::size_t shared_bytes() const {
        return std::max(told_.how.shared_bytes, fixed_.how.shared_bytes);
    }

  private:
    /// What a kernel is told.
    struct Prepared {
        LineArguments arguments{};
        LineLaunch how{};
    };
    [[nodiscard]] Prepared prepared(const FusedLines& lines, const LinesToCut& cut,
                                    const LineThreads& threads, KeepTable keep) const;
    void set_places(const FusedLines& lines, KeepTable keep);

    [[nodiscard]] bool is_narrow(const std::vector<int>& used, Index unit,
                                 std::span<std::byte* const> places) const;
    void put_places(cudaStream_t stream, std::span<std::byte* const> places) const;

    Precision precision_;
    LineArguments sides_{};  ///< what all kernels are told
    Prepared told_{};
    Prepared fixed_{};  ///< of the kernel that is compiled for the length
    bool has_fixed_ = false;
    std::size_t places_ = 0;                  ///< how many
    std::byte** place_table_ = nullptr;       ///< in device memory, if there are many
    std::vector<int> complex_from_places_{};  ///< those read as complex numbers
    std::vector<int> complex_to_places_{};
    bool empty_ = false;
};

}  // namespace weft::core::WEFT_GPU_TARGET
